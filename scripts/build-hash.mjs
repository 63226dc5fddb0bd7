// Which build the files of a folder are.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Sixteen hex digits that change with any program, model or word list in the folder. */
export function hashBuild(folder) {
  const hash = createHash("sha256");
  const names = readdirSync(folder).filter((file) => /\.(?:cjs|model|txt)$/.test(file));
  for (const name of names.sort()) hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}
