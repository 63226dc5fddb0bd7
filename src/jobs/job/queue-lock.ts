import { accessSync, constants, lstatSync, renameSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Claim, tryClaim } from "../../base/file-lock.ts";
import { isBusy } from "../../base/sqlite.ts";
import { toMessage } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { entryKindOf } from "../run/files.ts";

/** An entry that occupied the place of the lock and was moved aside. */
interface MovedAside {
  readonly path: string;
  /** Why it was moved. */
  readonly why: string;
  readonly to: string;
}

/** Suffixes of files that SQLite looks for beside a database; our lock never has any. */
const BESIDE = ["-journal", "-wal", "-shm"];
const MAX_NAMES = 100;

/**
 * Tries to take a lock that the system releases when its process dies. Contract: never throws, waits or opens anything
 * but a plain file; null if another process holds it, so that trying again makes sense; after a fault it does not.
 */
export function claimLock(lock: string): Outcome<Claim | null> {
  const taken = tryClaim(lock, 0);
  if ("release" in taken) return succeed(taken);
  return isBusy(taken.thrown) ? succeed(null) : fail("E_REPO_ROOT", toMessage(taken.thrown));
}

/**
 * Moves aside whatever a repository has planted in the place of a lock or beside it: the lock must be an empty plain
 * file of ours. Contract: never throws; never opens an unsuitable entry; a fault says why an entry cannot be moved.
 */
export function clearLockPlace(lock: string): Outcome<readonly MovedAside[]> {
  if (entryKindOf(dirname(lock)) !== "folder") return fail("E_REPO_ROOT", `${dirname(lock)} is not a folder`);
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

function moveAside(path: string, why: string): Outcome<MovedAside> {
  for (let number = 1; number <= MAX_NAMES; number++) {
    const to = join(dirname(path), `${basename(path)}.broken-${number}`);
    if (entryKindOf(to) !== "missing") continue;
    try {
      renameSync(path, to);
      return succeed({ path, why, to });
    } catch (thrown) {
      return fail("E_REPO_ROOT", `${path}: ${why}, and it cannot be moved: ${toMessage(thrown)}`);
    }
  }
  return fail("E_REPO_ROOT", `${path}: ${why}, and there are ${MAX_NAMES} like it already`);
}

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
