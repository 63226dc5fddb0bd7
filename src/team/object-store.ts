import type { Outcome } from "../contract/faults.ts";

/**
 * Where bases are published: files by name, on a disk or a server. Contract: nothing is believed that comes from it; names are
 * those of `storeNames`.
 */
export interface ObjectStore {
  /** As the user named it. */
  readonly place: string;
  /** Makes it ready to be written to. */
  readonly open: (signal: AbortSignal) => Promise<Outcome<void>>;
  /** Reads a file; null if there is none. Contract: fails if it is longer than `maxBytes`. */
  readonly get: (name: string, maxBytes: number, signal: AbortSignal) => Promise<Outcome<Buffer | null>>;
  readonly has: (name: string, signal: AbortSignal) => Promise<Outcome<boolean>>;
  /** Writes a file; readers see the old one or the new one. */
  readonly put: (name: string, bytes: Uint8Array, signal: AbortSignal) => Promise<Outcome<void>>;
  /** Writes a file unless there is one; false if there is. Of several at once exactly one writes. */
  readonly putNew: (name: string, bytes: Uint8Array, signal: AbortSignal) => Promise<Outcome<boolean>>;
  /** Removes a file if it is there. */
  readonly remove: (name: string, signal: AbortSignal) => Promise<Outcome<void>>;
}

/** Names of the files of a store. */
export const storeNames = {
  /** The newest list. */
  list: "list.json",
  /** Every list: whoever writes it first has that sequence. */
  listAt: (sequence: number) => `lists/${sequence}.json`,
  object: (sha256: string) => `objects/${sha256.slice(0, 2)}/${sha256}`,
} as const;
