import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";

/**
 * Opens a file that lies where anybody may have put something else: a pipe, a device, a link. Contract: never throws, waits or
 * follows a link; what is no plain file is looked at and not opened; null where there is none. Whoever opens it closes it.
 */
export function openPlain(path: string, flags = constants.O_RDONLY): number | null {
  let file: number | null = null;
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
    file = openSync(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    // Somebody may have been faster.
    if (fstatSync(file).isFile()) return file;
  } catch {
    if (file === null) return null;
  }
  closeSync(file);
  return null;
}
