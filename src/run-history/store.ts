import { closeSync, constants, existsSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Database,
  filesOfDatabase,
  inTransaction,
  isBusy,
  isSystemTrouble,
  openDatabase,
  sayDatabaseError,
} from "../base/sqlite.ts";
import { clearPlace, makeStateFolder } from "../base/state-files.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";

/** File of the store in the history folder. */
export const STORE = "history.db";
/** Matches the names of stores that were set aside as damaged. */
const ASIDE = /^history\.db(?:-journal)?\.aside(?:\.\d+)?$/;
/** Maximum time that a process waits for a lock. */
const BUSY_MS = 3_000;

/** Each entry migrates a store to the next version. Contract: entries are only ever appended. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE runs (
     key TEXT PRIMARY KEY, at INTEGER NOT NULL, run_id TEXT NOT NULL, repo TEXT NOT NULL, door TEXT NOT NULL,
     client TEXT NOT NULL, intent TEXT NOT NULL, outcome TEXT NOT NULL, injected_chars INTEGER NOT NULL,
     duration_ms REAL NOT NULL, tools TEXT NOT NULL, limits TEXT NOT NULL, prompt TEXT NOT NULL, hash TEXT NOT NULL,
     verdict TEXT
   ) WITHOUT ROWID;
   CREATE INDEX runs_by_id ON runs (run_id);
   CREATE TABLE details (key TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;`,
  // Figures of runs for a team: see figure-book.ts.
  `ALTER TABLE runs ADD COLUMN codes TEXT NOT NULL DEFAULT '[]';
   ALTER TABLE runs ADD COLUMN failed TEXT NOT NULL DEFAULT '[]';
   ALTER TABLE runs ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE sharing (
     id INTEGER PRIMARY KEY CHECK (id = 1), since INTEGER NOT NULL, tried_at INTEGER NOT NULL DEFAULT 0,
     sent_at INTEGER NOT NULL DEFAULT 0, trouble TEXT NOT NULL DEFAULT ''
   );
   CREATE TABLE batches (id TEXT PRIMARY KEY, at INTEGER NOT NULL, days TEXT NOT NULL) WITHOUT ROWID;`,
  // Runs kept so far named no reason: it was nearly always their only limit, or else the last.
  `ALTER TABLE runs ADD COLUMN reason TEXT NOT NULL DEFAULT '';
   UPDATE runs SET reason = coalesce(limits ->> '$[#-1]', '') WHERE outcome = 'silent';`,
];

/** Version of a store after it has been opened. */
export const STORE_VERSION = MIGRATIONS.length;

/**
 * Opens the store of a folder and migrates it to this version. Contract: never throws; a damaged store is set aside and
 * replaced by a new one; one that was written by a newer program is left unchanged and reported as a fault.
 */
export function openRunStore(folder: string): Outcome<Database> {
  const file = join(folder, STORE);
  for (let tried = 0; ; tried++) {
    try {
      makeStateFolder(folder);
      makePrivate(file);
      const database = openDatabase(file, { timeout: BUSY_MS });
      try {
        const version = prepare(database);
        if (version <= MIGRATIONS.length) return succeed(database);
        database.close();
        return fail("E_CONFIG", `the history was written by a newer version (${version})`, "update groundwork");
      } catch (thrown) {
        database.close();
        throw thrown;
      }
    } catch (thrown) {
      if (isBusy(thrown) || isSystemTrouble(thrown) || tried > 0 || !existsSync(file)) return toHistoryFault(thrown);
      setAside(folder);
    }
  }
}

/** Converts an exception of the database to a fault. */
export function toHistoryFault(thrown: unknown): Extract<Outcome<never>, { readonly ok: false }> {
  if (isBusy(thrown)) return fail("E_TIMEOUT", "another process is writing the history", "try again");
  return fail("E_CONFIG", `the history cannot be used: ${sayDatabaseError(thrown)}`, "see groundwork doctor");
}

/** Creates the file before SQLite does, accessible only to its owner whatever the umask is. */
function makePrivate(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  closeSync(openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600));
}

/** Moves an unreadable store out of the way. Contract: never throws. */
export function setAside(folder: string): void {
  for (const path of filesOfDatabase(join(folder, STORE))) clearPlace(path);
}

/** Returns the names of stores that were set aside. Contract: never throws. */
export function listAside(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => ASIDE.test(name));
  } catch {
    return [];
  }
}

/** Prepares the store and returns its version. */
function prepare(database: Database): number {
  // Deleted data is overwritten, the journal is truncated after every change, and no copies are written elsewhere.
  database.exec("PRAGMA secure_delete = ON; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL");
  database.exec("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF");
  const read = () => Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  // Takes effect only on a new file: the file shrinks when data is deleted.
  if (read() === 0) database.exec("PRAGMA auto_vacuum = FULL");
  if (read() < MIGRATIONS.length)
    inTransaction(database, () => {
      // Another process may have been faster.
      for (let version = read(); version < MIGRATIONS.length; version++) {
        database.exec(MIGRATIONS[version] ?? "");
        database.exec(`PRAGMA user_version = ${version + 1}`);
      }
    });
  // Fails for a file that only looks like a store.
  database.prepare("SELECT count(*) FROM runs").get();
  return read();
}
