import { closeBases, openBases } from "../store/bases.ts";
import { knownFiles } from "../store/known-files.ts";
import { Layer } from "../store/layers.ts";

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
