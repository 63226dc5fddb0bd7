import { type Database, inTransaction, isBusy, openDatabase } from "../../base/sqlite.ts";
import { removeDatabase } from "./database.ts";
import { isDamage } from "./records.ts";
import { seal, unseal } from "./sealed.ts";

/** Vectors beyond this push out the oldest; one takes a few kilobytes. */
const MOST_VECTORS = 10_000;
/** Nobody waits for another to be done: what is not kept is asked for again. */
const BUSY_MS = 100;

/**
 * Keeps vectors of texts by a hash of these. A file of its own beside the index, because whoever answers writes it, and
 * the index belongs to the builder. Contract: never throws; what cannot be kept is not.
 */
export class VectorStore {
  readonly #file: string;
  #database: Database | null;

  constructor(file: string) {
    this.#file = file;
    this.#database = openVectors(file);
  }

  /** The vector of a text; null where it is not kept. */
  get(key: string): Float32Array | null {
    try {
      const row = this.#database?.prepare("SELECT vector FROM vectors WHERE key = ?").get(key);
      if (row === undefined) return null;
      return new Float32Array(unseal(key, (row as { vector: unknown }).vector).slice().buffer);
    } catch {
      return null;
    }
  }

  /** Keeps vectors by their keys. */
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
      // Else another process is writing, or the disk is full.
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

/** What cannot be opened and is not busy is damaged, and begun anew: all that is in it can be asked for again. */
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
    // No such folder, or not ours to change.
  }
}
