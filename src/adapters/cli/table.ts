import { toOneLine } from "../../base/text.ts";

/** A value of a setting, in one line. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : toOneLine(value.join(", "));
  return value === "" ? "(none)" : toOneLine(String(value));
}

/** Columns as wide as they need to be. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
