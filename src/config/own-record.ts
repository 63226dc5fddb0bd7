import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { toCode } from "../base/text.ts";

/** The folder of the user's records, in the home folder. */
const FOLDER = ".groundwork";

/** What to do where it is not safe. */
export const FOLDER_HINT = `make ~/${FOLDER} a folder of your own that nobody else may write (chmod go-w ~/${FOLDER})`;

/** Why nothing in the folder of records can be believed, in words; null if it can, and if there is none. */
export function doubtOfFolder(home: string): string | null {
  const folder = lstatOrNull(join(home, FOLDER));
  if (folder === null) return null;
  const doubt = folder.isDirectory() ? doubtOf(folder) : folder.isSymbolicLink() ? "is a link" : "is not a folder";
  return doubt === null ? null : `~/${FOLDER} ${doubt}`;
}

/** What lies at a path; null for nothing. */
export function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** Why an entry may not be the user's own, or null. */
function doubtOf(stats: Stats): string | null {
  const self = process.geteuid?.();
  if (self !== undefined && stats.uid !== self) return "belongs to another user";
  return self !== undefined && (stats.mode & 0o022) !== 0 ? "may be written by others" : null;
}

/** Bytes of a file that only its user can have written, or why it is rejected. Checks the opened file, not its name. */
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
