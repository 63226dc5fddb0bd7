import { lstatSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Database, filesOfDatabase, isBusy, openDatabase, sayDatabaseError } from "../../base/sqlite.ts";
import { clearPlace, readStateFile, replaceFile, whyNotOurs } from "../../base/state-files.ts";
import { toOneLine } from "../../base/text.ts";

/** Names of the files of an index, in its folder. */
export const INDEX_FILES = {
  database: "index.db",
  lock: "builder.lock",
  vectors: "vectors.db",
  /** What the database was like when the last builder left it. */
  seal: "index.db.seal",
  /** Left by whoever finds the database damaged: why. */
  damage: "index.db.damaged",
} as const;

/** Changes whenever older indexes can no longer be read; they are then built again. */
const SCHEMA_VERSION = 4;

/**
 * Everything is written once and never changed: a file that changes comes again in a newer segment. What a file says
 * about itself (`outlines`, `parsed`, `facts`, `edges`) is kept by its path. Every value is a record with a checksum, and
 * which ones there have to be is told by others, so that one that is lost is missed.
 */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE segments (id INTEGER PRIMARY KEY, paths BLOB NOT NULL, numbers BLOB NOT NULL, stats BLOB NOT NULL, removed BLOB NOT NULL, terms BLOB NOT NULL);
  CREATE TABLE blocks (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE outlines (path TEXT PRIMARY KEY, data BLOB NOT NULL, imports BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE parsed (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE facts (path TEXT PRIMARY KEY, symbols BLOB NOT NULL, refs BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE edges (path TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE history (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
/** How long a reader or writer waits for another's short lock. */
const BUSY_MS = 2_000;
const PAGE_BYTES = 8_192;
const SEALED_AGE_S = 10;
const MAX_MARK_BYTES = 1_000;
const MAX_WHY_CHARS = 200;

/** Opens an index for reading. Contract: null where there is none, or none that can be read. */
export function openReader(file: string): Database | null {
  if (readMark(file) !== null) return null;
  try {
    const database = openDatabase(file, { readOnly: true, timeout: BUSY_MS });
    if (versionOf(database) === SCHEMA_VERSION) return database;
    database.close();
  } catch {
    // Not there, damaged, or of another version: as good as none.
  }
  return null;
}

/** Why an index that is there cannot be read; null where there is none, or nothing wrong with it. Contract: never throws. */
export function findDamage(file: string): string | null {
  const why = findObstacle(file);
  if (why !== null || lstatOrNull(file) === null) return why;
  try {
    const database = openDatabase(file, { readOnly: true, timeout: BUSY_MS });
    const version = versionOf(database);
    database.close();
    if (version === SCHEMA_VERSION || (version === 0 && !wasFinished(file))) return null;
    return `${basename(file)} is of another version`;
  } catch (thrown) {
    return isBusy(thrown) ? null : `${basename(file)}: ${sayDatabaseError(thrown)}`;
  }
}

/** As `findDamage`, as far as that can be told without opening anything. */
export function findObstacle(file: string): string | null {
  const mark = readMark(file);
  if (mark !== null) return mark;
  const folder = dirname(file);
  const odd = [...[dirname(folder), folder].map(whyNoFolder), ...filesOfDatabase(file).map(whyNotOurs)];
  const why = odd.find((found) => found !== null);
  if (typeof why === "string") return why;
  // One that was never finished may be on its way.
  return lstatOrNull(file)?.size === 0 && wasFinished(file) ? `${basename(file)} is empty` : null;
}

/** True where a builder has left an index in this place before. */
function wasFinished(file: string): boolean {
  return lstatOrNull(besideOf(file, "seal")) !== null;
}

/** Notes that an index is damaged, so that nobody reads it any more. Contract: never throws. */
export function markDamaged(file: string, why: string): void {
  const path = besideOf(file, "damage");
  if (whyNotOurs(path) === null) replaceFile(dirname(file), basename(path), toOneLine(why).slice(0, MAX_WHY_CHARS));
}

/** Why somebody found an index damaged; null where nobody did. Contract: never throws. */
export function readMark(file: string): string | null {
  const path = besideOf(file, "damage");
  if (lstatOrNull(path) === null) return null;
  return toOneLine(readStateFile(dirname(file), basename(path), MAX_MARK_BYTES) ?? "") || "marked as damaged";
}

/** Notes what an index is like when a builder leaves it. Contract: never throws. */
export function sealIndex(file: string): void {
  try {
    // Whoever writes to it later, however soon, leaves a later time.
    const atS = lstatSync(file).mtimeMs / 1_000 - SEALED_AGE_S;
    utimesSync(file, atS, atS);
  } catch {
    // Then the next builder looks through all of it.
  }
  const print = printOf(file);
  if (print !== null) replaceFile(dirname(file), INDEX_FILES.seal, print);
}

/** True where nobody has touched an index since a builder left it. Contract: never throws. */
export function isSealed(file: string): boolean {
  const print = printOf(file);
  return print !== null && readStateFile(dirname(file), INDEX_FILES.seal, MAX_MARK_BYTES) === print;
}

/** Tells one state of a file from others: whoever writes to it, or puts its time back, leaves another. */
function printOf(file: string): string | null {
  const stats = lstatOrNull(file);
  return stats === null ? null : `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}

function lstatOrNull(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function whyNoFolder(path: string): string | null {
  try {
    if (lstatOrNull(path) === null || statSync(path).isDirectory()) return null;
  } catch {
    // A link that leads nowhere.
  }
  return `${basename(path)} is not a folder`;
}

function besideOf(file: string, which: "seal" | "damage"): string {
  return join(dirname(file), INDEX_FILES[which]);
}

/**
 * Opens an index for writing, making it where it is missing. Contract: throws where the file is no index of this
 * version or the disk refuses; readers go on reading what was there before.
 */
export function openWriter(file: string): Database {
  const database = openDatabase(file, { timeout: BUSY_MS });
  try {
    database.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000`,
    );
    if (versionOf(database) === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    if (versionOf(database) !== SCHEMA_VERSION) throw new Error("the index is of another version");
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function versionOf(database: Database): number {
  const row = database.prepare("PRAGMA user_version").get() as { user_version?: number } | undefined;
  return row?.user_version ?? 0;
}

/** Removes an index from disk, and what is noted of it. Contract: as `removeDatabase`. */
export function removeIndex(file: string): void {
  // The note last: whoever is killed on the way leaves an index that nobody reads.
  removeDatabase(file);
  for (const which of ["seal", "damage"] as const) removeFile(besideOf(file, which));
}

/** Removes a database from disk, whatever stands in its place. Contract: whoever has it open goes on with what there was. */
export function removeDatabase(file: string): void {
  for (const path of filesOfDatabase(file)) removeFile(path);
}

function removeFile(path: string): void {
  // A folder may hold something of somebody's.
  if (lstatOrNull(path)?.isDirectory() === true) clearPlace(path);
  else rmSync(path, { force: true });
}
