import { createRequire } from "node:module";
import { join } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { once } from "./once.ts";
import { whyNotOurs } from "./state-files.ts";
import { toMessage } from "./text.ts";

/** A connection to one database. */
export type Database = DatabaseSyncInstance;

/**
 * The database itself. Loaded when the first file is opened: most prompts open none, and without it everything but the
 * index still works.
 */
const loadSqlite = once(
  () =>
    createRequire(join(import.meta.dirname, "index.js"))(
      "@photostructure/sqlite",
    ) as typeof import("@photostructure/sqlite"),
);

/** What stands beside a database: its journals, which are opened with it. */
const ENDINGS = ["", "-journal", "-wal", "-shm"];
/** What the database says where another has a lock: `SQLITE_BUSY` and `SQLITE_LOCKED`. */
const BUSY_CODES = [5, 6];

/** The files that a database may consist of. */
export function filesOfDatabase(file: string): string[] {
  return ENDINGS.map((ending) => file + ending);
}

/**
 * Opens a database file. Contract: throws where that is not possible, and where the file or a journal of it is no regular
 * file of ours: opening a pipe would block this process for ever.
 */
export function openDatabase(
  file: string,
  options: { readonly readOnly?: boolean; readonly timeout?: number } = {},
): Database {
  for (const path of filesOfDatabase(file)) {
    const why = whyNotOurs(path);
    if (why !== null) throw new Error(why);
  }
  return new (loadSqlite().DatabaseSync)(file, options);
}

/** Does work in one transaction. Contract: all of it is kept or nothing; what is thrown is what `work` or the disk threw first. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (thrown) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // The database has ended the transaction itself, or is broken: either way the first error says why.
    }
    throw thrown;
  }
}

/** True for an error that says that another has a lock. */
export function isBusy(thrown: unknown): boolean {
  const code = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : undefined;
  return typeof code === "number" && BUSY_CODES.includes(code & 0xff);
}

/** What an error of a database says, in one line. */
export function sayDatabaseError(thrown: unknown): string {
  return toMessage(thrown).replace(/^Failed to open database: /, "");
}
