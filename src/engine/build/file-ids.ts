import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { toFileId } from "../../base/jail.ts";

/** More would take longer than it is worth. */
const MAX_ENTRIES = 2_000;

/**
 * Ids of these files and of all files in these folders, by whatever name they are asked for. Contract: opens none of
 * them; null where they are too many or cannot be listed.
 */
export function listFileIds(root: string, paths: readonly string[]): ReadonlySet<string> | null {
  const ids = new Set<string>();
  const waiting = paths.map((path) => join(root, path));
  try {
    for (let path = waiting.pop(), seen = 0; path !== undefined; path = waiting.pop()) {
      if (++seen > MAX_ENTRIES) return null;
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (stats.isFile()) ids.add(toFileId(stats));
      else if (stats.isDirectory()) for (const name of readdirSync(path)) waiting.push(join(path, name));
    }
    return ids;
  } catch {
    return null;
  }
}
