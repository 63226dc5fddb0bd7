import { type DayFigures, makeFigureNamer, TIME_BOUNDS_MS } from "../contract/figures.ts";
import { type KeptRow, toTexts } from "./rows.ts";

/** Properties of a run that are counted. */
export type CountedRun = Pick<
  KeptRow,
  "at" | "door" | "client" | "outcome" | "injected_chars" | "duration_ms" | "tools" | "codes" | "failed" | "verdict"
> & {
  /** True if only its verdict is new. */
  readonly isOnlyVerdict: boolean;
};

/**
 * Counts runs for a team, per day in UTC; `tools` are the built-in ones. Contract: pure; the result contains no text of
 * a run: names are those of the contract, everything else is a number.
 */
export function countFigures(runs: readonly CountedRun[], tools: readonly string[]): DayFigures[] {
  const toName = makeFigureNamer(tools);
  const days = new Map<string, Map<string, number>>();
  for (const run of runs) {
    const day = new Date(run.at).toISOString().slice(0, 10);
    const counts = days.get(day) ?? new Map<string, number>();
    days.set(day, counts);
    const add = (group: Parameters<typeof toName>[0], name: string, count = 1) => {
      const figure = toName(group, name);
      counts.set(figure, (counts.get(figure) ?? 0) + count);
    };
    if (run.verdict !== null) add("verdict", run.verdict);
    if (run.isOnlyVerdict) continue;
    add("outcome", run.outcome);
    add("door", run.door);
    add("client", run.client);
    if (run.injected_chars > 0) add("injected", "chars", Math.round(run.injected_chars));
    const used = namesOf(run.tools, toName.bind(null, "tool"));
    const isTimed = used.length > 0 && run.outcome !== "plan";
    if (isTimed) add("time", String(TIME_BOUNDS_MS.find((bound) => run.duration_ms <= bound) ?? TIME_BOUNDS_MS.at(-1)));
    for (const name of used) add("tool", name);
    for (const name of namesOf(run.failed, toName.bind(null, "failed"))) add("failed", name);
    for (const code of namesOf(run.codes, toName.bind(null, "limit"))) add("limit", code);
  }
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, counts]) => ({ day, counts: Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))) }));
}

/** Returns one name per figure: a run with two foreign tools is counted once. */
function namesOf(json: string, toFigure: (name: string) => string): string[] {
  const byFigure = new Map(toTexts(json).map((name) => [toFigure(name), name]));
  return [...byFigure.values()];
}
