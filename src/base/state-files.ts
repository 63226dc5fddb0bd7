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
import { isOurs, isOwnFolder } from "./file-facts.ts";
import { readInside, toInside } from "./jail.ts";
import { toCode, toMessage } from "./text.ts";

/** Limits on the number and age of the files kept in a folder. */
interface Keeping {
  /** True for names that we may remove: the user may have configured a folder that holds files of their own. */
  readonly isOurs: (name: string) => boolean;
  readonly most: number;
  readonly maxAgeMs: number;
  readonly nowMs: number;
}

/** Temporary file left by a process killed while writing: the target's name followed by its PID. */
const TEMPORARY = /^(.{1,200})\.\d{1,20}\.tmp$/;
const TEMPORARY_MAX_AGE_MS = 3_600_000;
/** Enough for `.cache/groundwork/sessions`, but not for the home folder: if that is missing, we do not create it. */
const MAX_NEW_FOLDERS = 3;

/** True if a folder, existing or not, lies inside `root` after resolving symlinks, or if that cannot be determined. */
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
 * Why the entry at a path may not be opened as one of our files; null for a regular file that we own, and if nothing is
 * there. Contract: never throws, opens nothing, follows no symlink.
 */
export function whyNotOurs(path: string): string | null {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    return `${basename(path)} cannot be examined (${toMessage(thrown).split(":")[0] ?? ""})`;
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

/**
 * Clears a path that we need. Symlinks, FIFOs and empty folders are removed; what may be the user's data (files and
 * non-empty folders) is renamed to `….aside`. Contract: never throws; leaves what cannot be moved.
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
    // We may not move it; the code that needs the path reports that.
  }
}

function asideOf(path: string): string {
  for (let number = 1; ; number++) {
    const name = `${path}.aside${number === 1 ? "" : `.${number}`}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

/** Clears the path of one of our folders, unless it is a folder or a symlink to one. */
export function clearFolderPlace(folder: string): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  } catch {
    // A dangling or circular symlink.
  }
  clearPlace(folder);
}

/**
 * Text of one of our files, or null. Contract: never throws, blocks or follows a symlink; null if the folder is not
 * exclusively ours, or if the file is not a regular file, longer than `maxBytes`, or not readable.
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
 * Atomically writes a file that only its owner can read. Contract: never throws; the file has either the old or the new
 * content, never a part; if it cannot be written, nothing changes. Adding a new file removes the oldest ones beyond the
 * limits of `keeping`.
 */
export function writeStateFile(folder: string, name: string, text: string | Uint8Array, keeping: Keeping): void {
  try {
    makeStateFolder(folder);
    if (isOwnFolder(folder) && whyNotOurs(join(folder, name)) !== null) clearPlace(join(folder, name));
    const isNew = !existsSync(join(folder, name));
    if (replaceFile(folder, name, text) && isNew) makeRoom(folder, name, keeping);
  } catch {
    // The state cannot be stored.
  }
}

/**
 * Creates an empty file that only one caller can create. Contract: never throws; false only if the file exists already;
 * if it cannot be stored, every caller counts as the first. Old files are removed according to `keeping`.
 */
export function claimStateFile(folder: string, name: string, keeping: Keeping): boolean {
  try {
    makeStateFolder(folder);
    if (!isOwnFolder(folder)) return true;
    writeNew(join(folder, name), "");
    makeRoom(folder, name, keeping);
    return true;
  } catch (thrown) {
    return toCode(thrown) !== "EEXIST";
  }
}

/**
 * Atomically writes a file in an existing folder, readable only by its owner. Contract: never throws; the file has
 * either the old or the new content, never a part; false if it could not be written, or if the folder is not
 * exclusively ours.
 */
export function replaceFile(folder: string, name: string, text: string | Uint8Array): boolean {
  return isOwnFolder(folder) && putInPlace(join(folder, name), text) === "";
}

/**
 * Atomically writes a file that only its owner can read. Contract: never throws; returns an empty string on success,
 * otherwise the reason; the file has either the old or the new content, never a part; a symlink is replaced, not
 * followed.
 */
export function putInPlace(path: string, text: string | Uint8Array): string {
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

/**
 * Creates a folder for our state, as private as its files. Contract: throws if the folder cannot be created, or if more
 * than `most` levels are missing.
 */
export function makeStateFolder(folder: string, most = MAX_NEW_FOLDERS): void {
  if (existsSync(folder)) return;
  if (most === 0) throw new Error("no place for state");
  // One by one: Node's recursive mkdir never returns below /proc.
  makeStateFolder(dirname(folder), most - 1);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process may have created it first.
    if (!existsSync(folder)) throw thrown;
  }
}

function writeNew(path: string, text: string | Uint8Array): void {
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
    // A younger one may still be in use by another process.
    return isOurs(stem) && ageMs > TEMPORARY_MAX_AGE_MS;
  });
  for (const { name } of [...old, ...left]) removeQuietly(join(folder, name));
}

/** Removes a file or a symlink. Contract: never throws; a file that cannot be removed stays. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Left in place; the next cleanup tries again.
  }
}
