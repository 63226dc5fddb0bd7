import { toMessage } from "../base/text.ts";
import { CLIENTS } from "../contract/clients.ts";
import { countOf } from "../contract/count-of.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { applySteps, CHANGED_MEANWHILE, type FileStep } from "./apply.ts";
import { type ClientPlan, makeInstallPlan, type WholePlan } from "./plan.ts";
import type { ClientReport, InstallReport } from "./report.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";

/** Maximum number of attempts if another process changes one of the files between planning and writing. */
const MOST_TRIES = 3;

/**
 * Installs or removes. Contract: never throws; with `dryRun`, and after any fault found while planning, nothing is
 * written; idempotent; after writing, everything is read again and compared with the plan.
 */
export async function runInstall(request: InstallRequest, places: InstallPlaces): Promise<Outcome<InstallReport>> {
  try {
    const done = planAndApply(request, places);
    if (!done.ok) return done;
    const { steps, items, notes, clients } = done.value;
    const written = !request.dryRun && steps.some(isChange);
    const summary = toSummary(request, done.value);
    const reports = clients.map((client) => toClientReport(client, request));
    return succeed({ action: request.action, written, summary, items, notes, clients: reports });
  } catch (thrown) {
    return fail("E_UNKNOWN", `${request.action} stopped: ${toMessage(thrown)}`);
  }
}

function planAndApply(request: InstallRequest, places: InstallPlaces): Outcome<WholePlan> {
  for (let tries = 1; ; tries++) {
    const plan = makeInstallPlan(request, places);
    if (!plan.ok || request.dryRun) return plan;
    const done = applySteps(plan.value.steps);
    if (!done.ok && (done.fault.detail !== CHANGED_MEANWHILE || tries === MOST_TRIES)) return done;
    if (!done.ok) continue;
    const again = makeInstallPlan(request, places);
    if (again.ok && !again.value.steps.some(isChange)) return plan;
    if (tries === MOST_TRIES) return again.ok ? isOtherwise(again.value) : again;
  }
}

function isOtherwise({ steps }: WholePlan) {
  const path = steps.find(isChange)?.path ?? "";
  return fail("E_CONFIG", `${path}: something else changes it at the same time; close the client, then run this again`);
}

/** Folders are removed only if they are empty, which the plan cannot know. */
const isChange = ({ kind }: FileStep) => kind !== "remove-folder";

function toClientReport({ client, plan, fault }: ClientPlan, { action, dryRun }: InstallRequest): ClientReport {
  const { title } = CLIENTS[client];
  if (fault !== null) return { client, title, state: "refused", why: fault.message };
  if (!plan.steps.some(isChange)) return { client, title, state: "unchanged", why: "" };
  if (dryRun) return { client, title, state: "planned", why: "" };
  return { client, title, state: action === "install" ? "installed" : "removed", why: "" };
}

function toSummary({ action, dryRun, clients, global }: InstallRequest, plan: WholePlan): string {
  const { steps } = plan;
  const refused = plan.clients.filter(({ fault }) => fault !== null).length;
  if (!steps.some(isChange)) {
    if (refused > 0) return "Nothing was changed.";
    if (action === "uninstall") return "Nothing of Groundwork is installed.";
    return clients.length > 0 || global ? "Groundwork is already installed; nothing to change." : "Nothing to install.";
  }
  if (dryRun) return `Groundwork ${action}, dry run: this would happen, nothing was written.`;
  const but = refused === 0 ? "" : `, except for ${countOf(refused, "client")}`;
  return `Groundwork is ${action === "install" ? "installed" : "uninstalled"}${but}.`;
}
