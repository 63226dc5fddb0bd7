import { CLIENT_NAMES } from "./clients.ts";
import { LIMIT_CODES } from "./limits.ts";
import { type DayStats, RUN_DOORS, RUN_OUTCOMES, type RunOutcome, VERDICTS } from "./run-history.ts";

/** Upper bounds of the times that are told apart, in milliseconds; what takes longer counts with the last. */
export const TIME_BOUNDS_MS = [
  ...[5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750],
  ...[1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 20_000, 60_000, 300_000],
] as const;

/** What stands in the place of every name that is none of ours. */
const OTHER = "other";

/**
 * All that is counted of runs for a team: groups, and the names that each of them has. A figure is called `group.name`. Tools are not
 * listed here: they name themselves.
 */
const FIGURES = {
  /** Runs, by what became of them. */
  outcome: RUN_OUTCOMES,
  /** Runs, by the door that they came through. */
  door: RUN_DOORS,
  /** Runs, by client. */
  client: CLIENT_NAMES,
  /** Runs that used tools, by how long they took: at most so many milliseconds. */
  time: TIME_BOUNDS_MS.map(String),
  /** Runs that used a tool. */
  tool: null,
  /** Runs in which that tool failed. */
  failed: null,
  /** Runs, by what was left out in them. */
  limit: LIMIT_CODES,
  /** Runs that a person has marked. */
  verdict: VERDICTS,
  /** Characters that were injected. */
  injected: ["chars"],
} as const satisfies Readonly<Record<string, readonly string[] | null>>;

/** A group of figures. */
export type FigureGroup = keyof typeof FIGURES;

/** Makes what names figures. Contract: whatever it is given, a name consists of our own words: groups, their names, tools, or `other`. */
export function makeFigureNamer(tools: readonly string[]): (group: FigureGroup, name: string) => string {
  const known = Object.fromEntries(
    Object.entries(FIGURES).map(([group, names]) => [group, new Set<string>(names ?? tools)]),
  );
  return (group, name) => `${group}.${known[group]?.has(name) ? name : OTHER}`;
}

/** Group and name of a figure; null for what is none. */
export function splitFigure(figure: string): readonly [group: FigureGroup, name: string] | null {
  const at = figure.indexOf(".");
  const group = figure.slice(0, at);
  return Object.hasOwn(FIGURES, group) ? [group as FigureGroup, figure.slice(at + 1)] : null;
}

/** The longest time that figures are asked for, and that a server keeps them, in days. */
export const MAX_FIGURE_DAYS = 400;
/** Days that are shown where nobody says how many. */
export const USUAL_FIGURE_DAYS = 30;

/** Figures of one day, in UTC. */
export interface DayFigures {
  readonly day: string;
  /** Figure → count. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What a client sends: figures of some days, and an id by which they count once however often they arrive. */
export interface FigureBatch {
  /** 32 hex digits. */
  readonly batch: string;
  readonly days: readonly DayFigures[];
}

/** What a server answers: sums over all clients, day by day. */
export interface FigureReport {
  /** Days that were asked for. */
  readonly days: number;
  /** How many clients have reported in them: tokens, by which alone a server tells them apart. */
  readonly clients: number;
  readonly per_day: readonly DayFigures[];
}

/** Figures of a team, as they are shown. */
export interface TeamStats {
  readonly days: number;
  readonly clients: number;
  /** True for so few clients that these are somebody's own figures rather than a team's. */
  readonly few_clients: boolean;
  readonly runs: number;
  readonly outcomes: Readonly<Record<RunOutcome, number>>;
  readonly latency_ms: { readonly p50: number; readonly p95: number };
  readonly injected_chars: number;
  /** Name of a tool → runs that used it, and those of them in which it failed. */
  readonly tools: Readonly<Record<string, { readonly runs: number; readonly failed: number }>>;
  /** Code of a limit → runs. */
  readonly limits: Readonly<Record<string, number>>;
  /** Name of a client program → runs. */
  readonly asked_by: Readonly<Record<string, number>>;
  readonly useful: number;
  readonly useless: number;
  /** Days in UTC. */
  readonly per_day: readonly DayStats[];
}
