import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { toInside } from "./jail.ts";

/** True for a file, or a link to one, that we may start. Contract: never throws. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** `path` without relative entries and without those inside `root`, by their names or by where links lead. */
export function outsideOf(root: string | null, path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && (root === null || !isInsideOf(root, folder)))
    .join(delimiter);
}

function isInsideOf(root: string, folder: string): boolean {
  try {
    return toInside(root, realpathSync(folder)) !== null;
  } catch {
    // What is not there yet may be made later, under this very name.
    return toInside(root, folder) !== null;
  }
}

/**
 * Absolute path of a program on `path`, or null. Contract: nothing inside `root` is ever the answer, neither by its name
 * nor by where a link leads, and relative entries of `path` count for nothing: a repository must not bring its own. Without
 * a `root` every folder counts that the user has put on the path by its full name.
 */
export function findProgram(name: string, path: string, root: string | null): string | null {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    if (!isExecutable(file)) continue;
    try {
      const real = realpathSync(file);
      if (root === null || (toInside(root, realpathSync(folder)) === null && toInside(root, real) === null))
        return file;
    } catch {
      // Gone since.
    }
  }
  return null;
}
