import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { lstatOrNull } from "../base/file-facts.ts";
import { toCode } from "../base/text.ts";

/** Folder of the user's records, relative to the home folder. */
const FOLDER = ".groundwork";

/** Tells the user what to do if the folder is not safe. */
export const FOLDER_HINT = `make ~/${FOLDER} a folder that belongs to you and that only you can write (chmod go-w ~/${FOLDER})`;

/** Returns why the folder of records cannot be trusted; null if it can, or if it does not exist. */
export function doubtOfFolder(home: string): string | null {
  const folder = lstatOrNull(join(home, FOLDER));
  if (folder === null) return null;
  const doubt = folder.isDirectory() ? doubtOf(folder) : folder.isSymbolicLink() ? "is a link" : "is not a folder";
  return doubt === null ? null : `~/${FOLDER} ${doubt}`;
}

/** Returns why an entry may not be the user's own, or null. */
function doubtOf(stats: Stats): string | null {
  const self = process.geteuid?.();
  if (self !== undefined && stats.uid !== self) return "belongs to another user";
  return self !== undefined && (stats.mode & 0o022) !== 0 ? "may be written by others" : null;
}

/**
 * Reads a file that only its user can have written; returns the reason if it is rejected. Checks the opened file, not
 * its name.
 */
export function readOwnFile(path: string, maxBytes: number): Buffer | string {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (thrown) {
    return toCode(thrown) === "ELOOP" ? "is a link" : "cannot be read";
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return "is not a regular file";
    const doubt = doubtOf(stats);
    if (doubt !== null) return doubt;
    if (stats.size > maxBytes) return `is larger than ${maxBytes} bytes`;
    const bytes = Buffer.alloc(stats.size);
    for (let length = 0; length < bytes.length; ) {
      const got = readSync(fd, bytes, length, bytes.length - length, null);
      if (got === 0) return "cannot be read";
      length += got;
    }
    return bytes;
  } catch {
    return "cannot be read";
  } finally {
    closeSync(fd);
  }
}
