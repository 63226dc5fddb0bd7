import { chmodSync, lstatSync, truncateSync } from "node:fs";
import { type Database, filesOfDatabase, isBusy, openDatabase, sayDatabaseError } from "./sqlite.ts";
import { clearPlace, whyNotOurs } from "./state-files.ts";

/** What somebody has claimed. */
export interface Claim {
  readonly release: () => void;
}

/**
 * Claims what a file stands for, for as long as this process lives or until it is given back. Contract: null where another
 * process has it and does not give it back within `waitMs`, and where nobody can have it. The claim is a lock on the file
 * that the system takes back when a process dies, however it dies, so that there is no claim of the dead to clear away.
 */
export function claim(file: string, waitMs = 0): Claim | null {
  const taken = take(file, waitMs);
  return "release" in taken ? taken : null;
}

/**
 * As `claim`, for a lock file that lies in a folder of ours. Contract: null only where another process has it; a file that is
 * no lock is replaced; throws, with the reason, where nobody can have it.
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

/** A lock is an empty file. One that holds something is emptied where it lies, so that all claim the same file. */
function mend(file: string): void {
  for (const path of filesOfDatabase(file)) if (whyNotOurs(path) !== null) clearPlace(path);
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
    chmodSync(file, 0o600);
    truncateSync(file);
  } catch {
    // The next try says why.
  }
}
