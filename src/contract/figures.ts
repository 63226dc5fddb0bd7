import { CLIENT_NAMES } from "./clients.ts";
import { LIMIT_CODES } from "./limits.ts";
import { RUN_DOORS, RUN_OUTCOMES, type RunOutcome, type RunStats, VERDICTS } from "./run-history.ts";

/** Upper bounds of the latency buckets in milliseconds; longer times count in the last bucket. */
export const TIME_BOUNDS_MS = [
  ...[5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750],
  ...[1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 20_000, 60_000, 300_000],
] as const;

/** Replaces every name that is not one of ours. */
const OTHER = "other";

/**
 * Everything that is counted of runs for a team: groups, and the names in each group. A figure is called `group.name`.
 * Tool names are not listed here; they come from the tools themselves.
 */
const FIGURES = {
  /** Runs by outcome. */
  outcome: RUN_OUTCOMES,
  /** Runs by entry point. */
  door: RUN_DOORS,
  /** Runs by client. */
  client: CLIENT_NAMES,
  /** Runs that used tools, by duration: upper bounds in milliseconds. */
  time: TIME_BOUNDS_MS.map(String),
  /** Runs that used a tool. */
  tool: null,
  /** Runs in which that tool failed. */
  failed: null,
  /** Runs by limit. */
  limit: LIMIT_CODES,
  /** Runs by a person's verdict. */
  verdict: VERDICTS,
  /** Number of injected characters. */
  injected: ["chars"],
} as const satisfies Readonly<Record<string, readonly string[] | null>>;

/** A group of figures. */
export type FigureGroup = keyof typeof FIGURES;

/**
 * Makes the function that names figures. Contract: for any input, a name consists only of our own words: groups, their
 * names, tools, or `other`.
 */
export function makeFigureNamer(tools: readonly string[]): (group: FigureGroup, name: string) => string {
  const known = Object.fromEntries(
    Object.entries(FIGURES).map(([group, names]) => [group, new Set<string>(names ?? tools)]),
  );
  return (group, name) => `${group}.${known[group]?.has(name) ? name : OTHER}`;
}

/** Splits a figure into group and name; null if it is not a figure. */
export function splitFigure(figure: string): readonly [group: FigureGroup, name: string] | null {
  const at = figure.indexOf(".");
  const group = figure.slice(0, at);
  return Object.hasOwn(FIGURES, group) ? [group as FigureGroup, figure.slice(at + 1)] : null;
}

/** Maximum period in days for which figures can be requested and are stored by a server. */
export const MAX_FIGURE_DAYS = 400;
/** Default period in days. */
export const USUAL_FIGURE_DAYS = 30;

/** Figures of one day in UTC. */
export interface DayFigures {
  readonly day: string;
  /** Figure → count. */
  readonly counts: Readonly<Record<string, number>>;
}

/** A batch from a client: figures of some days, and an id that makes repeated delivery idempotent. */
export interface FigureBatch {
  /** 32 hex digits. */
  readonly batch: string;
  readonly days: readonly DayFigures[];
}

/** A server's response: sums over all clients, by day. */
export interface FigureReport {
  /** The requested number of days. */
  readonly days: number;
  /** Number of clients that reported in this period; a server distinguishes clients only by their tokens. */
  readonly clients: number;
  readonly per_day: readonly DayFigures[];
}

/** Figures of a team for display. */
export interface TeamStats
  extends Pick<RunStats, "runs" | "latency_ms" | "injected_chars" | "useful" | "useless" | "per_day"> {
  readonly days: number;
  readonly clients: number;
  /** True if there are so few clients that these are an individual's figures rather than a team's. */
  readonly few_clients: boolean;
  readonly outcomes: Readonly<Record<RunOutcome, number>>;
  /** Tool name → runs that used it, and those in which it failed. */
  readonly tools: Readonly<Record<string, { readonly runs: number; readonly failed: number }>>;
  /** Limit code → runs. */
  readonly limits: Readonly<Record<string, number>>;
  /** Client name → runs. */
  readonly asked_by: Readonly<Record<string, number>>;
}
