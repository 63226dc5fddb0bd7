import { lstatSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { lstatOrNull } from "../base/file-facts.ts";
import { toSha256 } from "../base/hash.ts";
import { toInside } from "../base/jail.ts";
import { CLIENT_IDS, type ClientId } from "../contract/clients.ts";
import { type Fault, fail, type Outcome, succeed } from "../contract/faults.ts";
import type { FileStep } from "./apply.ts";
import { findMissingFolders, whyNotWritable } from "./file-state.ts";
import { clientsOf, forgetClients, planClient, planClientRemoval } from "./plan-client.ts";
import { type InstallPlan, joinPlans, NOTHING } from "./plan-part.ts";
import { planWrapper, planWrapperRemoval, toPathNote } from "./plan-wrapper.ts";
import { isEmptyReceipt, type Receipt, type ReceiptFile, readReceipt, toReceiptText } from "./receipt.ts";
import type { ReportItem } from "./report.ts";
import { type InstallPlaces, type InstallRequest, type InstallTargets, toTargets } from "./request.ts";

/** Shown after an uninstall: the user's own decisions are kept. */
const KEPT_NOTE = "~/.groundwork stays: your own settings and what you trust";

/** Plan for one client. */
export interface ClientPlan {
  readonly client: ClientId;
  readonly plan: InstallPlan;
  /** Why nothing is planned for the client; null if something is. */
  readonly fault: Fault | null;
}

/** The plan as a whole, and its part for each client. */
export interface WholePlan extends InstallPlan {
  readonly clients: readonly ClientPlan[];
}

/**
 * Plans all changes. Contract: read-only; every foreseeable failure is reported as a fault before the first write; the
 * steps are ordered so that an interruption at any point leaves a working machine.
 */
export function makeInstallPlan(request: InstallRequest, places: InstallPlaces): Outcome<WholePlan> {
  if (request.global && request.local)
    return fail("E_INVALID_ARGS", "--global and --local exclude each other; name one");
  const targets = toTargets(places);
  const receipt = readReceipt(targets.receiptFile);
  // Writing to a FIFO would block forever, and without the receipt our additions could not be told from other content.
  if (receipt.blocked !== null)
    return fail("E_CONFIG", `${receipt.blocked}; nothing was changed`, "move it away, then run this again");
  const plan =
    request.action === "install"
      ? planAll(request, places, targets, receipt)
      : planRemoval(request, places, targets, receipt);
  if (!plan.ok) return plan;
  return checkSteps(plan.value.steps) ?? plan;
}

function planAll(
  request: InstallRequest,
  places: InstallPlaces,
  targets: InstallTargets,
  old: ReceiptFile,
): Outcome<WholePlan> {
  let receipt = old.receipt;
  const clients: ClientPlan[] = [];
  for (const client of request.clients) {
    const part = planClient(client, request, places, receipt);
    const trouble = part.ok ? checkSteps(part.value.steps) : part;
    if (trouble !== null && !trouble.ok) {
      if (!request.goOn) return trouble;
      clients.push({ client, plan: NOTHING, fault: trouble.fault });
    } else if (part.ok) {
      receipt = part.value.record;
      clients.push({ client, plan: part.value, fault: null });
    }
  }
  const wrapper = planLink(request, targets, receipt);
  if (!wrapper.ok) return wrapper;
  const around = isEmptyReceipt(wrapper.value.receipt) ? [] : findMissingFolders(targets.receiptFile);
  receipt = { ...wrapper.value.receipt, folders: [...new Set([...wrapper.value.receipt.folders, ...around])] };
  // The receipt is written first, so that an interrupted installation can still be undone.
  const first = planReceipt(targets.receiptFile, old, receipt);
  return succeed({ ...joinPlans([first, ...clients.map(({ plan }) => plan), wrapper.value.plan]), clients });
}

function planLink(
  { global, everything }: InstallRequest,
  targets: InstallTargets,
  receipt: Receipt,
): Outcome<{ readonly plan: InstallPlan; readonly receipt: Receipt }> {
  if (!global) {
    const plan = everything ? { ...NOTHING, notes: [toPathNote(targets)] } : NOTHING;
    return succeed({ plan, receipt });
  }
  const wrapper = planWrapper(targets, receipt.wrapper);
  if (!wrapper.ok) return wrapper;
  const folders = [...new Set([...receipt.folders, ...findMissingFolders(targets.wrapperLink)])];
  return succeed({ plan: wrapper.value, receipt: { ...receipt, wrapper: wrapper.value.record, folders } });
}

function planRemoval(
  { clients: wanted, everything, goOn }: InstallRequest,
  places: InstallPlaces,
  targets: InstallTargets,
  old: ReceiptFile,
): Outcome<WholePlan> {
  const clients: ClientPlan[] = [];
  for (const client of everything ? CLIENT_IDS : wanted) {
    const part = planClientRemoval(client, places, old);
    const isKnown = !everything || clientsOf(old.receipt).includes(client);
    if (part.ok) clients.push({ client, plan: part.value, fault: null });
    // The receipt lists nothing for this client, so a problem with its files need not be fixed first.
    else if (!isKnown)
      clients.push({ client, plan: { ...NOTHING, notes: [`not looked into: ${part.fault.message}`] }, fault: null });
    else if (goOn) clients.push({ client, plan: NOTHING, fault: part.fault });
    else return part;
  }
  const gone = clients.filter(({ fault }) => fault === null).map(({ client }) => client);
  const link = everything ? planWrapperRemoval(targets, old.receipt.wrapper) : NOTHING;
  const kept = forgetClients(old.receipt, gone);
  const left = everything ? { ...kept, wrapper: null } : kept;
  const isAll = isEmptyReceipt(left);
  const isAround = (folder: string) => targets.receiptFile.startsWith(`${folder}${sep}`);
  const removeFolders = (folders: readonly string[]): InstallPlan => ({
    ...NOTHING,
    steps: folders.toReversed().map((path): FileStep => ({ kind: "remove-folder", path })),
  });
  const parts = [
    ...clients.map(({ plan }) => plan),
    link,
    everything ? planSessionRemoval(places.repoRoot, targets.sessionFile) : NOTHING,
    removeFolders(old.receipt.folders.filter((folder) => !isAround(folder))),
    // The receipt is removed last, after everything that it lists.
    isAll ? planReceiptRemoval(targets.receiptFile, old) : planReceipt(targets.receiptFile, old, left),
    removeFolders(old.receipt.folders.filter(isAround)),
    everything && lstatOrNull(targets.ownFolder) !== null ? { ...NOTHING, notes: [KEPT_NOTE] } : NOTHING,
  ];
  return succeed({ ...joinPlans(parts), clients });
}

function planReceipt(path: string, old: ReceiptFile, receipt: Receipt): InstallPlan {
  const bytes = toReceiptText(receipt);
  if (isEmptyReceipt(receipt) || old.sha256 === toSha256(bytes)) return NOTHING;
  const action = old.sha256 === null ? "create" : "update";
  return {
    steps: [{ kind: "write", path, bytes, mode: 0o600, folderMode: 0o700, expect: old.sha256 }],
    items: [{ action, path, detail: "record of what was added, for uninstall" }],
    notes: [],
  };
}

function planReceiptRemoval(path: string, old: ReceiptFile): InstallPlan {
  const notes =
    old.state === "damaged" ? [`${path} was damaged; our entries were recognised by marker, command and link`] : [];
  if (old.sha256 === null) return { ...NOTHING, notes };
  return { steps: [{ kind: "remove", path }], items: [{ action: "remove", path, detail: "receipt" }], notes };
}

/** Plans the removal of the session file that earlier versions left in a repository. */
function planSessionRemoval(repoRoot: string, path: string): InstallPlan {
  if (lstatOrNull(path) === null) return NOTHING;
  const item = (action: ReportItem["action"], detail: string): ReportItem => ({ action, path, detail });
  // A repository may contain symlinks; none of them may determine which file is deleted.
  const isInside = toInside(realpathSync(repoRoot), realpathSync(dirname(path))) !== null;
  if (!isInside || lstatSync(path).isDirectory())
    return { ...NOTHING, items: [item("keep", "not a file of this repository")] };
  return { ...NOTHING, steps: [{ kind: "remove", path }], items: [item("remove", "left-over session file")] };
}

/** Returns a fault for the first step that cannot be applied; null if all can. */
function checkSteps(steps: readonly FileStep[]): { readonly ok: false; readonly fault: Fault } | null {
  for (const step of steps) {
    const why = step.kind === "remove-folder" ? null : whyNotWritable(dirname(step.path));
    if (why === null) continue;
    const hint = step.hint ?? "make that folder writable for you, then run this again";
    return { ok: false, fault: fail("E_CONFIG", `${step.path}: ${why}; nothing was changed`, hint).fault };
  }
  return null;
}
