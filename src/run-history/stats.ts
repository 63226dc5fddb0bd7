import { toLocalTime } from "../base/moment.ts";
import type { Database } from "../base/sqlite.ts";
import type { DayStats, RunFilter, RunStats } from "../contract/run-history.ts";
import { type KeptRow, toTexts } from "./rows.ts";

type Counted = Pick<
  KeptRow,
  "at" | "repo" | "outcome" | "injected_chars" | "duration_ms" | "tools" | "reason" | "hash" | "verdict"
>;

/**
 * Computes statistics of the runs. Contract: latencies include only runs that ran tools; days are in the local time
 * zone.
 */
export function countRuns(database: Database, { since_ms = 0, repo }: Pick<RunFilter, "since_ms" | "repo">): RunStats {
  const names = "at, repo, outcome, injected_chars, duration_ms, tools, reason, hash, verdict";
  const where = repo === undefined ? "at >= ?" : "at >= ? AND repo = ?";
  const values = [Math.floor(since_ms), ...(repo === undefined ? [] : [repo])];
  const runs = database
    .prepare(`SELECT ${names} FROM runs WHERE ${where} ORDER BY key`)
    .all(...values) as unknown as Counted[];
  const seen = new Set<string>();
  const days = new Map<string, Counted[]>();
  const [tools, reasons] = [new Map<string, number>(), new Map<string, number>()];
  let repeated = 0;
  // Caches parsed lists: most runs repeat a few of them.
  const lists = new Map<string, readonly string[]>();
  const listOf = (json: string) => {
    const list = lists.get(json) ?? toTexts(json);
    lists.set(json, list);
    return list;
  };
  for (const run of runs) {
    for (const tool of listOf(run.tools)) add(tools, tool);
    if (run.reason !== "") add(reasons, run.reason);
    if (run.hash !== "") {
      if (seen.has(run.hash)) repeated++;
      seen.add(run.hash);
    }
    const day = toLocalTime(run.at).slice(0, 10);
    const own = days.get(day);
    if (own === undefined) days.set(day, [run]);
    else own.push(run);
  }
  const { runs: count, with_evidence, silent, injected_chars, ...latency_ms } = sum(runs);
  return {
    runs: count,
    with_evidence,
    silent,
    latency_ms,
    injected_chars,
    tools: byCount(tools),
    silent_reasons: byCount(reasons),
    repeated,
    useful: runs.filter(({ verdict }) => verdict === "useful").length,
    useless: runs.filter(({ verdict }) => verdict === "useless").length,
    per_day: [...days].map(([day, own]) => ({ day, ...sum(own) })),
  };
}

function sum(runs: readonly Counted[]): Omit<DayStats, "day"> {
  const times = runs.filter(({ tools, outcome }) => tools !== "[]" && outcome !== "plan").map((run) => run.duration_ms);
  times.sort((a, b) => a - b);
  return {
    runs: runs.length,
    with_evidence: runs.filter(({ outcome }) => outcome === "evidence" || outcome === "guess").length,
    silent: runs.filter(({ outcome }) => outcome === "silent").length,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    injected_chars: runs.reduce((total, run) => total + run.injected_chars, 0),
  };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function byCount(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}
