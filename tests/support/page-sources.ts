import { fail, type Outcome, succeed } from "../../src/contract/faults.ts";
import type { TeamStats } from "../../src/contract/figures.ts";
import type { DayStats, RunDetail, RunFilter, RunRow, RunStats } from "../../src/contract/run-history.ts";
import type { WebSources } from "../../src/web/sources.ts";
import type { JobRow, JobView, LogPart, PageState, RepositoryView } from "../../src/web/wire.ts";

/** In-memory data sources of the page for a test. */
export interface PageSources {
  readonly sources: WebSources;
  /** Adds a run, as a door would. */
  readonly push: (run: RunDetail) => void;
  /** Requests that change something, in order. */
  readonly changes: unknown[];
  readonly log: { text: string };
}

/** Content of the page. */
export interface PageContent {
  readonly runs: readonly RunDetail[];
  readonly state?: Partial<PageState>;
  readonly jobs?: readonly JobRow[];
  readonly job?: Omit<JobView, "job">;
  readonly repository?: RepositoryView;
  /** Answer of the team's server; absent if there is no team. */
  readonly team?: Outcome<TeamStats>;
}

/** Returns a key; keys sort by time. */
export function makeKey(at: number, atMs: number): string {
  return `${atMs.toString(36).padStart(10, "0")}${String(at).padStart(16, "0")}`.toUpperCase();
}

/** Makes in-memory sources. Contract: they filter, count and report new runs like the real ones. */
export function makePageSources(content: PageContent): PageSources {
  const runs = content.runs.toSorted((a, b) => (a.row.key < b.row.key ? 1 : -1));
  const listeners = new Set<(rows: readonly RunRow[]) => void>();
  const changes: unknown[] = [];
  const log = { text: "" };
  const off: { everywhere: { until: string | null } | null } = { everywhere: null };
  const match = (filter: RunFilter) => runs.filter(({ row }) => isMeant(row, filter)).map(({ row }) => row);
  const jobs = [...(content.jobs ?? [])];
  const jobOf = (id: string) => jobs.find((job) => job.id === id);
  const sources: WebSources = {
    state: () => ({
      version: "0.1.0",
      history: "full",
      history_days: 30,
      history_mb: 50,
      off: { everywhere: off.everywhere, repos: [], damage: "" },
      editor_link: "vscode://file{path}:{line}",
      has_team: content.team !== undefined,
      repos: [...new Set(runs.map(({ row }) => row.repo))].filter((repo) => repo !== ""),
      here: runs[0]?.row.repo ?? "",
      ...content.state,
    }),
    listRuns: (filter) => match(filter).slice(0, filter.limit),
    countRuns: (filter) => match(filter).length,
    findRun: (id) => runs.find(({ row }) => row.key === id || row.run_id === id) ?? null,
    stats: ({ since_ms, repo }) =>
      countRuns(match({ ...(repo ? { repo } : {}), ...(since_ms ? { since_ms } : {}), silent: true })),
    watchRuns: (onNew) => {
      listeners.add(onNew);
      return () => listeners.delete(onNew);
    },
    repository: async (root) => (content.repository === undefined ? null : { ...content.repository, root }),
    teamStats: async () => content.team ?? fail("E_CONFIG", "no team"),
    listJobs: async () => jobs,
    findJob: async ({ id }) => {
      const job = jobOf(id);
      return job === undefined
        ? fail("E_INVALID_ARGS", "no such job")
        : succeed({ job, changes: content.job?.changes ?? null });
    },
    readLog: (_name, offset): ReturnType<WebSources["readLog"]> => {
      const bytes = Buffer.from(log.text);
      const part: LogPart = { text: bytes.toString("utf8", offset), next: bytes.length, eof: true, size: bytes.length };
      return succeed(part);
    },
    stopJob: async (name) => {
      changes.push({ stop: name });
      const at = jobs.findIndex(({ id }) => id === name.id);
      const job = jobs[at];
      if (job !== undefined) jobs[at] = { ...job, state: "failed", exit_code: 143, classification: "stopped" };
      return succeed(`${name.id} was stopped`);
    },
    switchOff: (request) => {
      changes.push({ off: request });
      off.everywhere = { until: null };
      return succeed(null);
    },
    switchOn: (request) => {
      changes.push({ on: request });
      off.everywhere = null;
      return succeed(null);
    },
    purge: (request) => {
      changes.push({ purge: request });
      return succeed(runs.splice(0).length);
    },
  };
  const push = (run: RunDetail) => {
    runs.unshift(run);
    for (const tell of listeners) tell([run.row]);
  };
  return { sources, push, changes, log };
}

function isMeant(row: RunRow, filter: RunFilter): boolean {
  const text = `${row.prompt} ${row.repo} ${row.run_id} ${row.tools.join(" ")}`.toLowerCase();
  return (
    (filter.repo === undefined || row.repo === filter.repo) &&
    (filter.door === undefined || row.door === filter.door) &&
    (filter.intent === undefined || row.intent === filter.intent) &&
    (filter.outcome === undefined || row.outcome === filter.outcome) &&
    (filter.outcome !== undefined || filter.silent === true || row.outcome !== "silent") &&
    (filter.since_ms === undefined || Date.parse(row.created_at) >= filter.since_ms) &&
    (filter.before === undefined || row.key < filter.before) &&
    (filter.text ?? "")
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

function countRuns(rows: readonly RunRow[]): RunStats {
  const names = (list: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const name of list) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  const days = new Map<string, RunRow[]>();
  for (const row of rows.toReversed()) {
    const day = row.created_at.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  const { p50, p95, ...whole } = sum(rows);
  return {
    ...whole,
    latency_ms: { p50, p95 },
    tools: names(rows.flatMap(({ tools }) => tools)),
    silent_reasons: names(rows.map(({ reason }) => reason).filter((reason) => reason !== "")),
    repeated: Math.floor(rows.length / 9),
    useful: Math.floor(rows.length / 20),
    useless: Math.floor(rows.length / 90),
    per_day: Array.from(days, ([day, own]): DayStats => ({ day, ...sum(own) })),
  };
}

function sum(rows: readonly RunRow[]) {
  const times = rows
    .filter(({ outcome }) => outcome !== "silent")
    .map(({ duration_ms }) => duration_ms)
    .sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    runs: rows.length,
    with_evidence: rows.filter(({ outcome }) => outcome === "evidence").length,
    silent: rows.filter(({ outcome }) => outcome === "silent").length,
    p50: at(0.5),
    p95: at(0.95),
    injected_chars: rows.reduce((all, { injected_chars }) => all + injected_chars, 0),
  };
}
