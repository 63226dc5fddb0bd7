import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { toFileId } from "../../base/jail.ts";

/** Maximum number of entries to list; more would take too long. */
const MAX_ENTRIES = 2_000;

/**
 * Ids of the given files and of all files in the given folders, independent of the name they are accessed by. Contract:
 * opens none of them; null if there are too many or they cannot be listed.
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
