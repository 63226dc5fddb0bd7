import { lstatSync, type Stats } from "node:fs";

/** True if we own the file, or if the platform has no owners. */
export function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** True for a real folder (not a symlink) that we own and nobody else may write to. Contract: never throws. */
export function isOwnFolder(folder: string): boolean {
  try {
    const stats = lstatSync(folder);
    return stats.isDirectory() && isOurs(stats) && (stats.mode & 0o022) === 0;
  } catch {
    return false;
  }
}
