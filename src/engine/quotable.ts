import { join } from "node:path";
import { readInside } from "../base/jail.ts";
import { isNameOfSecret } from "../base/sensitive-ids.ts";
import type { RepositoryIndex } from "./store/repository-index.ts";

/** The current lines of a file; "withheld" if only its path may be shown, null if it cannot be read. */
export type QuotableLines = readonly string[] | "withheld" | null;

const MAX_BYTES = 512 * 1024;

/** Reads the quotable lines of a file below a root. */
export function readQuotable(root: string, index: RepositoryIndex, path: string): QuotableLines {
  const read = readInside(root, join(root, path), MAX_BYTES);
  if (!read.ok) return null;
  const file = index.fileAt(path);
  // A file that is known only by its path may be a secret under another name (a hard link), so it is never quoted.
  if (file !== undefined && !index.hasText(file)) return "withheld";
  const { sharedId, cut, text } = read.value;
  if (sharedId !== null && isNameOfSecret(root, sharedId)) return "withheld";
  // A file too long to be read completely is not quoted either.
  return cut ? [] : (text?.split("\n") ?? []);
}
