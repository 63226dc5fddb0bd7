import type { Stats } from "node:fs";
import { lstatOrNull } from "./lstat-or-null.ts";

/** True if we own the file, or if the platform has no owners. */
export function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** True for a real folder (not a symlink) that we own and nobody else may write to. Contract: never throws. */
export function isOwnFolder(folder: string): boolean {
  const stats = lstatOrNull(folder);
  return stats?.isDirectory() === true && isOurs(stats) && (stats.mode & 0o022) === 0;
}
