import { RUN_DOORS, RUN_OUTCOMES, type RunFilter } from "../contract/run-history.ts";

/** Maximum and default number of runs in an answer. */
const MAX_RUNS = 500;
const USUAL_RUNS = 100;
const MAX_WORD_CHARS = 4_096;
const DAY_MS = 86_400_000;

/** Parses the run filter in an address. Contract: unknown doors and outcomes are ignored. */
export function readRunFilter(query: URLSearchParams, nowMs: number): RunFilter {
  const word = (name: string) => query.get(name)?.slice(0, MAX_WORD_CHARS) ?? "";
  const door = RUN_DOORS.find((known) => known === word("door"));
  const outcome = RUN_OUTCOMES.find((known) => known === word("outcome"));
  const since = readSince(query, nowMs);
  return {
    ...(word("repo") === "" ? {} : { repo: word("repo") }),
    ...(door === undefined ? {} : { door }),
    ...(word("intent") === "" ? {} : { intent: word("intent") }),
    ...(outcome === undefined ? {} : { outcome }),
    silent: word("silent") === "1" || outcome === "silent",
    ...(word("text").trim() === "" ? {} : { text: word("text").trim() }),
    ...(since === null ? {} : { since_ms: since }),
    ...(word("before") === "" ? {} : { before: word("before") }),
    limit: Math.min(MAX_RUNS, readCount(word("limit")) ?? USUAL_RUNS),
  };
}

/** Start of the period requested as a number of days; null for everything. */
export function readSince(query: URLSearchParams, nowMs: number): number | null {
  const days = readCount(query.get("days") ?? "");
  return days === null ? null : nowMs - days * DAY_MS;
}

/** A whole number of at least 1; null for anything else. */
function readCount(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
