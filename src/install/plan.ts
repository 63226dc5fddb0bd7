import { lstatSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { toSha256 } from "../base/hash.ts";
import { toInside } from "../base/jail.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { Step } from "./apply.ts";
import { findMissingFolders, lstatOrNull, whyNotWritable } from "./file-state.ts";
import { planHook, planHookRemoval } from "./plan-hook.ts";
import { type InstallPlan, NOTHING } from "./plan-part.ts";
import { planSettings, planSettingsRemoval } from "./plan-settings.ts";
import { planWrapper, planWrapperRemoval, toPathNote } from "./plan-wrapper.ts";
import { type Receipt, type ReceiptFile, readReceipt, toReceiptText } from "./receipt.ts";
import type { ReportItem } from "./report.ts";
import { type InstallPlaces, type InstallRequest, type InstallTargets, toTargets } from "./request.ts";

/** The user's decisions are kept when the program is removed. */
const KEPT_NOTE = "~/.groundwork stays: your own settings and what you trust";

/**
 * Plans all changes. Contract: only reads; every foreseeable failure is a fault here, before the first write; the steps
 * are ordered so that an interruption at any point leaves a working machine.
 */
export function makeInstallPlan(request: InstallRequest, places: InstallPlaces): Outcome<InstallPlan> {
  if (request.global && request.local)
    return fail("E_INVALID_ARGS", "--global and --local exclude each other; name one");
  const targets = toTargets(places);
  const receipt = readReceipt(targets.receiptFile);
  // Writing to a FIFO would block forever, and without the receipt our additions could not be told from other content.
  if (receipt.blocked !== null)
    return fail("E_CONFIG", `${receipt.blocked}; nothing was changed`, "move it away, then run this again");
  const plan =
    request.action === "install" ? planAll(request, places, targets, receipt) : planRemoval(places, targets, receipt);
  if (!plan.ok) return plan;
  const trouble = plan.value.steps.map(checkStep).find((outcome) => !outcome.ok);
  return trouble ?? plan;
}

function planAll(
  request: InstallRequest,
  places: InstallPlaces,
  targets: InstallTargets,
  old: ReceiptFile,
): Outcome<InstallPlan> {
  let receipt = old.receipt;
  const parts: InstallPlan[] = [];
  if (request.withHook) {
    const hook = planHook(targets, atPath(receipt.hook, targets.hookFile), places.nowMs);
    if (!hook.ok) return hook;
    const previous = atPath(receipt.settings, targets.settingsFile);
    const input = { path: targets.settingsFile, home: resolve(places.home), nowMs: places.nowMs, previous };
    const settings = planSettings(input, { displacesForeign: hook.value.record.displaced !== null });
    if (!settings.ok) return settings;
    const folders = addMissing(receipt.folders, [targets.hookFile, targets.settingsFile]);
    receipt = { ...receipt, hook: hook.value.record, settings: settings.value.record, folders };
    // The launcher first: settings that name a missing file would cause an error at every prompt.
    parts.push(hook.value, settings.value);
  }
  if (request.global) {
    const wrapper = planWrapper(targets, receipt.wrapper);
    if (!wrapper.ok) return wrapper;
    const folders = addMissing(receipt.folders, [targets.wrapperLink]);
    receipt = { ...receipt, wrapper: wrapper.value.record, folders };
    parts.push(wrapper.value);
  } else parts.push({ ...NOTHING, notes: [toPathNote(targets)] });
  // Before everything else, so that an interrupted installation can still be undone.
  return succeed(join([planReceipt(targets.receiptFile, old, receipt), ...parts]));
}

function planRemoval(places: InstallPlaces, targets: InstallTargets, old: ReceiptFile): Outcome<InstallPlan> {
  const { receipt } = old;
  const hook = planHookRemoval(targets, old);
  if (!hook.ok) return hook;
  const previous = atPath(receipt.settings, targets.settingsFile);
  const input = { path: targets.settingsFile, home: resolve(places.home), nowMs: places.nowMs, previous };
  const settings = planSettingsRemoval(input, hook.value);
  if (!settings.ok) return settings;
  const parts = [
    // The entry before the file it names; the receipt last, once everything it lists is gone.
    settings.value,
    hook.value,
    planWrapperRemoval(targets, receipt.wrapper),
    planSessionRemoval(places.repoRoot, targets.sessionFile),
    { ...NOTHING, steps: receipt.folders.toReversed().map((path): Step => ({ kind: "remove-folder", path })) },
    planReceiptRemoval(targets.receiptFile, old),
    lstatOrNull(targets.ownFolder) === null ? NOTHING : { ...NOTHING, notes: [KEPT_NOTE] },
  ];
  return succeed(join(parts));
}

function planReceipt(path: string, old: ReceiptFile, receipt: Receipt): InstallPlan {
  const bytes = toReceiptText(receipt);
  const isEmpty = receipt.hook === null && receipt.wrapper === null;
  if (isEmpty || old.sha256 === toSha256(bytes)) return NOTHING;
  const action = old.sha256 === null ? "create" : "update";
  return {
    steps: [{ kind: "write", path, bytes, mode: 0o600, expect: old.sha256 }],
    items: [{ action, path, detail: "what was added, for uninstall" }],
    notes: [],
  };
}

function planReceiptRemoval(path: string, old: ReceiptFile): InstallPlan {
  const notes =
    old.state === "damaged" ? [`${path} was damaged; what is ours was known by its marker, command and link`] : [];
  if (old.sha256 === null) return { ...NOTHING, notes };
  return { steps: [{ kind: "remove", path }], items: [{ action: "remove", path, detail: "receipt" }], notes };
}

/** The session file that earlier versions left in a repository. */
function planSessionRemoval(repoRoot: string, path: string): InstallPlan {
  if (lstatOrNull(path) === null) return NOTHING;
  const item = (action: ReportItem["action"], detail: string): ReportItem => ({ action, path, detail });
  // A repository may contain symlinks; none of them may determine which file we delete.
  const isInside = toInside(realpathSync(repoRoot), realpathSync(dirname(path))) !== null;
  if (!isInside || lstatSync(path).isDirectory())
    return { ...NOTHING, items: [item("keep", "not a file of this repository")] };
  return { ...NOTHING, steps: [{ kind: "remove", path }], items: [item("remove", "left-over session file")] };
}

function addMissing(folders: readonly string[], paths: readonly string[]): string[] {
  return [...new Set([...folders, ...paths.flatMap(findMissingFolders)])];
}

function checkStep(step: Step): Outcome<null> {
  if (step.kind === "remove-folder") return succeed(null);
  const why = whyNotWritable(dirname(step.path));
  if (why === null) return succeed(null);
  return fail(
    "E_CONFIG",
    `${step.path}: ${why}; nothing was changed`,
    step.hint ?? "make that folder writable for you, then run this again",
  );
}

function join(parts: readonly InstallPlan[]): InstallPlan {
  return {
    steps: parts.flatMap((part) => part.steps),
    items: parts.flatMap((part) => part.items),
    notes: parts.flatMap((part) => part.notes),
  };
}

function atPath<T extends { readonly path: string }>(record: T | null, path: string): T | null {
  return record?.path === path ? record : null;
}
