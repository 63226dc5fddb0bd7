import { chmodSync, lstatSync, truncateSync } from "node:fs";
import { type Database, filesOfDatabase, isBusy, openDatabase, sayDatabaseError } from "./sqlite.ts";
import { clearPlace, whyNotOurs } from "./state-files.ts";

/** A held lock. */
export interface Claim {
  readonly release: () => void;
}

/**
 * Like `tryClaim`, for a lock file in one of our own folders. Contract: null only if another process holds the lock; a
 * file that is not a lock file is replaced; throws, with the reason, if the file cannot be locked at all.
 */
export function claimOwn(file: string, waitMs = 0): Claim | null {
  let taken = tryClaim(file, waitMs);
  if ("thrown" in taken && !isBusy(taken.thrown)) {
    mend(file);
    taken = tryClaim(file, waitMs);
  }
  if ("release" in taken) return taken;
  if (isBusy(taken.thrown)) return null;
  throw new Error(`no lock can be had: ${sayDatabaseError(taken.thrown)}`);
}

/**
 * Takes an exclusive lock on a file, held until it is released or this process ends. Contract: never throws; `thrown`
 * is the error, for which `isBusy` is true if another process holds the lock and did not release it within `waitMs`.
 * The operating system releases the lock when the process dies, however it dies, so there are no stale locks to clean
 * up.
 */
export function tryClaim(file: string, waitMs = 0): Claim | { readonly thrown: unknown } {
  let database: Database | undefined;
  try {
    database = openDatabase(file, { timeout: waitMs });
    database.exec("BEGIN EXCLUSIVE");
    const held = database;
    return { release: () => held.close() };
  } catch (thrown) {
    try {
      database?.close();
    } catch {
      // The first error is more informative.
    }
    return { thrown };
  }
}

/** A lock file is empty. A file with content is truncated in place, so that all processes lock the same file. */
function mend(file: string): void {
  for (const path of filesOfDatabase(file)) if (whyNotOurs(path) !== null) clearPlace(path);
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
    chmodSync(file, 0o600);
    truncateSync(file);
  } catch {
    // The next attempt reports the reason.
  }
}
