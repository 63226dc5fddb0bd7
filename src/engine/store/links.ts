import { pushTo } from "../../base/maps.ts";

/** Import links between files. Files are indexes into `paths`, whose order is independent of any other numbering. */
export interface Links {
  readonly paths: readonly string[];
  /** The imports of `paths[at]` are the targets from `starts[at]` to `starts[at + 1]`. */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

/** Files that import a file, by the number of that file. */
export type Importers = ReadonlyMap<number, readonly number[]>;

/** Links of an index without files. */
export const NO_LINKS: Links = { paths: [], starts: new Int32Array(1), targets: new Int32Array(0) };

/**
 * Returns the importers of each file. Contract: links from or to a path without a number are dropped; a file that
 * nothing imports has no entry.
 */
export function toImporters(links: Links, fileAt: (path: string) => number | undefined): Importers {
  const numbers = Int32Array.from(links.paths, (path) => fileAt(path) ?? -1);
  return reverseLinks(links, (at) => numbers[at] ?? -1);
}

/** The same for links by number; `numberOf` returns the number of a file, -1 if it has none. */
export function reverseLinks(
  { starts, targets }: Pick<Links, "starts" | "targets">,
  numberOf: (at: number) => number = (at) => at,
): Importers {
  const importers = new Map<number, number[]>();
  for (let from = 0; from + 1 < starts.length; from++) {
    const file = numberOf(from);
    if (file < 0) continue;
    for (let at = starts[from] ?? 0; at < (starts[from + 1] ?? 0); at++) {
      const target = numberOf(targets[at] ?? -1);
      if (target >= 0) pushTo(importers, target, file);
    }
  }
  return importers;
}
