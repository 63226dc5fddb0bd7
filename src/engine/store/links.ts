/** Import links between files. Files are indexes into `paths`, whose order is independent of any other numbering. */
export interface Links {
  readonly paths: readonly string[];
  /** The imports of `paths[at]` are the targets from `starts[at]` to `starts[at + 1]`. */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

/** Links of an index without files. */
export const NO_LINKS: Links = { paths: [], starts: new Int32Array(1), targets: new Int32Array(0) };

/**
 * The files that bring in each file. Contract: links from or to a path without a number are dropped; a file that nothing
 * brings in has no entry.
 */
export function toImporters(
  { paths, starts, targets }: Links,
  fileAt: (path: string) => number | undefined,
): ReadonlyMap<number, readonly number[]> {
  const importers = new Map<number, number[]>();
  const numbers = Int32Array.from(paths, (path) => fileAt(path) ?? -1);
  for (let from = 0; from < paths.length; from++) {
    const file = numbers[from] ?? -1;
    if (file < 0) continue;
    for (let at = starts[from] ?? 0; at < (starts[from + 1] ?? 0); at++) {
      const target = numbers[targets[at] ?? -1] ?? -1;
      if (target < 0) continue;
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [file]);
      else known.push(file);
    }
  }
  return importers;
}
