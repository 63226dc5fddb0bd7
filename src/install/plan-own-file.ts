import { basename, dirname, join } from "node:path";
import { listFolder, lstatOrNull } from "../base/file-facts.ts";
import { toSha256 } from "../base/hash.ts";
import type { ClientId } from "../contract/clients.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { OwnFile } from "./clients/client-install.ts";
import { diffTexts } from "./diff.ts";
import { readFileState, readLinkOrNull, toBackupPath } from "./file-state.ts";
import type { InstalledProgram } from "./launcher.ts";
import { type InstallPlan, NOTHING, type PlanPart, planCopyRemoval } from "./plan-part.ts";
import { type BackupRecord, isIntact, type OwnFileRecord, type ReceiptFile } from "./receipt.ts";

type Occupant =
  | { readonly kind: "none" }
  | { readonly kind: "ours"; readonly content: string; readonly mode: number }
  | { readonly kind: "foreign"; readonly sha256: string };

interface OwnFileInput {
  readonly client: ClientId;
  readonly file: OwnFile;
  readonly program: InstalledProgram;
  /** The receipt's record for this path. */
  readonly previous: OwnFileRecord | null;
  readonly nowMs: number;
}

/** Plan for the removal of a file of ours. */
export interface OwnFileRemoval extends InstallPlan {
  /** True if a file that is not ours is at the path now. */
  readonly isForeign: boolean;
  /** True if a file that is not ours will be at the path afterwards. */
  readonly leavesForeign: boolean;
}

/**
 * Plans a file of ours. Contract: a foreign file is backed up before it is replaced, and the record names the backup.
 */
export function planOwnFile(input: OwnFileInput): Outcome<PlanPart<OwnFileRecord>> {
  const { client, file, program, previous, nowMs } = input;
  const { path, what, mode } = file;
  const found = readOccupant(file);
  if (!found.ok) return found;
  const occupant = found.value;
  const bytes = file.make(program);
  const broken = `${path}: ${program.root} is not a whole installation; nothing was changed`;
  if (bytes === null) return fail("E_CONFIG", broken, "install Groundwork again");
  const sha256 = toSha256(bytes);
  const record = { client, path, sha256, displaced: previous?.displaced ?? null };
  if (occupant.kind === "none") {
    const step = { kind: "write", path, bytes, mode, expect: null } as const;
    return succeed({ ...NOTHING, steps: [step], items: [{ action: "create", path, detail: what }], record });
  }
  if (occupant.kind === "ours") {
    if (occupant.content === bytes && occupant.mode === mode) {
      return succeed({ ...NOTHING, items: [{ action: "keep", path, detail: `${what}, up to date` }], record });
    }
    const step = { kind: "write", path, bytes, mode, expect: toSha256(occupant.content) } as const;
    const diff = diffTexts(occupant.content, bytes);
    return succeed({ ...NOTHING, steps: [step], items: [{ action: "update", path, detail: what, diff }], record });
  }
  const { sha256: theirs } = occupant;
  // An interrupted run may have made the backup already.
  const copied =
    previous?.displaced?.sha256 === theirs && isIntact(previous.displaced) ? previous.displaced.path : null;
  const backup = copied ?? toBackupPath(path, nowMs);
  return succeed({
    steps: [
      ...(copied === null ? [{ kind: "backup", path: backup, from: path } as const] : []),
      // Replaces a symlink itself, never its target.
      { kind: "write", path, bytes, mode, expect: theirs },
    ],
    items: [
      { action: "backup", path: backup, detail: "the file that stood there is not ours" },
      { action: "update", path, detail: `${what} in its place; uninstall puts the other file back` },
    ],
    notes: [],
    record: { ...record, displaced: { path: backup, sha256: theirs } },
  });
}

/** Plans the removal of a file of ours. Contract: a foreign file is kept; one that we displaced is restored. */
export function planOwnFileRemoval(file: OwnFile, receipt: ReceiptFile): OwnFileRemoval {
  const { path, what } = file;
  const found = readOccupant(file);
  const isForeign = !found.ok || found.value.kind === "foreign";
  if (isForeign) {
    const kept = { action: "keep", path, detail: "not ours" } as const;
    const displaced = receipt.receipt.files.find((record) => record.path === path)?.displaced ?? null;
    // An interrupted run may have made the backup without replacing the file.
    const copy = planCopyRemoval(displaced, found.ok && found.value.kind === "foreign" ? found.value.sha256 : null);
    return { ...copy, items: [kept, ...copy.items], isForeign, leavesForeign: true };
  }
  const backup = findDisplaced(path, receipt);
  if (backup !== null) {
    const items = [{ action: "update", path, detail: `put back from ${basename(backup)}` } as const];
    return { ...NOTHING, steps: [{ kind: "move", path, from: backup }], items, isForeign, leavesForeign: true };
  }
  const left = { isForeign, leavesForeign: false };
  if (found.value.kind === "none") return { ...NOTHING, ...left };
  const items = [{ action: "remove", path, detail: what } as const];
  return { ...NOTHING, steps: [{ kind: "remove", path }], items, ...left };
}

function readOccupant({ path, isOurs }: OwnFile): Outcome<Occupant> {
  const link = readLinkOrNull(path);
  // A symlink is never ours, whatever its target: we write regular files only.
  if (link !== null) return succeed({ kind: "foreign", sha256: toSha256(link) });
  const file = readFileState(path);
  if (file.kind === "absent") return succeed({ kind: "none" });
  if (file.kind === "blocked") {
    return fail("E_CONFIG", `${path}: ${file.why}; nothing was changed; move it away, then run this again`);
  }
  const content = file.bytes.toString("utf8");
  if (isOurs(content)) return succeed({ kind: "ours", content, mode: file.mode });
  return succeed({ kind: "foreign", sha256: toSha256(file.bytes) });
}

/** Finds the backup of a displaced file: from the receipt, or if that is not valid, the newest backup by name. */
function findDisplaced(path: string, { receipt, state }: ReceiptFile): string | null {
  if (state === "valid") {
    const known: BackupRecord | null = receipt.files.find((record) => record.path === path)?.displaced ?? null;
    return known !== null && lstatOrNull(known.path) !== null ? known.path : null;
  }
  const prefix = `${basename(path)}.backup.`;
  const names = listFolder(dirname(path)).filter((name) => name.startsWith(prefix) && /\.\d{14}$/.test(name));
  const newest = names.sort().at(-1);
  return newest === undefined ? null : join(dirname(path), newest);
}
