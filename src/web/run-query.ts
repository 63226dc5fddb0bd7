import { DAY_MS } from "../base/duration.ts";
import { RUN_DOORS, RUN_OUTCOMES, type RunFilter } from "../contract/run-history.ts";

/** Maximum and default number of runs in an answer. */
const MAX_RUNS = 500;
const USUAL_RUNS = 100;
const MAX_WORD_CHARS = 4_096;

/** Parses the run filter in an address. Contract: unknown doors and outcomes are ignored. */
export function readRunFilter(query: URLSearchParams, nowMs: number): RunFilter {
  const word = (name: string) => query.get(name)?.slice(0, MAX_WORD_CHARS) || undefined;
  const door = RUN_DOORS.find((known) => known === word("door"));
  const outcome = RUN_OUTCOMES.find((known) => known === word("outcome"));
  return {
    repo: word("repo"),
    door,
    intent: word("intent"),
    outcome,
    silent: word("silent") === "1" || outcome === "silent",
    text: word("text")?.trim(),
    since_ms: readSince(query, nowMs),
    before: word("before"),
    limit: Math.min(MAX_RUNS, readCount(query.get("limit")) ?? USUAL_RUNS),
  };
}

/** Start of the period requested as a number of days; undefined for everything. */
export function readSince(query: URLSearchParams, nowMs: number): number | undefined {
  const days = readCount(query.get("days"));
  return days === undefined ? undefined : nowMs - days * DAY_MS;
}

/** A whole number of at least 1; undefined for anything else. */
function readCount(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
