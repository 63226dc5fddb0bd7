import type { JobState, JobStateName } from "../../contract/codex-jobs.ts";
import { toTokens } from "./record-texts.ts";
import { isFinished } from "./status.ts";

/** Aggregated figures of the jobs of a folder. */
export interface JobMetrics {
  readonly total: number;
  readonly states: Readonly<Record<JobStateName, number>>;
  /** Of finished jobs. */
  readonly classifications: Readonly<Record<string, number>>;
  /** Sum over all jobs that report a count. */
  readonly tokens_used: number;
  /** Of finished jobs: from creation, time in the queue included, to the end; null if there are none. */
  readonly average_seconds: number | null;
  readonly longest_seconds: number | null;
  readonly first_created_at: string | null;
  readonly last_created_at: string | null;
}

/** Counts jobs. Contract: pure. */
export function countJobs(jobs: readonly JobState[]): JobMetrics {
  const count = (state: JobStateName) => jobs.filter((job) => job.state === state).length;
  const over = jobs.filter(isFinished);
  const seconds = over
    .map(({ created_at, updated_at }) => (Date.parse(updated_at) - Date.parse(created_at)) / 1_000)
    .filter((each) => each >= 0);
  const created = jobs.map(({ created_at }) => created_at).sort();
  const classes = over.map(({ classification }) => classification || "unknown").sort();
  return {
    total: jobs.length,
    states: {
      queued: count("queued"),
      running: count("running"),
      completed: count("completed"),
      failed: count("failed"),
    },
    classifications: Object.fromEntries(
      [...new Set(classes)].map((name) => [name, classes.filter((each) => each === name).length]),
    ),
    tokens_used: jobs.reduce((sum, { tokens_used }) => sum + Number(toTokens(tokens_used)), 0),
    average_seconds: seconds.length === 0 ? null : Math.round(seconds.reduce((a, b) => a + b, 0) / seconds.length),
    longest_seconds: seconds.length === 0 ? null : Math.max(...seconds),
    first_created_at: created[0] ?? null,
    last_created_at: created.at(-1) ?? null,
  };
}
