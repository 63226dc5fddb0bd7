import { cutToWidth, displayWidth, wrapToWidth } from "../../base/display-width.ts";
import type { Palette } from "./colour.ts";

/** The output device. */
export interface Screen {
  /** Columns of the terminal; null if lines may have any length. */
  readonly columns: number | null;
  readonly paint: Palette;
  /** Home folder, displayed as `~`; null if there is none. */
  readonly home: string | null;
}

/** A text, and the style that is applied after layout. A plain text has no style. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

/** Layout options of a column. */
export interface Column {
  /** Numbers are right-aligned. */
  readonly align?: "left" | "right";
  /** What to do if there is no room: wrap the cell, or cut it. Other columns keep their width. */
  readonly tooWide?: "wrap" | "cut";
  /** Minimum width of a column with `tooWide` before other columns are dropped. */
  readonly least?: number;
  /** If there is no room, the column with the highest number is dropped first; a column without a number stays. */
  readonly drop?: number;
  /** A cell of the first column that is wider than this gets its own line. */
  readonly most?: number;
}

/** Layout of a table. */
interface TableLayout {
  readonly width: number | null;
  /** By index; a column without options is as wide as its cells. */
  readonly columns?: readonly Column[];
  /** Spaces before each line. */
  readonly indent?: number;
}

/** Columns of a name and of a text, which wraps. */
export const NAME_AND_TEXT: readonly Column[] = [{}, { tooWide: "wrap" }];

const GAP = "  ";
const LEAST_COLUMNS = 12;

/**
 * Formats rows as lines with aligned columns. Contract: no line is wider than `width`, unless `width` is less than one
 * column per cell; empty columns take no room; cells must not contain line breaks or control characters.
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

/** Wraps a text into lines indented by `indent`. Contract: no line is wider than `width`; empty lines are kept. */
export function wrap(text: string, { width, indent = 0 }: Pick<TableLayout, "width" | "indent">): string {
  const room = Math.max(1, (width ?? Number.POSITIVE_INFINITY) - indent);
  const margin = " ".repeat(indent);
  return text
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapToWidth(line, room).map((part) => `${margin}${part}`)))
    .join("\n");
}

/** Formats values by name. */
export function printFacts(facts: readonly (readonly [name: string, value: Cell])[], screen: Screen): string {
  const rows = facts.map(([name, value]) => [{ text: name, paint: screen.paint.faint }, value]);
  return table(rows, { width: screen.columns, indent: 2, columns: NAME_AND_TEXT });
}

/** Styles each line of a text separately, so that no style extends across a line end. */
export function paintLines(text: string, paint: (text: string) => string): string {
  return text.split("\n").map(paint).join("\n");
}

/** Abbreviates the home folder in a path to `~`. */
export function shortenPath(path: string, { home }: Pick<Screen, "home">): string {
  if (home === null || home === "/") return path;
  return path === home ? "~" : path.replaceAll(`${home}/`, "~/");
}

const textOf = (cell: Cell | undefined) => (typeof cell === "object" ? cell.text : (cell ?? ""));
const paintOf = (cell: Cell | undefined) => (typeof cell === "object" ? cell.paint : (text: string) => text);

/** The preferred width of each column. */
function measure(rows: readonly (readonly Cell[])[], columns: readonly Column[], room: number): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, at) => {
    const most = columns[at]?.most ?? Number.POSITIVE_INFINITY;
    const all = rows.map((row) => displayWidth(textOf(row[at])));
    return Math.min(room, Math.max(0, ...all.filter((width) => width <= most)));
  });
}

/** The final width of each column; 0 if it is dropped. */
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
  // Cutting everything is better than lines that the terminal wraps.
  shrink(shown(), () => 1);
  return widths;
}

/** Formats one row, which may take several lines. */
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
