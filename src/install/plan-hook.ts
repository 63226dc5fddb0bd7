import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { toSha256 } from "../base/hash.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { lstatOrNull, readFileState, readLinkOrNull, toBackupPath } from "./file-state.ts";
import { isOurLauncher, makeLauncher } from "./launcher.ts";
import type { InstallPlan, PlanPart } from "./plan-part.ts";
import type { BackupRecord, HookRecord, ReceiptFile } from "./receipt.ts";
import type { InstallTargets } from "./request.ts";

const MODE = 0o755;

/** What is at the launcher's path. */
type Occupant =
  | { readonly kind: "none" }
  | { readonly kind: "ours"; readonly content: string; readonly mode: number }
  | { readonly kind: "foreign"; readonly sha256: string };

/** The plan for removing the launcher. */
export interface HookRemoval extends InstallPlan {
  /** True if a file that is not ours is there now. */
  readonly isForeign: boolean;
  /** True if a file that is not ours will be there afterwards. */
  readonly leavesForeign: boolean;
}

/** Plans the launcher. Contract: a foreign file is backed up before it is replaced, and the record names the backup. */
export function planHook(
  targets: InstallTargets,
  previous: HookRecord | null,
  nowMs: number,
): Outcome<PlanPart<HookRecord>> {
  const path = targets.hookFile;
  const found = readOccupant(path);
  if (!found.ok) return found;
  const occupant = found.value;
  const bytes = makeLauncher(targets.hookDoor);
  const sha256 = toSha256(bytes);
  const notes = isFile(targets.hookDoor)
    ? []
    : [`${targets.hookDoor} is missing; until it is there the hook adds nothing`];
  const record = { path, sha256, displaced: previous?.displaced ?? null };
  if (occupant.kind === "none") {
    const step = { kind: "write", path, bytes, mode: MODE, expect: null } as const;
    return succeed({ steps: [step], items: [{ action: "create", path, detail: "hook launcher" }], notes, record });
  }
  if (occupant.kind === "ours") {
    if (occupant.content === bytes && occupant.mode === MODE) {
      return succeed({
        steps: [],
        items: [{ action: "keep", path, detail: "hook launcher, up to date" }],
        notes,
        record,
      });
    }
    const step = { kind: "write", path, bytes, mode: MODE, expect: toSha256(occupant.content) } as const;
    return succeed({ steps: [step], items: [{ action: "update", path, detail: "hook launcher" }], notes, record });
  }
  const backup = toBackupPath(path, nowMs);
  return succeed({
    steps: [
      { kind: "backup", path: backup, from: path },
      // Replaces a symlink itself, never its target.
      { kind: "write", path, bytes, mode: MODE, expect: occupant.sha256 },
    ],
    items: [
      { action: "backup", path: backup, detail: "the file that stood there is not ours" },
      { action: "update", path, detail: "hook launcher in its place; uninstall puts the other file back" },
    ],
    notes,
    record: { path, sha256, displaced: { path: backup, sha256: occupant.sha256 } },
  });
}

/** Plans the removal of the launcher. Contract: a file that is not ours is kept; one that we displaced is restored. */
export function planHookRemoval(targets: InstallTargets, receipt: ReceiptFile): Outcome<HookRemoval> {
  const path = targets.hookFile;
  const found = readOccupant(path);
  const isForeign = !found.ok || found.value.kind === "foreign";
  if (isForeign) {
    const items = [{ action: "keep", path, detail: "not ours" } as const];
    return succeed({ steps: [], items, notes: [], isForeign, leavesForeign: true });
  }
  const backup = findDisplaced(path, receipt);
  if (backup !== null) {
    const items = [{ action: "update", path, detail: `put back from ${basename(backup)}` } as const];
    const steps = [{ kind: "move", path, from: backup } as const];
    return succeed({ steps, items, notes: [], isForeign, leavesForeign: true });
  }
  const isThere = found.value.kind === "ours";
  return succeed({
    steps: isThere ? [{ kind: "remove", path }] : [],
    items: isThere ? [{ action: "remove", path, detail: "hook launcher" }] : [],
    notes: [],
    isForeign,
    leavesForeign: false,
  });
}

function readOccupant(path: string): Outcome<Occupant> {
  const link = readLinkOrNull(path);
  // A symlink is never ours, whatever its target: we write regular files.
  if (link !== null) return succeed({ kind: "foreign", sha256: toSha256(link) });
  const file = readFileState(path);
  if (file.kind === "absent") return succeed({ kind: "none" });
  if (file.kind === "blocked") {
    return fail("E_CONFIG", `${path}: ${file.why}; nothing was changed; move it away, then run this again`);
  }
  const content = file.bytes.toString("utf8");
  if (isOurLauncher(content)) return succeed({ kind: "ours", content, mode: file.mode });
  return succeed({ kind: "foreign", sha256: toSha256(file.bytes) });
}

/** The backup of the file that we displaced: from the receipt, or without a valid one the newest matching name. */
function findDisplaced(path: string, { receipt, state }: ReceiptFile): string | null {
  if (state === "valid") {
    const known: BackupRecord | null = receipt.hook?.path === path ? receipt.hook.displaced : null;
    return known !== null && lstatOrNull(known.path) !== null ? known.path : null;
  }
  const prefix = `${basename(path)}.backup.`;
  const names = listFolder(dirname(path)).filter((name) => name.startsWith(prefix) && /\.\d{14}$/.test(name));
  const newest = names.sort().at(-1);
  return newest === undefined ? null : join(dirname(path), newest);
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const isFile = (path: string) => readFileState(path).kind === "file";
