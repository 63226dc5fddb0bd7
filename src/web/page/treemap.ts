import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import type { HotFile } from "../wire.ts";

/** A file and its rectangle in the drawing. */
export interface Cell {
  readonly file: HotFile;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** From 0 (calm) to 6 (hot). */
  readonly heat: number;
}

/** Number of shades. */
export const SHADES = 7;
/** Maximum number of files drawn; smaller ones would be invisible. */
const MOST = 80;

/**
 * Gives every file an area by its lines and a shade by its score. Contract: files of the same folder are placed
 * together.
 */
export function toCells(files: readonly HotFile[], width: number, height: number): Cell[] {
  const shown = files.filter(({ lines }) => lines > 0).slice(0, MOST);
  if (shown.length === 0) return [];
  const most = Math.max(...shown.map(({ score }) => score), 1);
  interface Folder {
    readonly file?: HotFile;
    readonly children?: readonly Folder[];
  }
  const folders = new Map<string, HotFile[]>();
  for (const file of shown) {
    const folder = file.path.split("/").slice(0, -1).join("/");
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const tree: Folder = { children: [...folders.values()].map((own) => ({ children: own.map((file) => ({ file })) })) };
  const root = hierarchy<Folder>(tree, ({ children }) => (children === undefined ? undefined : [...children]))
    .sum(({ file }) => file?.lines ?? 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const placed = treemap<Folder>().tile(treemapSquarify.ratio(1.3)).size([width, height]).paddingInner(2)(root);
  return placed.leaves().flatMap(({ data, x0, y0, x1, y1 }) => {
    if (data.file === undefined) return [];
    // Scores span orders of magnitude: on a linear scale, all but the first would be calm.
    const heat = Math.min(SHADES - 1, Math.floor(Math.sqrt(data.file.score / most) * SHADES));
    return [{ file: data.file, x: x0, y: y0, width: x1 - x0, height: y1 - y0, heat }];
  });
}
