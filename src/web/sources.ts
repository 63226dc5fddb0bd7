import type { Outcome } from "../contract/faults.ts";
import type { TeamStats } from "../contract/figures.ts";
import type { RunDetail, RunFilter, RunRow, RunStats } from "../contract/run-history.ts";
import type { JobRow, JobView, LogPart, PageState, PurgeRequest, RepositoryView, SwitchRequest } from "./wire.ts";

/** Identifies a job in its folder. */
export interface JobName {
  readonly cwd: string;
  readonly id: string;
}

/** Data and actions of the page; provided by `entry/`. */
export interface WebSources {
  readonly state: () => PageState;
  readonly listRuns: (filter: RunFilter) => readonly RunRow[];
  readonly countRuns: (filter: RunFilter) => number;
  /** Finds a run by key or run id. */
  readonly findRun: (id: string) => RunDetail | null;
  readonly stats: (filter: Pick<RunFilter, "repo" | "since_ms">) => RunStats;
  /** Calls `onNew` with new runs until the returned function is called. */
  readonly watchRuns: (onNew: (rows: readonly RunRow[]) => void) => () => void;
  /** Data about a repository; null if it is unknown to the page. */
  readonly repository: (root: string) => Promise<RepositoryView | null>;
  /** Figures of the team for the last days, fetched from the team server. */
  readonly teamStats: (days: number) => Promise<Outcome<TeamStats>>;
  /** The jobs of all known repositories, newest first. */
  readonly listJobs: () => Promise<readonly JobRow[]>;
  readonly findJob: (name: JobName) => Promise<Outcome<JobView>>;
  readonly readLog: (name: JobName, offset: number) => Outcome<LogPart>;
  /** Stops a job and returns a message about the result. */
  readonly stopJob: (name: JobName) => Promise<Outcome<string>>;
  readonly switchOff: (request: SwitchRequest) => Outcome<null>;
  readonly switchOn: (request: SwitchRequest) => Outcome<null>;
  /** Deletes runs and returns their number. */
  readonly purge: (request: PurgeRequest) => Outcome<number>;
}
