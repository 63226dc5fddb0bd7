import { type Database, openDatabase } from "../../base/sqlite.ts";
import { inTransaction } from "./database.ts";

/** Vectors beyond this push out the oldest; one takes a few kilobytes. */
const MOST_VECTORS = 10_000;
/** Nobody waits for another to be done: what is not kept is asked for again. */
const BUSY_MS = 100;

/**
 * Keeps vectors of texts by a hash of these. A file of its own beside the index, because whoever answers writes it, and
 * the index belongs to the builder. Contract: never throws; what cannot be kept is not.
 */
export class VectorStore {
  readonly #database: Database | null;

  constructor(file: string) {
    this.#database = openVectors(file);
  }

  /** The vector of a text; null where it is not kept. */
  get(key: string): Float32Array | null {
    try {
      const row = this.#database?.prepare("SELECT vector FROM vectors WHERE key = ?").get(key);
      return row === undefined ? null : new Float32Array((row as { vector: Uint8Array }).vector.slice().buffer);
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
          add.run(key, new Uint8Array(buffer, byteOffset, byteLength));
        database.prepare("DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?").run(MOST_VECTORS);
      });
    } catch {
      // Another process is writing, or the disk is full.
    }
  }

  close(): void {
    this.#database?.close();
  }
}

function openVectors(file: string): Database | null {
  try {
    const database = openDatabase(file, { timeout: BUSY_MS });
    database.exec("CREATE TABLE IF NOT EXISTS vectors (key TEXT UNIQUE NOT NULL, vector BLOB NOT NULL)");
    return database;
  } catch {
    // No such folder, damaged, or busy.
    return null;
  }
}
