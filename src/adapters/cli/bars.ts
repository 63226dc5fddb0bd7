/** Block characters from zero to eight eighths of a column. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const TRACK = "░";

/** Renders a share as a bar. Contract: at most `width` columns; a share above zero is always visible. */
export function bar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  const shown = share > 0 ? Math.max(1, eighths) : 0;
  return `${"█".repeat(Math.floor(shown / 8))}${EIGHTHS[shown % 8] ?? ""}`;
}

/** Renders a share as a bar and its remainder. Contract: exactly `width` columns together. */
export function gauge(share: number, width: number): { readonly filled: string; readonly rest: string } {
  const filled = bar(share, width);
  return { filled, rest: TRACK.repeat(Math.max(0, width - filled.length)) };
}

/** Renders an interval on a line for the whole. Contract: at most `width` columns; every interval is visible. */
export function piece(start: number, length: number, whole: number, width: number): string {
  if (whole <= 0) return "";
  const from = Math.min(width - 1, Math.max(0, Math.floor((start / whole) * width)));
  const columns = Math.round((length / whole) * width);
  return `${" ".repeat(from)}${columns < 1 ? "▏" : "█".repeat(Math.min(columns, width - from))}`;
}

/** Renders numbers as a line of small bars, one character each. */
export function sparkline(figures: readonly number[]): string {
  const most = Math.max(1, ...figures);
  return figures.map((own) => (own <= 0 ? " " : LEVELS[Math.ceil((own / most) * LEVELS.length) - 1])).join("");
}
