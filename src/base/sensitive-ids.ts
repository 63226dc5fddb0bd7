import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { toFileId } from "./jail.ts";
import { isSensitivePath } from "./path-rules.ts";

/** Entries that are looked at; in a larger repository nobody can tell in time. */
const MAX_ENTRIES = 50_000;
/** Folders that hold packages and objects by the thousand, and nobody's secrets. */
const PASSED_OVER = new Set(["node_modules", ".git"]);

const known = new Map<string, ReadonlySet<string> | null>();

/**
 * Whether a file that has several names may be one whose content is never read, under another name. Contract: opens nothing;
 * true where it cannot be told; looks at a repository once in a process, and only when a file there has several names.
 */
export function isNameOfSecret(root: string, id: string): boolean {
  if (!known.has(root)) known.set(root, listSensitiveIds(root));
  return known.get(root)?.has(id) ?? true;
}

/** Ids of all sensitive files below a root; null where there is too much to look at. */
function listSensitiveIds(root: string): ReadonlySet<string> | null {
  const ids = new Set<string>();
  const folders = [""];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readFolder(join(root, folder))) {
      if (++seen > MAX_ENTRIES) return null;
      const path = folder + entry.name;
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) folders.push(`${path}/`);
      else if (entry.isFile() && isSensitivePath(path)) {
        const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
        if (stats !== undefined) ids.add(toFileId(stats));
      }
    }
  }
  return ids;
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
