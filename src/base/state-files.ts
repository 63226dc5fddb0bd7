import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readInside, toInside } from "./jail.ts";
import { toMessage } from "./text.ts";

/** How many files of a folder are kept, and how long. */
export interface Keeping {
  /** Names that are ours to remove: the user may have pointed us at a folder with files of their own. */
  readonly isOurs: (name: string) => boolean;
  readonly most: number;
  readonly maxAgeMs: number;
  readonly nowMs: number;
}

/** What a process that was killed while it wrote leaves behind: the file's name, and its own number. */
const TEMPORARY = /^(.{1,200})\.\d{1,20}\.tmp$/;
const TEMPORARY_MAX_AGE_MS = 3_600_000;
/** `.cache/groundwork/sessions`, but never the home itself: where that is missing, it is not ours to make. */
const MAX_NEW_FOLDERS = 3;

/** True where a folder, there or not yet, lies inside `root` once links are followed, or where that cannot be told. */
export function liesInside(folder: string, root: string): boolean {
  const missing: string[] = [];
  for (let at = resolve(folder); ; at = dirname(at)) {
    try {
      return toInside(root, join(realpathSync(at), ...missing)) !== null;
    } catch {
      if (dirname(at) === at) return true;
      missing.unshift(basename(at));
    }
  }
}

/**
 * Why what stands at a path may not be opened as a file of ours; null for a regular file of ours, and for nothing at all.
 * Contract: never throws, opens nothing, follows no link.
 */
export function whyNotOurs(path: string): string | null {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    return `${basename(path)} cannot be looked at (${toMessage(thrown).split(":")[0] ?? ""})`;
  }
  if (stats === undefined) return null;
  if (!stats.isFile()) return `${basename(path)} is ${kindOf(stats)}, not a regular file`;
  return isOurs(stats) ? null : `${basename(path)} belongs to another user`;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isSymbolicLink()) return "a link";
  return stats.isFIFO() ? "a pipe" : "something else";
}

function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/**
 * Takes what does not belong there out of a place of ours: links, pipes and empty folders are removed; what may be
 * somebody's, files and folders with something in them, is kept beside it as `….aside`. Contract: never throws; what cannot
 * be moved stays.
 */
export function clearPlace(path: string): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    const isSomebodys = stats.isFile() || (stats.isDirectory() && readdirSync(path).length > 0);
    if (isSomebodys) renameSync(path, asideOf(path));
    else if (stats.isDirectory()) rmdirSync(path);
    else unlinkSync(path);
  } catch {
    // Not ours to move; whoever needs the place says so.
  }
}

function asideOf(path: string): string {
  for (let number = 1; ; number++) {
    const name = `${path}.aside${number === 1 ? "" : `.${number}`}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

/** Clears the place of a folder of ours where something stands that is none, not even at the end of a link. */
export function clearFolderPlace(folder: string): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  } catch {
    // A link that leads nowhere, or in circles.
  }
  clearPlace(folder);
}

/**
 * Text of a file of ours, or null. Contract: never throws, blocks or follows a link; null where the folder is not our
 * own or the file is no regular one, longer than `maxBytes`, or not readable.
 */
export function readStateFile(folder: string, name: string, maxBytes: number): string | null {
  if (!isOwnFolder(folder)) return null;
  try {
    const real = realpathSync(folder);
    const file = readInside(real, join(real, name), maxBytes);
    return file.ok && !file.value.cut ? file.value.text : null;
  } catch {
    return null;
  }
}

/**
 * Puts a text in the place of a file, readable for its owner alone. Contract: never throws; the file is the old one or
 * the new one, never a part; where it cannot be written nothing changes. A new file makes room: the oldest go.
 */
export function writeStateFile(folder: string, name: string, text: string, keeping: Keeping): void {
  try {
    makeFolders(folder, MAX_NEW_FOLDERS);
    if (isOwnFolder(folder) && whyNotOurs(join(folder, name)) !== null) clearPlace(join(folder, name));
    const isNew = !existsSync(join(folder, name));
    if (replaceFile(folder, name, text) && isNew) makeRoom(folder, name, keeping);
  } catch {
    // No place for state.
  }
}

/**
 * Puts a text in the place of a file of a folder that is there, readable for its owner alone. Contract: never throws; the
 * file is the old one or the new one, never a part; false where it could not be written, and where the folder is not
 * our own.
 */
export function replaceFile(folder: string, name: string, text: string): boolean {
  return isOwnFolder(folder) && putInPlace(join(folder, name), text) === "";
}

/**
 * Puts a text in the place of a file, readable for its owner alone. Contract: never throws; empty where it went well, else why
 * not; the file is the old one or the new one, never a part; a link is replaced, not followed.
 */
export function putInPlace(path: string, text: string): string {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeNew(temporary, text);
    renameSync(temporary, path);
    return "";
  } catch (thrown) {
    removeQuietly(temporary);
    return toMessage(thrown);
  }
}

/** Step by step: Node's own recursive mkdir never returns below /proc. Throws where too much is missing. */
function makeFolders(folder: string, most: number): void {
  if (existsSync(folder)) return;
  if (most === 0) throw new Error("no place for state");
  makeFolders(dirname(folder), most - 1);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another prompt may have been faster.
    if (!existsSync(folder)) throw thrown;
  }
}

/** True for a real folder that belongs to us and that nobody else may write to. Contract: never throws. */
export function isOwnFolder(folder: string): boolean {
  try {
    const stats = lstatSync(folder);
    return stats.isDirectory() && isOurs(stats) && (stats.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

function writeNew(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

function makeRoom(folder: string, written: string, { isOurs, most, maxAgeMs, nowMs }: Keeping): void {
  const files = readdirSync(folder).flatMap((name) => {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return stats?.isFile() ? [{ name, ageMs: nowMs - stats.mtimeMs }] : [];
  });
  const old = files
    .filter(({ name }) => isOurs(name) && name !== written)
    .sort((a, b) => a.ageMs - b.ageMs || (a.name < b.name ? -1 : 1))
    .filter(({ ageMs }, at) => at >= most - 1 || ageMs > maxAgeMs);
  const left = files.filter(({ name, ageMs }) => {
    const [, stem = ""] = TEMPORARY.exec(name) ?? [];
    // Younger ones may still be written by another process.
    return isOurs(stem) && ageMs > TEMPORARY_MAX_AGE_MS;
  });
  for (const { name } of [...old, ...left]) removeQuietly(join(folder, name));
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays; the next one that makes room tries again.
  }
}
