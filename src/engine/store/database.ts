import { rmSync } from "node:fs";
import { type Database, openDatabase } from "../../base/sqlite.ts";

/** Names of the files of an index, in its folder. */
export const INDEX_FILES = { database: "index.db", lock: "builder.lock", vectors: "vectors.db" } as const;

/** Changes whenever older indexes can no longer be read; they are then built again. */
const SCHEMA_VERSION = 3;

/**
 * Everything is written once and never changed: a file that changes comes again in a newer segment. What a file says
 * about itself (`outlines`, `parsed`, `facts`, `edges`) is kept by its path, and so is what is committed of it.
 */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE segments (id INTEGER PRIMARY KEY, paths BLOB NOT NULL, numbers BLOB NOT NULL, stats BLOB NOT NULL, removed BLOB NOT NULL);
  CREATE TABLE postings (segment INTEGER NOT NULL, term TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (segment, term)) WITHOUT ROWID;
  CREATE TABLE outlines (path TEXT PRIMARY KEY, data TEXT NOT NULL, imports TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE parsed (path TEXT PRIMARY KEY, stamp TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE facts (path TEXT PRIMARY KEY, symbols TEXT NOT NULL, refs TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE edges (path TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE commits (at INTEGER NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, author TEXT NOT NULL, subject TEXT NOT NULL, files TEXT NOT NULL, PRIMARY KEY (at, number)) WITHOUT ROWID;
  CREATE TABLE committed (path TEXT PRIMARY KEY, id TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
/** How long a reader or writer waits for another's short lock. */
const BUSY_MS = 2_000;
const PAGE_BYTES = 8_192;

/** Opens an index for reading. Contract: null where there is none, or none that can be read. */
export function openReader(file: string): Database | null {
  try {
    const database = openDatabase(file, { readOnly: true, timeout: BUSY_MS });
    if (versionOf(database) === SCHEMA_VERSION) return database;
    database.close();
  } catch {
    // Not there, damaged, or of another version: as good as none.
  }
  return null;
}

/**
 * Opens an index for writing, making it where it is missing. Contract: throws where the file is no index of this
 * version or the disk refuses; readers go on reading what was there before.
 */
export function openWriter(file: string): Database {
  const database = openDatabase(file, { timeout: BUSY_MS });
  database.exec(
    `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000`,
  );
  if (versionOf(database) === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  if (versionOf(database) !== SCHEMA_VERSION) {
    database.close();
    throw new Error("the index is of another version");
  }
  return database;
}

function versionOf(database: Database): number {
  const row = database.prepare("PRAGMA user_version").get() as { user_version?: number } | undefined;
  return row?.user_version ?? 0;
}

/** Does work in one transaction. Contract: all of it is kept or nothing. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (thrown) {
    database.exec("ROLLBACK");
    throw thrown;
  }
}

/** Removes an index from disk. Contract: whoever has it open goes on with what there was. */
export function removeDatabase(file: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
}
