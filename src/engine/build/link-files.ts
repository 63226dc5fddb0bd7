import { type ImportLine, makeImportFinder } from "../search/imports.ts";
import type { Links } from "../store/links.ts";

/** Computes the import links between files. Contract: deterministic. */
export function linkFiles(imports: ReadonlyMap<string, readonly ImportLine[]>): Links {
  const paths = [...imports.keys()].sort();
  const find = makeImportFinder(paths);
  const starts = new Int32Array(paths.length + 1);
  const targets: number[] = [];
  paths.forEach((path, at) => {
    for (const target of find(at, imports.get(path) ?? [])) targets.push(target);
    starts[at + 1] = targets.length;
  });
  return { paths, starts, targets: Int32Array.from(targets) };
}
