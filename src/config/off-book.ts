import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { toInside } from "../base/jail.ts";
import { isRecord, parseObject, toCode } from "../base/text.ts";
import { homeFolder, OFF_FILE } from "./places.ts";

/** One thing that `groundwork off` was told. */
export interface OffEntry {
  /** Real path of the folder in which nothing is to run; null means everywhere. */
  readonly root: string | null;
  /** When it is over by itself, ISO 8601; null means never. */
  readonly until: string | null;
  /** When it was told. */
  readonly at: string;
}

/** The record of `groundwork off`. */
export interface OffBook {
  readonly path: string;
  readonly entries: readonly OffEntry[];
  /** Why the record, which is there, says nothing; null where it can be read. Then everything counts as off. */
  readonly damage: string | null;
  /** What the file holds; null where there is none or it cannot be read. */
  readonly text: string | null;
}

/** Why nothing runs by itself in a place. */
export interface SwitchedOff extends Pick<OffEntry, "root" | "until"> {
  readonly damage: string | null;
}

/** Most bytes of the record. */
export const MAX_OFF_BYTES = 256 * 1024;

/**
 * Reads the record in a home folder. Contract: never throws, never blocks; a record that is there and cannot be read whole
 * is damaged. Whose it is does not matter: whoever may write here can switch nothing on.
 */
export function readOffBook(home: string): OffBook {
  const path = join(home, OFF_FILE);
  const book = { path, entries: [], damage: null, text: null };
  let text: string;
  try {
    // What every prompt asks must not cost an exception.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return book;
    const read = readSmall(path);
    if (read === null) return { ...book, damage: `~/${OFF_FILE} is not a file of at most ${MAX_OFF_BYTES} bytes` };
    text = read;
  } catch (thrown) {
    // In place of the folder there is a file.
    if (toCode(thrown) === "ENOTDIR") return book;
    return { ...book, damage: `~/${OFF_FILE} cannot be read (${toCode(thrown)})` };
  }
  const { version, off } = parseObject(text) ?? {};
  if (version !== 1 || !Array.isArray(off) || !off.every(isEntry))
    return { ...book, text, damage: `~/${OFF_FILE} is not a whole record of version 1` };
  return { ...book, text, entries: off };
}

/** The text of a record. */
export function toOffText(entries: readonly OffEntry[]): string {
  return `${JSON.stringify({ version: 1, off: entries }, null, 2)}\n`;
}

/** True where an entry still counts. */
export function isCurrent({ until }: OffEntry, nowMs: number): boolean {
  return until === null || Date.parse(until) > nowMs;
}

/**
 * What switches everything off in a repository, or null; without one, what does so everywhere. Contract: never throws; a
 * damaged record counts as off everywhere.
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

/** What switched it off, as the command that did. */
export function describeOff({ root, until, damage }: SwitchedOff): `groundwork off${string}` {
  if (damage !== null) return `groundwork off: ${damage}`;
  return `groundwork off${root === null ? "" : " --repo"}${until === null ? "" : ` until ${until}`}`;
}

function isAbout(entry: OffEntry, root: string | null): boolean {
  return entry.root !== null && root !== null && toInside(entry.root, root) !== null;
}

/** Text of a small file; null for anything else. Throws where it cannot be opened. */
function readSmall(path: string): string | null {
  // Without waiting: a pipe in its place must not hold up a prompt.
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
