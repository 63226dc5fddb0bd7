import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { toInside } from "../base/jail.ts";
import { isRecord, parseObject, toCode } from "../base/text.ts";
import { homeFolder, OFF_FILE } from "./places.ts";

/** An entry of the `groundwork off` record. */
export interface OffEntry {
  /** Real path of the folder in which nothing may run; null for everywhere. */
  readonly root: string | null;
  /** Time at which it expires, ISO 8601; null for never. */
  readonly until: string | null;
  /** Time at which it was recorded, ISO 8601. */
  readonly at: string;
}

/** The record of `groundwork off`. */
export interface OffBook {
  readonly path: string;
  readonly entries: readonly OffEntry[];
  /** Why an existing record cannot be read, in which case everything counts as off; null if it can be read. */
  readonly damage: string | null;
  /** Content of the file; null if there is none or it cannot be read. */
  readonly text: string | null;
}

/** Why nothing runs automatically in a place. */
export interface SwitchedOff extends Pick<OffEntry, "root" | "until"> {
  readonly damage: string | null;
}

/** Maximum size of the record in bytes. */
export const MAX_OFF_BYTES = 256 * 1024;

/**
 * Reads the record in a home folder. Contract: never throws; never blocks; a record that exists but cannot be read
 * completely is damaged. Its owner is not checked, because the record can only switch things off.
 */
export function readOffBook(home: string): OffBook {
  const path = join(home, OFF_FILE);
  const book = { path, entries: [], damage: null, text: null };
  let text: string;
  try {
    // Runs at every prompt, so a missing file must not cost an exception.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return book;
    const read = readSmall(path);
    if (read === null) return { ...book, damage: `~/${OFF_FILE} is not a file of at most ${MAX_OFF_BYTES} bytes` };
    text = read;
  } catch (thrown) {
    // A component of the path is a file, so there is no record.
    if (toCode(thrown) === "ENOTDIR") return book;
    return { ...book, damage: `~/${OFF_FILE} cannot be read (${toCode(thrown)})` };
  }
  const { version, off } = parseObject(text) ?? {};
  if (version !== 1 || !Array.isArray(off) || !off.every(isEntry))
    return { ...book, text, damage: `~/${OFF_FILE} is not a whole record of version 1` };
  return { ...book, text, entries: off };
}

/** Serialises a record. */
export function toOffText(entries: readonly OffEntry[]): string {
  return `${JSON.stringify({ version: 1, off: entries }, null, 2)}\n`;
}

/** True if an entry has not expired. */
export function isCurrent({ until }: OffEntry, nowMs: number): boolean {
  return until === null || Date.parse(until) > nowMs;
}

/**
 * Returns the entry that switches everything off for a repository, or null; without a root, only an entry that applies
 * everywhere. Contract: never throws; a damaged record counts as off everywhere.
 */
export function findOff(env: Environment, root: string | null, nowMs: number): SwitchedOff | null {
  const home = homeFolder(env);
  if (home === null) return null;
  const { entries, damage } = readOffBook(home);
  if (damage !== null) return { root: null, until: null, damage };
  const current = entries.filter((entry) => isCurrent(entry, nowMs));
  const found = current.find((entry) => entry.root === null) ?? current.find((entry) => isAbout(entry, root));
  return found === undefined ? null : { root: found.root, until: found.until, damage: null };
}

/** Describes what switched it off, as a command. */
export function describeOff({ root, until, damage }: SwitchedOff): `groundwork off${string}` {
  if (damage !== null) return `groundwork off: ${damage}`;
  return `groundwork off${root === null ? "" : " --repo"}${until === null ? "" : ` until ${until}`}`;
}

function isAbout(entry: OffEntry, root: string | null): boolean {
  return entry.root !== null && root !== null && toInside(entry.root, root) !== null;
}

/** Reads a small file; null for anything else. Throws if it cannot be opened. */
function readSmall(path: string): string | null {
  // Non-blocking: a pipe in its place must not hold up a prompt.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= MAX_OFF_BYTES ? readFileSync(fd, "utf8") : null;
  } finally {
    closeSync(fd);
  }
}

function isEntry(value: unknown): value is OffEntry {
  if (!isRecord(value)) return false;
  const { root, until, at } = value;
  const isTime = (text: unknown) => typeof text === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text);
  return (
    (root === null || (typeof root === "string" && isAbsolute(root))) && (until === null || isTime(until)) && isTime(at)
  );
}
