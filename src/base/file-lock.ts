import { chmodSync, lstatSync, truncateSync } from "node:fs";
import { type Database, filesOfDatabase, isBusy, openDatabase, sayDatabaseError } from "./sqlite.ts";
import { clearPlace, whyNotOurs } from "./state-files.ts";

/** A lock that is held until it is released. */
export interface Claim {
  readonly release: () => void;
}

/**
 * Takes an exclusive lock on a file, held until it is released or this process ends. Contract: null if another process
 * holds the lock and does not release it within `waitMs`, or if the file cannot be locked at all. The operating system
 * releases the lock when the process dies, however it dies, so there are no stale locks to clean up.
 */
export function claim(file: string, waitMs = 0): Claim | null {
  const taken = take(file, waitMs);
  return "release" in taken ? taken : null;
}

/**
 * Like `claim`, for a lock file in one of our own folders. Contract: null only if another process holds the lock; a
 * file that is not a lock file is replaced; throws, with the reason, if the file cannot be locked at all.
 */
export function claimOwn(file: string, waitMs = 0): Claim | null {
  const taken = take(file, waitMs);
  if ("release" in taken) return taken;
  if (taken.isBusy) return null;
  mend(file);
  const again = take(file, waitMs);
  if ("release" in again) return again;
  if (again.isBusy) return null;
  throw new Error(`no lock can be had: ${again.why}`);
}

function take(file: string, waitMs: number): Claim | { readonly isBusy: boolean; readonly why: string } {
  let database: Database | undefined;
  try {
    database = openDatabase(file, { timeout: waitMs });
    database.exec("BEGIN EXCLUSIVE");
    const held = database;
    return { release: () => held.close() };
  } catch (thrown) {
    database?.close();
    return { isBusy: isBusy(thrown), why: sayDatabaseError(thrown) };
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
