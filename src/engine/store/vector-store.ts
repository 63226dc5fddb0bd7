import { type Database, inTransaction, isBusy, openDatabase } from "../../base/sqlite.ts";
import { removeDatabase } from "./database.ts";
import { isDamage } from "./records.ts";
import { seal, unseal } from "./sealed.ts";

/** Maximum number of vectors; the oldest are evicted. One vector takes a few kilobytes. */
const MOST_VECTORS = 10_000;
/** A short lock timeout: a vector that cannot be cached is simply requested again. */
const BUSY_MS = 100;

/**
 * Caches text vectors by a hash of the text. Uses a separate file next to the index, because it is written while
 * answering, whereas only the builder writes the index. Contract: never throws; vectors that cannot be stored are
 * dropped.
 */
export class VectorStore {
  readonly #file: string;
  #database: Database | null;

  constructor(file: string) {
    this.#file = file;
    this.#database = openVectors(file);
  }

  /** The vector stored under a key; null if there is none. */
  get(key: string): Float32Array | null {
    try {
      const row = this.#database?.prepare("SELECT vector FROM vectors WHERE key = ?").get(key);
      if (row === undefined) return null;
      return new Float32Array(unseal(key, (row as { vector: unknown }).vector).slice().buffer);
    } catch {
      return null;
    }
  }

  /** Stores vectors by key. */
  put(vectors: ReadonlyMap<string, Float32Array>): void {
    const database = this.#database;
    if (database === null) return;
    try {
      inTransaction(database, () => {
        const add = database.prepare("INSERT OR REPLACE INTO vectors (key, vector) VALUES (?, ?)");
        for (const [key, { buffer, byteOffset, byteLength }] of vectors)
          add.run(key, seal(key, new Uint8Array(buffer, byteOffset, byteLength)));
        database.prepare("DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?").run(MOST_VECTORS);
      });
    } catch (thrown) {
      // Otherwise another process is writing, or the disk is full.
      if (isDamage(thrown)) this.#giveUp();
    }
  }

  close(): void {
    this.#database?.close();
  }

  #giveUp(): void {
    this.#database?.close();
    this.#database = null;
    removeQuietly(this.#file);
  }
}

/**
 * Opens the cache. A file that cannot be opened and is not locked is damaged and recreated, since all vectors can be
 * requested again.
 */
function openVectors(file: string, isAgain = false): Database | null {
  try {
    const database = openDatabase(file, { timeout: BUSY_MS });
    database.exec("CREATE TABLE IF NOT EXISTS vectors (key TEXT UNIQUE NOT NULL, vector BLOB NOT NULL)");
    return database;
  } catch (thrown) {
    if (isAgain || isBusy(thrown)) return null;
    removeQuietly(file);
    return openVectors(file, true);
  }
}

function removeQuietly(file: string): void {
  try {
    removeDatabase(file);
  } catch {
    // The folder does not exist or is not writable.
  }
}
