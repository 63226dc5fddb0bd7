// Identifies the build that a folder contains.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns 16 hex digits that depend on all programs, models and word lists of a folder. */
export function hashBuild(folder) {
  const hash = createHash("sha256");
  const names = readdirSync(folder).filter((file) => /\.(?:cjs|model|txt)$/.test(file));
  for (const name of names.sort()) hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}
