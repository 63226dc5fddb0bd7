import { toMessage } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { applySteps } from "./apply.ts";
import { makeInstallPlan } from "./plan.ts";
import type { InstallPlan } from "./plan-part.ts";
import type { InstallReport } from "./report.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";

/**
 * Installs or removes the hook and the wrapper. Contract: never throws; with `dryRun`, and on every fault found while
 * planning, nothing is written; idempotent.
 */
export async function runInstall(request: InstallRequest, places: InstallPlaces): Promise<Outcome<InstallReport>> {
  try {
    const plan = makeInstallPlan(request, places);
    if (!plan.ok) return plan;
    const { steps, items, notes } = plan.value;
    if (!request.dryRun) {
      const done = applySteps(steps);
      if (!done.ok) return done;
    }
    const written = !request.dryRun && steps.length > 0;
    return succeed({ action: request.action, written, summary: toSummary(request, plan.value), items, notes });
  } catch (thrown) {
    return fail("E_UNKNOWN", `${request.action} stopped: ${toMessage(thrown)}`);
  }
}

function toSummary({ action, dryRun, withHook, global }: InstallRequest, { steps }: InstallPlan): string {
  if (steps.length === 0) {
    if (action === "uninstall") return "Nothing of Groundwork is installed.";
    return withHook || global ? "Groundwork is already installed; nothing to change." : "Nothing to install.";
  }
  if (dryRun) return `Groundwork ${action}, dry run: this would happen, nothing was written.`;
  return action === "install" ? "Groundwork is installed." : "Groundwork is uninstalled.";
}
