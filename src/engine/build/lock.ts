import { type Database, openDatabase } from "../store/database.ts";

/**
 * Claims the right to write an index, for as long as this process lives or until it is given back. Contract: null where
 * another process has it. The claim is a lock on a file that the system takes back when a process dies, however it
 * dies, so that there is no claim of the dead to clear away.
 */
export function claim(file: string): { readonly release: () => void } | null {
  let database: Database | undefined;
  try {
    database = openDatabase(file);
    database.exec("BEGIN EXCLUSIVE");
    const held = database;
    return { release: () => held.close() };
  } catch {
    database?.close();
    return null;
  }
}
