import { unpackText } from "./catalogue.ts";
import type { Records } from "./records.ts";
import { seal, unseal } from "./sealed.ts";

/** Single values of an index, by key. Contract: as `Records`; each has a checksum that is verified on reading. */
export class Meta {
  readonly #records: Records;

  constructor(records: Records) {
    this.#records = records;
  }

  /** The value of a key; null if there is none. */
  get(key: string): Uint8Array | null {
    const row = this.#records.get("SELECT value FROM meta WHERE key = ?", key);
    return row === undefined ? null : this.#records.read(() => unseal(key, row["value"]));
  }

  /** Sets a value. Contract: part of the caller's transaction. */
  set(key: string, bytes: Uint8Array): void {
    this.#records.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, seal(key, bytes));
  }

  /** The value of a key that was set by `setJson`; null if there is none. */
  getJson<T>(key: string): T | null {
    const bytes = this.get(key);
    return bytes === null ? null : (JSON.parse(unpackText(bytes)) as T);
  }

  /** Sets a value as JSON. Contract: as `set`. */
  setJson(key: string, value: unknown): void {
    this.set(key, Buffer.from(JSON.stringify(value)));
  }

  /** Removes a value. Contract: as `set`. */
  remove(key: string): void {
    this.#records.run("DELETE FROM meta WHERE key = ?", key);
  }
}
