import { createRequire } from "node:module";
import { join } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { once } from "./once.ts";
import { whyNotOurs } from "./state-files.ts";
import { toMessage } from "./text.ts";

/** A connection to a database. */
export type Database = DatabaseSyncInstance;

/**
 * The SQLite module, loaded when the first file is opened: most prompts open none, and without it everything except the
 * index still works.
 */
const loadSqlite = once(
  () =>
    createRequire(join(import.meta.dirname, "index.js"))(
      "@photostructure/sqlite",
    ) as typeof import("@photostructure/sqlite"),
);

/** Suffixes of the files that SQLite opens together with a database: the database itself and its journals. */
const ENDINGS = ["", "-journal", "-wal", "-shm"];
/** Result codes when another connection holds a lock: `SQLITE_BUSY` and `SQLITE_LOCKED`. */
const BUSY_CODES = [5, 6];
/** `SQLITE_PERM`, `SQLITE_NOMEM`, `SQLITE_READONLY` and `SQLITE_FULL`. */
const SYSTEM_CODES = [3, 7, 8, 13];

/** All files that a database may consist of. */
export function filesOfDatabase(file: string): string[] {
  return ENDINGS.map((ending) => file + ending);
}

/**
 * Opens a database file. Contract: throws if that is not possible, and if the file or one of its journals is not a
 * regular file of ours: opening a FIFO would block this process forever.
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

/** Runs `work` in one transaction. Contract: all changes are kept or none; rethrows the first error. */
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
      // SQLite has already rolled back, or the database is broken: either way the first error is the relevant one.
    }
    throw thrown;
  }
}

/** True for an error that reports a lock held by another connection. */
export function isBusy(thrown: unknown): boolean {
  return hasCode(thrown, BUSY_CODES);
}

/** True for an error of the system that does not concern the file's content: no permission, no space, no memory. */
export function isSystemTrouble(thrown: unknown): boolean {
  return hasCode(thrown, SYSTEM_CODES);
}

function hasCode(thrown: unknown, codes: readonly number[]): boolean {
  const code = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : undefined;
  return typeof code === "number" && codes.includes(code & 0xff);
}

/** Message of a database error, without the generic prefix. */
export function sayDatabaseError(thrown: unknown): string {
  return toMessage(thrown).replace(/^Failed to open database: /, "");
}
