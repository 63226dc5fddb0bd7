import { accessSync, constants, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { toCompactTime } from "../base/clock.ts";
import { lstatOrNull } from "../base/file-facts.ts";
import { sayError } from "../base/text.ts";
import { fail } from "../contract/faults.ts";

/** State of a path. */
export type FileState =
  | { readonly kind: "absent" }
  | {
      readonly kind: "file";
      /** The file itself: if the path is a symlink, its resolved target. */
      readonly target: string;
      readonly bytes: Buffer;
      readonly mode: number;
      readonly isLink: boolean;
    }
  /** An entry that cannot be read as a file. */
  | { readonly kind: "blocked"; readonly why: string };

/** Reads the state of a path, following symlinks. Contract: never throws. */
export function readFileState(path: string): FileState {
  const found = lstatOrNull(path);
  if (found === null) return { kind: "absent" };
  const isLink = found.isSymbolicLink();
  try {
    const target = isLink ? realpathSync(path) : path;
    const stats = statSync(target);
    if (!stats.isFile()) return { kind: "blocked", why: "is not a regular file" };
    return { kind: "file", target, bytes: readFileSync(target), mode: stats.mode & 0o7777, isLink };
  } catch (thrown) {
    return {
      kind: "blocked",
      why: isLink ? "is a link that leads to no readable file" : `cannot be read: ${sayError(thrown)}`,
    };
  }
}

/** Returns the fault for a path that cannot be read as a file. */
export function unreadable(path: string, why: string) {
  return fail("E_CONFIG", `${path}: ${why}; nothing was changed; make it a readable file, then run this again`);
}

function statOrNull(path: string) {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** Returns the target of a symlink as written, or null if the path is not a symlink. */
export function readLinkOrNull(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** True if both paths lead to the same file. Contract: never throws. */
export function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

/** Returns why a folder's files cannot be changed; null if they can, or if the folder could be created. */
export function whyNotWritable(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const stats = statOrNull(at);
    if (stats === null && lstatOrNull(at) === null && dirname(at) !== at) continue;
    if (stats === null || !stats.isDirectory()) return `${at} is not a folder`;
    try {
      accessSync(at, constants.W_OK | constants.X_OK);
      return null;
    } catch (thrown) {
      return `no permission to write in ${at} (${sayError(thrown)})`;
    }
  }
}

/** Returns the folders that must be created for a file at `path`, outermost first. */
export function findMissingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let at = dirname(path); lstatOrNull(at) === null && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  return missing;
}

/** Returns `<path>.backup.<YYYYmmddHHMMSS>` (UTC). Contract: unused; if it is taken, the time is advanced. */
export function toBackupPath(path: string, nowMs: number): string {
  return toFreePath(nowMs, (time) => `${path}.backup.${time}`);
}

/** Returns a name based on the time, `YYYYmmddHHMMSS` in UTC. Contract: as for `toBackupPath`. */
export function toFreePath(nowMs: number, toName: (time: string) => string): string {
  for (let ms = nowMs; ; ms += 1_000) {
    const name = toName(toCompactTime(ms).replace("-", ""));
    if (lstatOrNull(name) === null) return name;
  }
}
