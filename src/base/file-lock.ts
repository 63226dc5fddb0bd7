import { type Database, openDatabase } from "./sqlite.ts";

/**
 * Claims what a file stands for, for as long as this process lives or until it is given back. Contract: null where another
 * process has it and does not give it back within `waitMs`. The claim is a lock on the file that the system takes back when
 * a process dies, however it dies, so that there is no claim of the dead to clear away.
 */
export function claim(file: string, waitMs = 0): { readonly release: () => void } | null {
  let database: Database | undefined;
  try {
    database = openDatabase(file, { timeout: waitMs });
    database.exec("BEGIN EXCLUSIVE");
    const held = database;
    return { release: () => held.close() };
  } catch {
    database?.close();
    return null;
  }
}
