import { dirname } from "node:path";
import { lstatOrNull } from "../base/file-facts.ts";
import { quoteShell } from "../base/quote-shell.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { isSameFile, readLinkOrNull } from "./file-state.ts";
import { type InstallPlan, NOTHING, type PlanPart } from "./plan-part.ts";
import type { WrapperRecord } from "./receipt.ts";
import type { InstallTargets } from "./request.ts";

/** Plans the symlink to codex-auto. Contract: anything there that is not our symlink is a fault. */
export function planWrapper(targets: InstallTargets, previous: WrapperRecord | null): Outcome<PlanPart<WrapperRecord>> {
  const { wrapperLink: path, wrapperDoor: target } = targets;
  const record = { path, target };
  const notes = lstatOrNull(target) === null ? [`${target} is missing; the link is dangling until it exists`] : [];
  if (readLinkOrNull(path) === target) {
    return succeed({ steps: [], items: [{ action: "keep", path, detail: `link to ${target}` }], notes, record });
  }
  const isThere = lstatOrNull(path) !== null;
  if (isThere && !isOurLink(targets, previous)) {
    return fail("E_CONFIG", `${path} is not ours; nothing was changed; move it away, or use --local`);
  }
  const hint = `use --local, or make the link yourself: sudo ln -sfn ${quoteShell(target)} ${quoteShell(path)}`;
  const action = isThere ? "update" : "create";
  return succeed({
    steps: [{ kind: "link", path, target, hint }],
    items: [{ action, path, detail: `link to ${target}` }],
    notes,
    record,
  });
}

/** Plans the removal of the symlink. Contract: anything that is not our symlink is kept. */
export function planWrapperRemoval(targets: InstallTargets, previous: WrapperRecord | null): InstallPlan {
  const path = targets.wrapperLink;
  if (lstatOrNull(path) === null) return NOTHING;
  if (!isOurLink(targets, previous)) return { ...NOTHING, items: [{ action: "keep", path, detail: "not ours" }] };
  const hint = `remove it yourself, then run this again: sudo rm ${quoteShell(path)}`;
  return {
    ...NOTHING,
    steps: [{ kind: "remove", path, hint }],
    items: [{ action: "remove", path, detail: "link to codex-auto" }],
  };
}

/** Tells the user how to extend the PATH if no symlink is created. */
export function toPathNote(targets: InstallTargets): string {
  const folder = dirname(targets.wrapperDoor);
  const quoted = quoteShell(folder);
  const line = quoted === folder ? `export PATH="${folder}:$PATH"` : `export PATH=${quoted}:"$PATH"`;
  return `to call codex-auto and groundwork from anywhere, add this line to your shell's profile: ${line}`;
}

function isOurLink({ wrapperLink, wrapperDoor }: InstallTargets, previous: WrapperRecord | null): boolean {
  const target = readLinkOrNull(wrapperLink);
  if (target === null) return false;
  const isRecorded = previous?.path === wrapperLink && previous.target === target;
  return target === wrapperDoor || isRecorded || isSameFile(wrapperLink, wrapperDoor);
}
