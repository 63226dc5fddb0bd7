import { basename } from "node:path";
import { toSha256 } from "../base/hash.ts";
import type { ClientId } from "../contract/clients.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { FileStep } from "./apply.ts";
import type { EntryFile } from "./clients/client-install.ts";
import { diffTexts } from "./diff.ts";
import { type FileState, readFileState, toBackupPath, unreadable } from "./file-state.ts";
import type { OwnFileRemoval } from "./plan-own-file.ts";
import { type InstallPlan, NOTHING, type PlanPart, planCopyRemoval } from "./plan-part.ts";
import { type BackupRecord, type EntryRecord, isIntact } from "./receipt.ts";
import type { ReportItem } from "./report.ts";

interface EntryInput {
  readonly client: ClientId;
  readonly file: EntryFile;
  readonly nowMs: number;
  /** The receipt's record for this file. */
  readonly previous: EntryRecord | null;
}

/** Settings may contain keys, so a new file is accessible only to the user. */
const NEW_FILE_MODE = 0o600;

/**
 * Plans our entry in one of the user's files. Contract: a file that cannot be parsed is a fault; an existing file is
 * backed up before it is changed; the record is null if the file will not contain an entry of ours. `displacesForeign`:
 * an existing entry belongs to the foreign file that our launcher replaces.
 */
export function planEntry(
  input: EntryInput,
  { displacesForeign }: { readonly displacesForeign: boolean },
): Outcome<PlanPart<EntryRecord | null>> {
  const { client, file, previous } = input;
  const { path, what } = file;
  const state = readFileState(path);
  if (state.kind === "blocked") return unreadable(path, state.why);
  const outcome = file.editor.add(path, state.kind === "absent" ? null : state.bytes);
  if (!outcome.ok) return outcome;
  const added = outcome.value;
  const sha256 = toSha256(added.text);
  const isThere = state.kind === "file";
  const isTakenOver = added.found && displacesForeign;
  const entry = isTakenOver ? "taken-over" : "added";
  const fresh: EntryRecord = { client, path, sha256, entry, timeout_before: null, made: [], before: null };
  if (isThere && toSha256(state.bytes) === sha256) {
    const record = added.found ? (previous ?? fresh) : null;
    return succeed({ ...keepUnchanged(path), notes: added.notes, record });
  }
  const change = toChange(input, state, added.text, added.found ? `our ${what} brought up to date` : `${what} added`);
  const notes = [...change.notes, ...added.notes];
  const made = [...new Set([...(isThere ? [] : ["file"]), ...added.made, ...(previous?.made ?? [])])];
  if (added.found && previous !== null) {
    // The backup lacks what the user changed since we wrote the file, unless this restores exactly our own text.
    const isOurText = previous.sha256 === sha256 || (isThere && previous.sha256 === toSha256(state.bytes));
    const record = { ...previous, sha256, made, before: isOurText ? previous.before : null };
    return succeed({ ...change, notes, record });
  }
  return succeed({
    ...change,
    notes,
    record: {
      ...fresh,
      timeout_before: isTakenOver ? added.timeoutBefore : null,
      made: added.found ? added.made : made,
      before: isTakenOver || !added.found ? change.backup : null,
    },
  });
}

