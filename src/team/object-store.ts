import type { Outcome } from "../contract/faults.ts";

/**
 * Store in which bases are published: named files, on a disk or a server. Contract: its content is untrusted; names are
 * those of `storeNames`.
 */
export interface ObjectStore {
  /** The location as the user wrote it. */
  readonly place: string;
  /** Prepares the store for writing. */
  readonly open: (signal: AbortSignal) => Promise<Outcome<void>>;
  /** Reads a file; null if it does not exist. Contract: fails if it is longer than `maxBytes`. */
  readonly get: (name: string, maxBytes: number, signal: AbortSignal) => Promise<Outcome<Buffer | null>>;
  /** Writes a file atomically: readers see the old content or the new. */
  readonly put: (name: string, bytes: Uint8Array, signal: AbortSignal) => Promise<Outcome<void>>;
  /** Writes a file unless it exists; false if it does. Of several concurrent writers exactly one succeeds. */
  readonly putNew: (name: string, bytes: Uint8Array, signal: AbortSignal) => Promise<Outcome<boolean>>;
  /** Removes a file if it exists. */
  readonly remove: (name: string, signal: AbortSignal) => Promise<Outcome<void>>;
}

/** Names of the files of a store. */
export const storeNames = {
  /** The newest list. */
  list: "list.json",
  /** Every list ever written: the first writer of a sequence number owns it. */
  listAt: (sequence: number) => `lists/${sequence}.json`,
  object: (sha256: string) => `objects/${sha256.slice(0, 2)}/${sha256}`,
} as const;
