import { lstatSync, type Stats } from "node:fs";

/** Returns the result of `lstat`; null if nothing is at the path, or if it cannot be reached. */
export function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
