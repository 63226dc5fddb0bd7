import { markConfirmed } from "../store/bases.ts";
import { UNSURE } from "../store/catalogue.ts";
import type { IndexStore } from "../store/index-store.ts";
import { knownFiles } from "../store/known-files.ts";
import { unpackDefinitions } from "../store/segment.ts";
import { Witness } from "../store/witness.ts";

/**
 * Compares the data that bases have about files here with those files, and records the result, so that queries need not
 * compare again: the result is valid for every file with the same text. Contract: throws `IndexDamage` on a mismatch.
 */
export function confirmBases(folder: string, store: IndexStore, names: readonly string[]): void {
  const files = knownFiles(store.segments());
  const witness = new Witness(store.state()?.root ?? "", (path) => files.get(path));
  const confirmed = new Set<string>();
  for (const [path, { modifiedMs }] of files) {
    if (modifiedMs === UNSURE) continue;
    const isConfirmed =
      witness.confirmsDefinitions(path, unpackDefinitions(store.packedOutline(path) ?? "[]")) &&
      witness.confirmsSymbols(path, store.code.symbols(path));
    if (isConfirmed) confirmed.add(path);
  }
  const newest = new Set<string>();
  for (const { name, paths } of store.pathsOfBases()) {
    // A file of a newer base hides that of an older one, which therefore has not been compared.
    const open = paths.filter((path) => !confirmed.has(path) || newest.has(path));
    if (names.includes(name)) markConfirmed(folder, name, open);
    for (const path of paths) newest.add(path);
  }
}
