import { DAY_MS } from "../../base/duration.ts";
import { countOf } from "../../contract/count-of.ts";
import type { DayStats, RunStats } from "../../contract/run-history.ts";
import { bar, sparkline } from "./bars.ts";
import type { Palette } from "./colour.ts";
import { type Cell, printFacts, type Screen, table } from "./layout.ts";
import { toFigure, toReason } from "./run-words.ts";
import { safeLine } from "./safe-text.ts";

const MOST_DAYS = 14;
/** Maximum number of days in the sparkline. */
const MOST_MARKS = 60;
const MOST_NAMES = 12;
const BAR_COLUMNS = 20;
const INDENT = 2;

/** Formats the figures for people. */
export function printStats(stats: RunStats, screen: Screen): string {
  const { per_day } = stats;
  const days = `${per_day[0]?.day ?? ""} to ${per_day.at(-1)?.day ?? ""}`;
  const when = per_day.length === 1 ? `on ${per_day[0]?.day ?? ""}` : days;
  const reasons = Object.entries(stats.silent_reasons).map(([limit, count]) => [toReason(limit), count] as const);
  const parts = [
    `${screen.paint.bold(`${toFigure(stats.runs)} ${stats.runs === 1 ? "run" : "runs"}`)}, ${when}`,
    shares(stats, screen),
    facts(stats, screen),
    ranking("Tools, by runs that used them", Object.entries(stats.tools), screen),
    ranking("Why nothing was injected", reasons, screen),
    daysPart(per_day, screen),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function shares({ runs, with_evidence, silent }: RunStats, screen: Screen): string {
  const others = runs - with_evidence - silent;
  return printShares(
    [
      ["with evidence", with_evidence, "good"],
      ["silent", silent, "faint"],
      ...(others === 0 ? [] : [["planned or failed", others, "warning"] as const]),
    ],
    runs,
    screen,
  );
}

/** Formats shares of all runs as bars. */
export function printShares(
  shown: readonly (readonly [name: string, count: number, mark: keyof Palette])[],
  runs: number,
  screen: Screen,
): string {
  const rows = shown.map(([name, count, mark]): Cell[] => [
    name,
    { text: bar(count / runs, BAR_COLUMNS).padEnd(BAR_COLUMNS, "░"), paint: screen.paint[mark] },
    toFigure(count),
    toPercent(count, runs),
  ]);
  const columns = [{}, { drop: 1 }, { align: "right" }, { align: "right" }] as const;
  return table(rows, { width: screen.columns, indent: INDENT, columns });
}

function facts(
  { latency_ms, injected_chars, with_evidence, repeated, useful, useless }: RunStats,
  screen: Screen,
): string {
  const each = with_evidence === 0 ? "" : `, ${toFigure(injected_chars / with_evidence)} a time`;
  return printFacts(
    [
      ["time", sayTimes(latency_ms)],
      ["injected", `${toFigure(injected_chars)} characters${each}`],
      ["asked again", repeated === 0 ? "no question twice" : countOf(repeated, "run")],
      ["verdicts", sayVerdicts(useful, useless)],
    ],
    screen,
  );
}

/** Describes how long runs took. */
export function sayTimes({ p50, p95 }: RunStats["latency_ms"]): string {
  return p95 === 0 ? "no run used a tool" : `half within ${toFigure(p50)} ms, 95 % within ${toFigure(p95)} ms`;
}

/** Describes people's verdicts on runs. */
export function sayVerdicts(useful: number, useless: number): string {
  if (useful + useless === 0) return 'none yet; "groundwork mark useful" keeps one';
  return `${toFigure(useful)} useful, ${toFigure(useless)} useless`;
}

/** Formats a share in percent. Contract: a share above zero is never shown as 0 %. */
export function toPercent(count: number, of: number): string {
  const percent = Math.round((100 * count) / of);
  return count > 0 && percent === 0 ? "< 1 %" : `${percent} %`;
}

/** Formats names with their counts as bars, and an optional note next to each. */
export function ranking(
  title: string,
  all: readonly (readonly [name: string, count: number, note?: string])[],
  screen: Screen,
): string {
  if (all.length === 0) return "";
  const most = Math.max(...all.map(([, count]) => count));
  const rows = all
    .slice(0, MOST_NAMES)
    .map(([name, count, note = ""]): Cell[] => [
      safeLine(name),
      toFigure(count),
      { text: bar(count / most, BAR_COLUMNS), paint: screen.paint.accent },
      { text: note, paint: screen.paint.warning },
    ]);
  const left = all.length - MOST_NAMES;
  if (left > 0) rows.push([{ text: `${left} more with --json`, paint: screen.paint.faint }]);
  const columns = [{ tooWide: "wrap", least: 16 }, { align: "right" }, { drop: 1 }, {}] as const;
  return `${screen.paint.bold(title)}\n${table(rows, { width: screen.columns, indent: INDENT, columns })}`;
}

/** Formats the figures by day. */
export function daysPart(days: readonly DayStats[], screen: Screen): string {
  const { paint } = screen;
  if (days.length < 2) return "";
  const figures = withIdleDays(days);
  const room = Math.max(1, Math.min(MOST_MARKS, (screen.columns ?? MOST_MARKS) - INDENT));
  const line = sparkline(figures.slice(-room));
  const heads = ["day", "runs", "evidence", "silent", "half within", "95 % within", "injected"];
  const rows = days
    .slice(-MOST_DAYS)
    .toReversed()
    .map(({ day, runs, with_evidence, silent, p50, p95, injected_chars }) => [
      day,
      toFigure(runs),
      toFigure(with_evidence),
      toFigure(silent),
      p95 === 0 ? "-" : `${toFigure(p50)} ms`,
      p95 === 0 ? "-" : `${toFigure(p95)} ms`,
      toFigure(injected_chars),
    ]);
  const right = (drop: number) => ({ align: "right", drop }) as const;
  const columns = [{}, { align: "right" }, right(1), right(2), right(4), right(3), right(5)] as const;
  const head = heads.map((text) => ({ text, paint: paint.faint }));
  const left = days.length - MOST_DAYS;
  return [
    paint.bold("By day"),
    `${" ".repeat(INDENT)}${paint.accent(line)}`,
    table([head, ...rows], { width: screen.columns, indent: INDENT, columns }),
    left > 0 ? `${" ".repeat(INDENT)}${paint.faint(`${countOf(left, "earlier day")} with --json`)}` : "",
  ]
    .filter(Boolean)
    .join("\n");
}

/** Runs of each day from the first to the last, including days without runs. */
function withIdleDays(days: readonly DayStats[]): number[] {
  const counts = new Map(days.map(({ day, runs }) => [Date.parse(day) / DAY_MS, runs]));
  const all = [...counts.keys()];
  const [first, last] = [Math.min(...all), Math.max(...all)];
  return Array.from({ length: last - first + 1 }, (_, at) => counts.get(first + at) ?? 0);
}
