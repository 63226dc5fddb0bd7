import { basename } from "node:path";
import { toSha256 } from "../base/hash.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { Step } from "./apply.ts";
import { diffLines } from "./diff.ts";
import { type FileState, readFileState, toBackupPath } from "./file-state.ts";
import type { HookRemoval } from "./plan-hook.ts";
import { type InstallPlan, NOTHING, type PlanPart } from "./plan-part.ts";
import type { SettingsRecord } from "./receipt.ts";
import type { ReportItem } from "./report.ts";
import { addHook, hasHook, removeHook, restoreTimeout } from "./settings-edit.ts";
import { checkShape, parseSettings, type SettingsText } from "./settings-text.ts";

/** Inputs for planning the settings. */
export interface SettingsInput {
  readonly path: string;
  readonly home: string;
  readonly nowMs: number;
  /** What the receipt says about this file. */
  readonly previous: SettingsRecord | null;
}

/** Settings may contain keys, so a new file is accessible only to the user. */
const NEW_FILE_MODE = 0o600;
const BLANK: SettingsText = { bom: "", body: "", root: null };

/**
 * Plans our entry in Claude Code's settings. Contract: a file that cannot be parsed is a fault; an existing file is
 * backed up before it is changed. `displacesForeign`: an entry found there belongs to the file that our launcher
 * replaces.
 */
export function planSettings(
  input: SettingsInput,
  { displacesForeign }: { readonly displacesForeign: boolean },
): Outcome<PlanPart<SettingsRecord>> {
  const { path, previous } = input;
  const file = readFileState(path);
  if (file.kind === "blocked") return blocked(path, file.why);
  const settings = file.kind === "absent" ? succeed(BLANK) : parseSettings(path, file.bytes);
  if (!settings.ok) return settings;
  const shape = checkShape(path, settings.value);
  if (!shape.ok) return shape;
  const added = addHook(settings.value, input.home);
  const change = toChange(input, file, added.text, added.found ? "timeout of our hook corrected" : "hook added");
  const made = {
    file: file.kind === "absent" || previous?.made.file === true,
    hooks: added.made.hooks || previous?.made.hooks === true,
    event: added.made.event || previous?.made.event === true,
  };
  const sha256 = toSha256(added.text);
  if (added.found && previous !== null) {
    if (change.steps.length === 0) return succeed({ ...change, record: previous });
    // The backup lacks later changes by the user, so it remains valid only if this restores exactly our own text.
    const before = previous.sha256 === sha256 ? previous.before : null;
    return succeed({ ...change, record: { ...previous, sha256, before } });
  }
  const isTakenOver = added.found && displacesForeign;
  const before = isTakenOver || !added.found ? change.backup : null;
  return succeed({
    ...change,
    record: {
      path,
      sha256,
      entry: isTakenOver ? "taken-over" : "added",
      timeout_before: isTakenOver ? added.timeoutBefore : null,
      made: added.found ? { file: false, hooks: false, event: false } : made,
      before,
    },
  });
}

/** Plans the removal of our entry. Contract: settings that were never ours are left unchanged. */
export function planSettingsRemoval(input: SettingsInput, hook: HookRemoval): Outcome<InstallPlan> {
  const { path, previous, home } = input;
  const file = readFileState(path);
  if (file.kind === "absent") return succeed(NOTHING);
  if (file.kind === "blocked") return blocked(path, file.why);
  const settings = parseSettings(path, file.bytes);
  if (!settings.ok) return settings;
  const isTheirs = previous === null ? hook.isForeign : previous.entry === "taken-over" && hook.leavesForeign;
  if (isTheirs && previous === null && hasHook(settings.value, home)) {
    return succeed({ ...NOTHING, items: [{ action: "keep", path, detail: "its hook calls a file that is not ours" }] });
  }
  const made = previous?.made ?? { file: false, hooks: false, event: false };
  const removed = isTheirs ? restoreTimeoutBefore(settings.value, input) : removeHook(settings.value, home, made);
  if (made.file && isEmptyObject(removed)) {
    const item = { action: "remove", path, detail: "made by the installer, holds nothing else" } as const;
    return succeed({ ...NOTHING, steps: [{ kind: "remove", path }], items: [item] });
  }
  const change = toChange(
    input,
    file,
    readBefore(previous, file) ?? removed,
    isTheirs ? "hook put back as it was" : "hook removed",
  );
  const isCopied = change.backup !== null || previous?.before != null;
  const notes = isCopied ? [`copies of your settings stay: ${path}.backup.*; delete them when you like`] : [];
  return succeed({ ...change, notes });
}

interface Change extends InstallPlan {
  readonly backup: { readonly path: string; readonly sha256: string } | null;
}

function toChange({ path, nowMs }: SettingsInput, file: FileState, after: Buffer | string, detail: string): Change {
  if (file.kind !== "file") {
    const steps: Step[] = [{ kind: "write", path, bytes: after, mode: NEW_FILE_MODE, expect: null }];
    const item: ReportItem = { action: "create", path, detail, diff: diffLines("", after.toString()) };
    return { steps, items: [item], notes: [], backup: null };
  }
  const sha256 = toSha256(file.bytes);
  if (toSha256(after) === sha256) {
    return { steps: [], items: [{ action: "keep", path, detail: "nothing to change" }], notes: [], backup: null };
  }
  const backup = { path: toBackupPath(path, nowMs), sha256 };
  const diff = diffLines(file.bytes.toString("utf8"), after.toString());
  return {
    steps: [
      { kind: "backup", path: backup.path, from: file.target },
      // The target, not the path: a settings file that is a symlink into somebody's dotfiles remains one.
      { kind: "write", path: file.target, bytes: after, mode: file.mode, expect: sha256 },
    ],
    items: [
      { action: "backup", path: backup.path, detail: `${basename(path)} as it is now` },
      { action: "update", path, detail, diff },
    ],
    notes: [],
    backup,
  };
}

function restoreTimeoutBefore(settings: SettingsText, { home, previous }: SettingsInput): string {
  const before = previous?.timeout_before ?? null;
  return before === null ? settings.bom + settings.body : restoreTimeout(settings, home, before);
}

/** The original bytes of the file, if nobody has changed it since and the backup is intact. */
function readBefore(previous: SettingsRecord | null, file: FileState): Buffer | null {
  if (previous?.before == null || file.kind !== "file" || toSha256(file.bytes) !== previous.sha256) return null;
  const copy = readFileState(previous.before.path);
  return copy.kind === "file" && toSha256(copy.bytes) === previous.before.sha256 ? copy.bytes : null;
}

const isEmptyObject = (text: string) => /^\uFEFF?\s*\{\s*\}\s*$/.test(text);

function blocked(path: string, why: string) {
  return fail("E_CONFIG", `${path}: ${why}; nothing was changed; make it a readable file, then run this again`);
}
