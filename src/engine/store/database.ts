import { lstatSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { identityOf, lstatOrNull } from "../../base/file-facts.ts";
import { type Database, filesOfDatabase, isBusy, openDatabase, sayDatabaseError } from "../../base/sqlite.ts";
import { clearPlace, readStateFile, replaceFile, whyNotOurs } from "../../base/state-files.ts";
import { toOneLine } from "../../base/text.ts";

/** File names of an index, relative to its folder. */
export const INDEX_FILES = {
  database: "index.db",
  lock: "builder.lock",
  vectors: "vectors.db",
  /** Fingerprint of the database as the last builder left it. */
  seal: "index.db.seal",
  /** Written by a reader that finds the database damaged; contains the reason. */
  damage: "index.db.damaged",
} as const;

/** Reason given if an index was written by an older or newer version of the program. */
export const OTHER_VERSION = `${INDEX_FILES.database} is of another version`;

/** Incremented whenever older indexes can no longer be read; they are then rebuilt. */
export const INDEX_VERSION = 6;

/**
 * Segments are written once and never changed: a changed file is added again in a newer segment. Per-file data
 * (`outlines`, `parsed`, `facts`, `edges`, `asked`) is keyed by path. Every value is a record with a checksum, and
 * other records imply which ones must exist, so that a lost record is detected.
 */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE segments (id INTEGER PRIMARY KEY, paths BLOB NOT NULL, numbers BLOB NOT NULL, stats BLOB NOT NULL, removed BLOB NOT NULL, terms BLOB NOT NULL, ids BLOB NOT NULL);
  CREATE TABLE blocks (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE outlines (path TEXT PRIMARY KEY, data BLOB NOT NULL, imports BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE parsed (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE facts (path TEXT PRIMARY KEY, symbols BLOB NOT NULL, refs BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE edges (path TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE asked (path TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE history (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  PRAGMA user_version = ${INDEX_VERSION};
`;
/** How long a reader or writer waits for a short lock held by another. */
const BUSY_MS = 2_000;
const PAGE_BYTES = 8_192;
const SEALED_AGE_S = 10;
const MAX_MARK_BYTES = 1_000;
const MAX_WHY_CHARS = 200;

/** Opens an index for reading. Contract: null if there is none, or none that can be read. */
export function openReader(file: string): Database | null {
  if (readMark(file) !== null) return null;
  try {
    const database = openDatabase(file, { readOnly: true, timeout: BUSY_MS });
    if (versionOf(database) === INDEX_VERSION) return database;
    database.close();
  } catch {
    // Missing, damaged, or of another version: treat it as no index.
  }
  return null;
}

/**
 * True if a database from elsewhere has exactly our tables: no view, trigger or computed column. Contract: also
 * configures the connection so that nothing in its schema is executed.
 */
export function hasOwnSchema(database: Database): boolean {
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON");
  const rows = database.prepare("SELECT sql FROM sqlite_schema").all() as { readonly sql: unknown }[];
  const own = SCHEMA.split(";\n").map((statement) => statement.trim());
  const tables = own.filter((statement) => statement.startsWith("CREATE TABLE"));
  return rows.length === tables.length && rows.every(({ sql }) => tables.includes(String(sql)));
}

/** Why an existing index cannot be read; null if there is none or it is intact. Contract: never throws. */
export function findDamage(file: string): string | null {
  const before = identityOf(file);
  const why = findDamageOnce(file);
  // An index that was removed or replaced meanwhile is not damaged.
  return identityOf(file) === before ? why : null;
}

function findDamageOnce(file: string): string | null {
  const why = findObstacle(file);
  if (why !== null || lstatOrNull(file) === null) return why;
  try {
    const database = openDatabase(file, { readOnly: true, timeout: BUSY_MS });
    const version = versionOf(database);
    database.close();
    if (version === INDEX_VERSION || (version === 0 && !wasFinished(file))) return null;
    return OTHER_VERSION;
  } catch (thrown) {
    return isBusy(thrown) ? null : `${basename(file)}: ${sayDatabaseError(thrown)}`;
  }
}

/** Like `findDamage`, but only checks what can be determined without opening the database. */
export function findObstacle(file: string): string | null {
  const mark = readMark(file);
  if (mark !== null) return mark;
  const folder = dirname(file);
  const odd = [...[dirname(folder), folder].map(whyNoFolder), ...filesOfDatabase(file).map(whyNotOurs)];
  const why = odd.find((found) => found !== null);
  if (typeof why === "string") return why;
  // An empty database that was never finished may be under construction.
  return lstatOrNull(file)?.size === 0 && wasFinished(file) ? `${basename(file)} is empty` : null;
}

/** True if a builder has completed an index in this location before. */
function wasFinished(file: string): boolean {
  return lstatOrNull(besideOf(file, "seal")) !== null;
}

/** Marks an index as damaged, so that it is no longer read. Contract: never throws. */
export function markDamaged(file: string, why: string): void {
  const path = besideOf(file, "damage");
  if (whyNotOurs(path) === null) replaceFile(dirname(file), basename(path), toOneLine(why).slice(0, MAX_WHY_CHARS));
}

/** The reason an index was marked as damaged; null if it was not. Contract: never throws. */
export function readMark(file: string): string | null {
  const path = besideOf(file, "damage");
  if (lstatOrNull(path) === null) return null;
  return toOneLine(readStateFile(dirname(file), basename(path), MAX_MARK_BYTES) ?? "") || "marked as damaged";
}

/** Records the fingerprint of an index after a build. Contract: never throws. */
export function sealIndex(file: string): void {
  try {
    // Back-date the file, so that any later write, however soon, changes its modification time.
    const atS = lstatSync(file).mtimeMs / 1_000 - SEALED_AGE_S;
    utimesSync(file, atS, atS);
  } catch {
    // The next builder then verifies the whole index.
  }
  const print = printOf(file);
  if (print !== null) replaceFile(dirname(file), INDEX_FILES.seal, print);
}

/** True if an index is unmodified since a builder left it. Contract: never throws. */
export function isSealed(file: string): boolean {
  const print = printOf(file);
  return print !== null && readStateFile(dirname(file), INDEX_FILES.seal, MAX_MARK_BYTES) === print;
}

/** Fingerprint of a file's state: any write, or resetting its modification time, changes it. */
function printOf(file: string): string | null {
  const stats = lstatOrNull(file);
  return stats === null ? null : `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}

function whyNoFolder(path: string): string | null {
  try {
    if (lstatOrNull(path) === null || statSync(path).isDirectory()) return null;
  } catch {
    // A dangling symlink.
  }
  return `${basename(path)} is not a folder`;
}

function besideOf(file: string, which: "seal" | "damage"): string {
  return join(dirname(file), INDEX_FILES[which]);
}

/**
 * Opens an index for writing and creates it if it is missing. Contract: throws if the file is not an index of this
 * version or on a disk error; readers keep seeing the previous state.
 */
export function openWriter(file: string): Database {
  const database = openDatabase(file, { timeout: BUSY_MS });
  try {
    database.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000`,
    );
    if (versionOf(database) === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    if (versionOf(database) !== INDEX_VERSION) throw new Error(OTHER_VERSION);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** Moves what was written into the file of an index, as far as readers allow. Contract: never throws. */
export function tryCheckpoint(database: Database): void {
  try {
    // Do not wait for current readers: the next builder finishes the checkpoint.
    database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The data stays in the WAL, which readers use as well.
  }
}

function versionOf(database: Database): number {
  const row = database.prepare("PRAGMA user_version").get() as { user_version?: number } | undefined;
  return row?.user_version ?? 0;
}

/**
 * Renames the files of an index that cannot be read, so that a new one can be built. Contract: never throws; files that
 * cannot be renamed are left.
 */
export function setIndexAside(file: string): void {
  for (const path of filesOfDatabase(file)) clearPlace(path);
  for (const which of ["seal", "damage"] as const) clearPlace(besideOf(file, which));
}

/** Removes an index from disk together with its seal and damage mark. Contract: as `removeDatabase`. */
export function removeIndex(file: string): void {
  // Remove the damage mark last: if the process is killed halfway, the remaining index is still not read.
  removeDatabase(file);
  for (const which of ["seal", "damage"] as const) removeFile(besideOf(file, which));
}

/**
 * Removes a database from disk, whatever is in its place. Contract: a process that has it open keeps its current view.
 */
export function removeDatabase(file: string): void {
  for (const path of filesOfDatabase(file)) removeFile(path);
}

function removeFile(path: string): void {
  // A folder may contain someone else's data.
  if (lstatOrNull(path)?.isDirectory() === true) clearPlace(path);
  else rmSync(path, { force: true });
}
