import { lstatSync, readdirSync, type Stats } from "node:fs";

/** Returns the result of `lstat`; null if nothing is at the path, or if it cannot be reached. */
export function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Returns the names in a folder; none if it cannot be read. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Distinguishes a file from any earlier or later one at the same path; null if there is none. */
export function identityOf(file: string): string | null {
  try {
    const { dev, ino, birthtimeNs } = lstatSync(file, { bigint: true });
    // A new file may get the inode number of a removed one.
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return null;
  }
}

/** True if we own the file, or if the platform has no owners. */
export function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** True for a real folder (not a symlink) that we own and nobody else may write to. Contract: never throws. */
export function isOwnFolder(folder: string): boolean {
  const stats = lstatOrNull(folder);
  return stats?.isDirectory() === true && isOurs(stats) && (stats.mode & 0o022) === 0;
}
