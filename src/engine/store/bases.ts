import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { readStateFile, replaceFile } from "../../base/state-files.ts";
import { hasOwnSchema, markDamaged, openReader, readMark } from "./database.ts";
import type { Base } from "./layers.ts";
import { Records } from "./records.ts";
import { IndexDamage } from "./sealed.ts";

/** File names of a base: one file with everything, or one with the words and one with the code. */
export const BASE_FILES = { whole: "base.db", text: "text.db", code: "code.db" } as const;

/** Valid names of bases, which are also names of folders. */
const NAME = /^[0-9a-z-]{8,80}$/;

/**
 * The folder of all bases that an index in `indexFolder` may be laid over. All indexes of a state folder share them.
 */
export function basesFolder(indexFolder: string): string {
  return join(dirname(dirname(indexFolder)), "bases");
}

/** The folder of one base. */
export function baseFolder(indexFolder: string, name: string): string {
  return join(basesFolder(indexFolder), name);
}

/** Opens the bases of an index. Contract: throws `IndexDamage` if one is missing or cannot be read. */
export function openBases(indexFolder: string, names: readonly string[]): Base[] {
  const opened: Base[] = [];
  try {
    for (const name of names) opened.push(openBase(indexFolder, name));
    return opened;
  } catch (thrown) {
    closeBases(opened);
    throw thrown;
  }
}

function openBase(indexFolder: string, name: string): Base {
  if (!NAME.test(name)) throw new IndexDamage("a base has an impossible name");
  const folder = baseFolder(indexFolder, name);
  const whole = openRecords(join(folder, BASE_FILES.whole));
  if (whole !== null) return { name, text: whole, code: whole };
  const text = openRecords(join(folder, BASE_FILES.text));
  if (text === null) throw new IndexDamage(`the base ${name} is missing`);
  return { name, text, code: openRecords(join(folder, BASE_FILES.code)), unconfirmed: readUnconfirmed(folder) };
}

function openRecords(file: string): Records | null {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
  const database = openReader(file);
  if (database === null) {
    const mark = readMark(file);
    throw new IndexDamage(mark === null ? "a base cannot be read" : `a base was put aside: ${mark}`);
  }
  if (!hasOwnSchema(database)) {
    database.close();
    markDamaged(file, "it has unexpected tables");
    throw new IndexDamage("a base has unexpected tables");
  }
  const records = new Records(database);
  records.onDamage((why) => markDamaged(file, why));
  return records;
}

/** Marker file of a base from elsewhere that was compared with files here. */
const PROVEN = "proven";

/** True if a base was compared with files on this machine before. */
export function wasProven(indexFolder: string, name: string): boolean {
  return existsSync(join(baseFolder(indexFolder, name), PROVEN));
}

/** Records that a base was compared. Contract: never throws. */
export function markProven(indexFolder: string, name: string): void {
  replaceFile(baseFolder(indexFolder, name), PROVEN, "");
}

/** Lists the files of a base that have not been compared with its data yet; all others match. */
const UNCONFIRMED = "unconfirmed.json";
const MOST_UNCONFIRMED_BYTES = 100_000;

/** Records that all files of a base match its data, except the given ones. Contract: never throws. */
export function markConfirmed(indexFolder: string, name: string, unconfirmed: readonly string[]): void {
  const text = JSON.stringify(unconfirmed);
  if (text.length < MOST_UNCONFIRMED_BYTES) replaceFile(baseFolder(indexFolder, name), UNCONFIRMED, text);
}

/** Files of a base that must be compared before their data is shown; null means all. Contract: never throws. */
function readUnconfirmed(folder: string): ReadonlySet<string> | null {
  const text = readStateFile(folder, UNCONFIRMED, MOST_UNCONFIRMED_BYTES);
  try {
    const paths: unknown = text === null ? null : JSON.parse(text);
    return Array.isArray(paths) ? new Set(paths.map(String)) : null;
  } catch {
    return null;
  }
}

/** Closes bases. */
export function closeBases(bases: readonly Base[]): void {
  for (const { text, code } of bases) {
    text.database.close();
    if (code !== text) code?.database.close();
  }
}