/** Plans the removal of our entry. Contract: a file that was never ours is left unchanged. */
export function planEntryRemoval(input: EntryInput, launcher: OwnFileRemoval): Outcome<InstallPlan> {
  const { file, previous } = input;
  const { path, what, editor } = file;
  const state = readFileState(path);
  if (state.kind === "absent") return succeed(NOTHING);
  if (state.kind === "blocked") return unreadable(path, state.why);
  const { bytes } = state;
  const isTheirs = previous === null ? launcher.isForeign : previous.entry === "taken-over" && launcher.leavesForeign;
  if (isTheirs && previous === null) {
    const found = editor.find(path, bytes);
    if (!found.ok) return found;
    const item = { action: "keep", path, detail: "its hook calls a file that is not ours" } as const;
    return succeed(found.value.length === 0 ? NOTHING : { ...NOTHING, items: [item] });
  }
  const made = previous?.made ?? [];
  const removed = isTheirs
    ? editor.restoreTimeout(path, bytes, previous?.timeout_before ?? null)
    : editor.remove(path, bytes, made);
  if (!removed.ok) return removed;
  if (made.includes("file") && editor.isBlank(removed.value)) {
    const item = { action: "remove", path, detail: "made by the installer, holds nothing else" } as const;
    return succeed({ ...NOTHING, steps: [{ kind: "remove", path }], items: [item] });
  }
  const before = readBefore(previous, state);
  const after = before ?? removed.value;
  const copy = planCopyRemoval(previous?.before ?? null, toSha256(after));
  if (toSha256(after) === toSha256(bytes)) return succeed(copy.steps.length > 0 ? copy : keepUnchanged(path));
  const change = toChange(input, state, after, isTheirs ? `${what} put back as it was` : `${what} removed`);
  const isEdited = before === null && previous !== null && previous.sha256 !== toSha256(bytes);
  const notes = [
    ...(isEdited ? [`${path} was edited since the installation: only our entries were removed`] : []),
    ...(change.backup === null || copy.steps.length > 0
      ? []
      : [`copies of your settings stay: ${path}.backup.*; delete them when you like`]),
  ];
  return succeed({ steps: [...change.steps, ...copy.steps], items: [...change.items, ...copy.items], notes });
}

interface Change extends InstallPlan {
  readonly backup: BackupRecord | null;
}

function toChange(input: EntryInput, state: FileState, after: Buffer | string, detail: string): Change {
  const { previous, nowMs } = input;
  const { path } = input.file;
  if (state.kind !== "file") {
    const steps: FileStep[] = [{ kind: "write", path, bytes: after, mode: NEW_FILE_MODE, expect: null }];
    const item: ReportItem = { action: "create", path, detail, diff: diffTexts("", after.toString()) };
    return { steps, items: [item], notes: [], backup: null };
  }
  const sha256 = toSha256(state.bytes);
  const diff = diffTexts(state.bytes.toString("utf8"), after.toString());
  const item: ReportItem = { action: "update", path, detail, diff };
  // Write to the target, not the path: a settings file that is a symlink into a dotfiles folder must remain one.
  const write: FileStep = { kind: "write", path: state.target, bytes: after, mode: state.mode, expect: sha256 };
  const old = previous?.before ?? null;
  // No backup is needed if the file is exactly what we wrote, or if an interrupted run has already made one.
  const isOurText = previous?.sha256 === sha256 && (previous.made.includes("file") || (old !== null && isIntact(old)));
  if (isOurText) return { steps: [write], items: [item], notes: [], backup: null };
  if (old?.sha256 === sha256 && isIntact(old)) return { steps: [write], items: [item], notes: [], backup: old };
  const backup = { path: toBackupPath(path, nowMs), sha256 };
  return {
    steps: [{ kind: "backup", path: backup.path, from: state.target }, write],
    items: [{ action: "backup", path: backup.path, detail: `${basename(path)} as it is now` }, item],
    notes: [],
    backup,
  };
}

function keepUnchanged(path: string): InstallPlan {
  return { ...NOTHING, items: [{ action: "keep", path, detail: "nothing to change" }] };
}

/** Original bytes of the file, if it has not changed since we wrote it and the backup is intact; null otherwise. */
function readBefore(previous: EntryRecord | null, file: FileState): Buffer | null {
  if (previous?.before == null || file.kind !== "file" || toSha256(file.bytes) !== previous.sha256) return null;
  const copy = readFileState(previous.before.path);
  return copy.kind === "file" && toSha256(copy.bytes) === previous.before.sha256 ? copy.bytes : null;
}
