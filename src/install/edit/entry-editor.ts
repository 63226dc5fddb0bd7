import type { Outcome } from "../../contract/faults.ts";

/** An entry of ours in a user's file. */
export interface FoundEntry {
  /** The event that it handles; empty for an entry without an event. */
  readonly event: string;
  /** The command that it runs, as written in the file. */
  readonly command: string;
  /** Its time limit; null if it has none. */
  readonly timeoutMs: number | null;
  /** Indices of its group and of the handler in the group, `0:0`; in TOML the index of its table. */
  readonly position: string;
  /** False if it was written by another version or for another location of our program. */
  readonly isCurrent: boolean;
}

/** Original time limits by event, each as written in the file, "" if there was none. */
export type OldTimeouts = Readonly<Record<string, string>>;

/** Result of adding our entry to a user's file. */
export interface EntryAdded {
  /** The complete new text; unchanged if the entry was already up to date. */
  readonly text: string;
  /** Names of the containers around it that did not exist before. */
  readonly made: readonly string[];
  /** True if an entry of ours existed already. */
  readonly found: boolean;
  /** Time limits before they were corrected; null if all were right. */
  readonly timeoutBefore: OldTimeouts | null;
  /** What the user should know; usually empty. */
  readonly notes: readonly string[];
}

/**
 * Finds, adds and removes our entry in the text of one of the user's files. Contract: pure; all other bytes are
 * preserved; a file that cannot be parsed is a fault that names it.
 */
export interface EntryEditor {
  readonly find: (path: string, bytes: Buffer) => Outcome<readonly FoundEntry[]>;
  /** `bytes` is null for a file that does not exist. */
  readonly add: (path: string, bytes: Buffer | null) => Outcome<EntryAdded>;
  /** Removes all entries of ours, and the containers in `made` that become empty. */
  readonly remove: (path: string, bytes: Buffer, made: readonly string[]) => Outcome<string>;
  /** Restores the time limits of an entry that was not ours; null if none was changed. */
  readonly restoreTimeout: (path: string, bytes: Buffer, timeoutBefore: OldTimeouts | null) => Outcome<string>;
  /** True for a text that contains nothing but what the installer created. */
  readonly isBlank: (text: string) => boolean;
}

/** The line break that a text uses; a line feed if it has only one line. */
export function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

/** Splits off the byte order mark. */
export function splitBom(content: string): { readonly bom: string; readonly body: string } {
  const bom = content.startsWith("\uFEFF") ? "\uFEFF" : "";
  return { bom, body: content.slice(bom.length) };
}
