import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { toFileId } from "./jail.ts";
import { isSensitivePath } from "./path-rules.ts";

/** Maximum number of entries examined; scanning a larger repository would take too long. */
const MAX_ENTRIES = 50_000;
/** Skipped folders: thousands of packages or objects, but no secrets of the user. */
const PASSED_OVER = new Set(["node_modules", ".git"]);

const known = new Map<string, ReadonlySet<string> | null>();

/**
 * True if a file with several hard links may also be a sensitive file under another name. Contract: opens no file; true
 * if it cannot be determined; scans each repository at most once per process, and only when a file there has several
 * names.
 */
export function isNameOfSecret(root: string, id: string): boolean {
  if (!known.has(root)) known.set(root, listSensitiveIds(root));
  return known.get(root)?.has(id) ?? true;
}

/** Identifiers of all sensitive files below a root; null if there are too many entries to scan. */
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
