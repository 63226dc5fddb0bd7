import { cutToWidth, displayWidth, wrapToWidth } from "../../base/display-width.ts";
import type { Palette } from "./colour.ts";

/** What is printed on. */
export interface Screen {
  /** Columns of the terminal; null where lines may be as long as they are. */
  readonly columns: number | null;
  readonly paint: Palette;
  /** Shown as `~`; null where there is none. */
  readonly home: string | null;
}

/** A text and how it is marked once its place is known. A plain text is not marked. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

/** How one column behaves. */
export interface Column {
  /** Numbers stand on the right. */
  readonly align?: "left" | "right";
  /** What is done where there is no room: a cell is broken into lines, or cut. Other columns keep their width. */
  readonly tooWide?: "wrap" | "cut";
  /** The fewest columns that such a one is left with before others are dropped. */
  readonly least?: number;
  /** Where there is no room the column with the highest number is left out first; without a number it stays. */
  readonly drop?: number;
  /** A cell of the first column that is wider than this stands on a line of its own. */
  readonly most?: number;
}

/** How a table is laid out. */
export interface TableLayout {
  readonly width: number | null;
  /** By place; one that is not named is as wide as its cells. */
  readonly columns?: readonly Column[];
  /** Spaces in front of each line. */
  readonly indent?: number;
}

const GAP = "  ";
const LEAST_COLUMNS = 12;

/**
 * Rows as lines with aligned columns. Contract: no line is wider than `width` unless that leaves no column for each cell; a
 * column in which nothing stands takes no room; cells have neither line breaks nor control characters.
 */
export function table(rows: readonly (readonly Cell[])[], layout: TableLayout): string {
  const { columns = [], indent = 0 } = layout;
  const room = (layout.width ?? Number.POSITIVE_INFINITY) - indent;
  const widths = fitColumns(measure(rows, columns, room), columns, room);
  const margin = " ".repeat(indent);
  return rows
    .flatMap((row) => toLines(row, widths, columns, room))
    .map((line) => (line === "" ? "" : `${margin}${line}`))
    .join("\n");
}

/** Text as lines, each with `indent` spaces in front. Contract: no line is wider than `width`; empty lines stay. */
export function wrap(text: string, { width, indent = 0 }: Pick<TableLayout, "width" | "indent">): string {
  const room = Math.max(1, (width ?? Number.POSITIVE_INFINITY) - indent);
  const margin = " ".repeat(indent);
  return text
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapToWidth(line, room).map((part) => `${margin}${part}`)))
    .join("\n");
}

/** Marks each line of a text by itself, so that a mark never reaches over a line's end. */
export function paintLines(text: string, paint: (text: string) => string): string {
  return text.split("\n").map(paint).join("\n");
}

/** A path as people write it: the home folder is `~`. */
export function shortenPath(path: string, { home }: Pick<Screen, "home">): string {
  if (home === null || home === "/") return path;
  return path === home ? "~" : path.replaceAll(`${home}/`, "~/");
}

const textOf = (cell: Cell | undefined) => (typeof cell === "object" ? cell.text : (cell ?? ""));
const paintOf = (cell: Cell | undefined) => (typeof cell === "object" ? cell.paint : (text: string) => text);

/** The width that each column would like to have. */
function measure(rows: readonly (readonly Cell[])[], columns: readonly Column[], room: number): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, at) => {
    const most = columns[at]?.most ?? Number.POSITIVE_INFINITY;
    const all = rows.map((row) => displayWidth(textOf(row[at])));
    return Math.min(room, Math.max(0, ...all.filter((width) => width <= most)));
  });
}

/** The width that each column gets; 0 for one that is left out. */
function fitColumns(wished: readonly number[], columns: readonly Column[], room: number): number[] {
  const widths = [...wished];
  const leastOf = (at: number) =>
    columns[at]?.tooWide === undefined
      ? (wished[at] ?? 0)
      : Math.min(wished[at] ?? 0, columns[at]?.least ?? LEAST_COLUMNS);
  const isShown = (at: number) => (widths[at] ?? 0) > 0;
  const shown = () => widths.map((_, at) => at).filter(isShown);
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  const gaps = () => GAP.length * Math.max(0, shown().length - 1);
  while (sum(shown().map(leastOf)) + gaps() > room) {
    const [first] = shown()
      .filter((at) => columns[at]?.drop !== undefined)
      .toSorted((a, b) => (columns[b]?.drop ?? 0) - (columns[a]?.drop ?? 0));
    if (first === undefined) break;
    widths[first] = 0;
  }
  const shrink = (places: readonly number[], least: (at: number) => number) => {
    for (let excess = sum(widths) + gaps() - room; excess > 0; excess--) {
      const wide = places.filter((at) => (widths[at] ?? 0) > least(at));
      const [widest] = wide.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
      if (widest === undefined) return;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  };
  shrink(
    shown().filter((at) => columns[at]?.tooWide !== undefined),
    leastOf,
  );
  // Rather cut everywhere than break the lines of the terminal.
  shrink(shown(), () => 1);
  return widths;
}

/** One row as the lines that it takes. */
function toLines(row: readonly Cell[], widths: readonly number[], columns: readonly Column[], room: number): string[] {
  const [first] = row;
  const own = textOf(first);
  if (columns[0]?.most !== undefined && displayWidth(own) > (widths[0] ?? 0) && row.slice(1).some(textOf)) {
    const above = wrapToWidth(own, room).map(paintOf(first));
    return [...above, ...toLines(["", ...row.slice(1)], widths, columns, room)];
  }
  const cells = widths.map((width, at) => {
    const text = textOf(row[at]);
    return columns[at]?.tooWide === "wrap" ? wrapToWidth(text, Math.max(1, width)) : [cutToWidth(text, width)];
  });
  const shown = widths.map((_, at) => at).filter((at) => (widths[at] ?? 0) > 0);
  const height = Math.max(1, ...shown.map((at) => cells[at]?.length ?? 0));
  return Array.from({ length: height }, (_, line) =>
    shown
      .map((at) => {
        const text = cells[at]?.[line] ?? "";
        const padding = " ".repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(text)));
        const painted = paintOf(row[at])(text);
        return columns[at]?.align === "right" ? `${padding}${painted}` : `${painted}${padding}`;
      })
      .join(GAP)
      .trimEnd(),
  );
}
