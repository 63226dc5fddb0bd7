import { realpathSync, statSync } from "node:fs";

/**
 * Remembers which folder a path leads to, and tells whether it still does: what runs in a repository can move a folder and
 * put a link in its place. Contract: never throws; false from the moment on where the path leads anywhere else, by
 * another name, device or inode.
 */
export function watchFolder(folder: string): () => boolean {
  const first = identify(folder);
  return () => first !== null && identify(folder) === first;
}

function identify(folder: string): string | null {
  try {
    const { dev, ino } = statSync(folder, { bigint: true });
    return `${dev}:${ino}:${realpathSync.native(folder)}`;
  } catch {
    return null;
  }
}
