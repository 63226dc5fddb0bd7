import type { Outcome } from "../../contract/faults.ts";

/** An entry of ours in a user's file. */
export interface FoundEntry {
  /** The event that it answers; empty for one that answers none. */
  readonly event: string;
  /** What it runs, as it is written there. */
  readonly command: string;
  /** Its time limit; null if it has none. */
  readonly timeoutMs: number | null;
  /** Numbers of its group and of the handler in it, `0:0`; of its table in TOML. */
  readonly position: string;
  /** False if another version or place of ours wrote it. */
  readonly isCurrent: boolean;
}

/** A user's file with our entry. */
export interface EntryAdded {
  /** The complete new text; unchanged if the entry was there as it should be. */
  readonly text: string;
  /** Names of the containers around it that did not exist before. */
  readonly made: readonly string[];
  /** True if an entry of ours was there already. */
  readonly found: boolean;
  /** JSON text of the time limit that was corrected, "" if there was none; null if it was right. */
  readonly timeoutBefore: string | null;
  /** What the user should know; usually empty. */
  readonly notes: readonly string[];
}

/**
 * Finds, adds and removes our entry in the text of one of the user's files. Contract: pure; all other bytes are kept; a
 * file that cannot be parsed is a fault that names it.
 */
export interface EntryEditor {
  readonly find: (path: string, bytes: Buffer) => Outcome<readonly FoundEntry[]>;
  /** `bytes` is null for a file that does not exist. */
  readonly add: (path: string, bytes: Buffer | null) => Outcome<EntryAdded>;
  /** Removes every entry of ours, and of `made` what it leaves empty. */
  readonly remove: (path: string, bytes: Buffer, made: readonly string[]) => Outcome<string>;
  /** Gives an entry that was not ours its time limit back; null: it was not changed. */
  readonly restoreTimeout: (path: string, bytes: Buffer, timeoutBefore: string | null) => Outcome<string>;
  /** True for a text that holds nothing but what the installer made. */
  readonly isBlank: (text: string) => boolean;
}

/** Splits off the byte order mark. */
export function splitBom(content: string): { readonly bom: string; readonly body: string } {
  const bom = content.startsWith("\uFEFF") ? "\uFEFF" : "";
  return { bom, body: content.slice(bom.length) };
}
