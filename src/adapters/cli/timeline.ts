import type { Stage, TimelinePart } from "../../contract/run-history.ts";
import { gauge, piece } from "./bars.ts";
import { type Cell, type Screen, table } from "./layout.ts";
import { toFigure } from "./run-words.ts";
import { safeLine } from "./safe-text.ts";

const STAGES: Readonly<Record<Stage, string>> = {
  judge: "judge",
  look: "look up",
  plan: "plan",
  run: "run tools",
  conclude: "conclude",
};
const ORDER = Object.keys(STAGES);
const MOST_COLUMNS = 40;
const LEAST_COLUMNS = 8;
/** Maximum width of the columns next to the bars. */
const OTHER_COLUMNS = 42;

/**
 * Formats the time of a run as bars on a common time axis; the first row compares the total with the wall-clock budget.
 */
export function timelineLines(timeline: readonly TimelinePart[], wallMs: number, screen: Screen): string {
  if (timeline.length === 0) return "";
  const { paint, columns } = screen;
  const width = Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, (columns ?? 100) - OTHER_COLUMNS));
  const wholeMs = Math.max(...timeline.map(({ start_ms, duration_ms }) => start_ms + duration_ms));
  const rows = timeline.toSorted(byPlace).map(({ stage, tool, start_ms, duration_ms, status }): Cell[] => {
    const isFine = status === undefined || status === "ok";
    return [
      tool === undefined ? (STAGES[stage] ?? safeLine(stage)) : `  ${safeLine(tool)}`,
      { text: piece(start_ms, duration_ms, wholeMs, width), paint: isFine ? paint.good : paint.warning },
      toMs(duration_ms),
      isFine ? "" : { text: safeLine(status), paint: paint.warning },
    ];
  });
  const { filled, rest } = gauge(wallMs === 0 ? 0 : wholeMs / wallMs, width);
  const whole: Cell[] = ["all", `${filled}${rest}`, toMs(wholeMs), wallMs === 0 ? "" : `of ${toFigure(wallMs)} ms`];
  return table([whole, ...rows], {
    width: columns,
    indent: 2,
    columns: [{ tooWide: "cut", least: 8 }, {}, { align: "right" }, { drop: 1 }],
  });
}

/** Sorts stages by their order, and tool calls below the stage to which they belong. */
function byPlace(one: TimelinePart, other: TimelinePart): number {
  const stages = ORDER.indexOf(one.stage) - ORDER.indexOf(other.stage);
  const kinds = Number(one.tool !== undefined) - Number(other.tool !== undefined);
  return stages || kinds || one.start_ms - other.start_ms;
}

/** Formats milliseconds: `0.4 ms` for small values, otherwise a whole number. */
function toMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : toFigure(ms)} ms`;
}
