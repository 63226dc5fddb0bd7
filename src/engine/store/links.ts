/** Import links between files. Files are indexes into `paths`, whose order is independent of any other numbering. */
export interface Links {
  readonly paths: readonly string[];
  /** The imports of `paths[at]` are the targets from `starts[at]` to `starts[at + 1]`. */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

export const NO_LINKS: Links = { paths: [], starts: new Int32Array(1), targets: new Int32Array(0) };

/** Import links in both directions, by file number. */
export interface Neighbours {
  readonly importsOf: (file: number) => readonly number[];
  readonly importersOf: (file: number) => readonly number[];
}

/** Converts links between paths to file numbers. Contract: links from or to a path without a number are dropped. */
export function toNeighbours(
  links: Links,
  fileCount: number,
  fileAt: (path: string) => number | undefined,
): Neighbours {
  const { paths, starts, targets } = links;
  const imports: number[][] = Array.from({ length: fileCount });
  const importers: number[][] = Array.from({ length: fileCount });
  const numbers = Int32Array.from(paths, (path) => fileAt(path) ?? -1);
  for (let from = 0; from < paths.length; from++) {
    const file = numbers[from] ?? -1;
    if (file < 0) continue;
    for (let at = starts[from] ?? 0; at < (starts[from + 1] ?? 0); at++) {
      const target = numbers[targets[at] ?? -1] ?? -1;
      if (target < 0) continue;
      put(imports, file, target);
      put(importers, target, file);
    }
  }
  return { importsOf: (file) => imports[file] ?? [], importersOf: (file) => importers[file] ?? [] };
}

function put(lists: number[][], at: number, value: number): void {
  const list = lists[at];
  if (list === undefined) lists[at] = [value];
  else list.push(value);
}
