import { accessSync, constants, lstatSync, renameSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Claim as HeldLock, tryClaim } from "../../base/file-lock.ts";
import { isBusy } from "../../base/sqlite.ts";
import { toMessage } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { kindOf } from "../run/files.ts";

/** What became of an attempt to have a lock: it is held, somebody else holds it, or nobody can, and why. */
type Claim = HeldLock | "busy" | { readonly broken: string };

/** Something that stood in the lock's place and is out of the way now. */
interface MovedAside {
  readonly path: string;
  /** What was wrong with it. */
  readonly why: string;
  readonly to: string;
}

/** Files that a database looks for beside its own: none of ours ever has one. */
const BESIDE = ["-journal", "-wal", "-shm"];
const MAX_NAMES = 100;

/**
 * Tries to have a lock that the system takes back from a process that dies. Contract: never throws, waits or opens anything
 * that is not a plain file; whoever finds it busy tries again, whoever finds it broken need not.
 */
export function claimLock(lock: string): Claim {
  const taken = tryClaim(lock, 0);
  if ("release" in taken) return taken;
  return isBusy(taken.thrown) ? "busy" : { broken: toMessage(taken.thrown) };
}

/**
 * Moves away what a repository has put in the place of a lock or beside it: the lock is an empty plain file of ours, and
 * nothing else. Contract: never throws; what is not as it should be is never opened; a fault says why it cannot be moved.
 */
export function clearPlace(lock: string): Outcome<readonly MovedAside[]> {
  if (kindOf(dirname(lock)) !== "folder") return fail("E_REPO_ROOT", `${dirname(lock)} is not a folder`);
  const moved: MovedAside[] = [];
  for (const path of [lock, ...BESIDE.map((ending) => `${lock}${ending}`)]) {
    const why = findFlaw(path, { isLock: path === lock });
    if (why === null) continue;
    const aside = moveAside(path, why);
    if (!aside.ok) return aside;
    moved.push(aside.value);
  }
  return succeed(moved);
}

/** Gives something another name beside its own. */
function moveAside(path: string, why: string): Outcome<MovedAside> {
  for (let number = 1; number <= MAX_NAMES; number++) {
    const to = join(dirname(path), `${basename(path)}.broken-${number}`);
    if (kindOf(to) !== "missing") continue;
    try {
      renameSync(path, to);
      return succeed({ path, why, to });
    } catch (thrown) {
      return fail("E_REPO_ROOT", `${path}: ${why}, and it cannot be moved: ${toMessage(thrown)}`);
    }
  }
  return fail("E_REPO_ROOT", `${path}: ${why}, and there are ${MAX_NAMES} like it already`);
}

/** What is wrong with what stands there; null where nothing is. */
function findFlaw(path: string, { isLock }: { readonly isLock: boolean }): string | null {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    return toMessage(thrown);
  }
  if (stats === undefined) return null;
  if (!stats.isFile()) return stats.isDirectory() ? "a folder" : stats.isSymbolicLink() ? "a link" : "no plain file";
  if (!isLock) return "not ours";
  if (stats.size > 0 || stats.nlink > 1) return "not empty, or not alone";
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch {
    return "not to be read or written";
  }
}
