import { createHash } from "node:crypto";
import { closeBases, openBases } from "../store/bases.ts";
import { knownFiles } from "../store/known-files.ts";
import { Layer } from "../store/layers.ts";
import type { SegmentReader } from "../store/segment.ts";

/**
 * Text ids of all files of bases, by path; `names` are the bases, newest first. Contract: throws `IndexDamage` if one
 * cannot be read.
 */
export function textsOfBases(indexFolder: string, names: readonly string[]): Map<string, string> {
  const bases = openBases(indexFolder, names);
  try {
    const oldestFirst = bases.map((base) => new Layer(base, true)).reverse();
    const files = knownFiles(oldestFirst.flatMap(({ segments }) => segments.all()));
    return new Map([...files].map(([path, { id }]) => [path, id]));
  } finally {
    closeBases(bases);
  }
}

/** Identifies all files of an index by their paths and texts, and counts them. */
export function digestOf(segments: readonly SegmentReader[]): { readonly files: number; readonly digest: string } {
  const files = knownFiles(segments);
  const hash = createHash("sha256");
  for (const path of [...files.keys()].sort()) hash.update(`${path}\0${files.get(path)?.id}\n`);
  return { files: files.size, digest: hash.digest("hex") };
}
