import type { Outcome } from "../contract/faults.ts";
import type { TeamStats } from "../contract/figures.ts";
import type { RunDetail, RunFilter, RunRow, RunStats } from "../contract/run-history.ts";
import type { JobRow, JobView, LogPart, PageState, PurgeRequest, RepositoryView, SwitchRequest } from "./wire.ts";

/** One job in its folder. */
export interface JobName {
  readonly cwd: string;
  readonly id: string;
}

/** What the page shows and what it can ask for; `entry/` hands it in. */
export interface WebSources {
  readonly state: () => PageState;
  readonly listRuns: (filter: RunFilter) => readonly RunRow[];
  readonly countRuns: (filter: RunFilter) => number;
  /** By key or run id. */
  readonly findRun: (id: string) => RunDetail | null;
  readonly stats: (filter: { readonly since_ms?: number; readonly repo?: string }) => RunStats;
  /** Tells of new runs until the returned function is called. */
  readonly watchRuns: (onNew: (rows: readonly RunRow[]) => void) => () => void;
  /** What is known of a repository; null for one that no run is kept of. */
  readonly repository: (root: string) => Promise<RepositoryView | null>;
  /** Figures of the team for the last days; asks the team's server. */
  readonly teamStats: (days: number) => Promise<Outcome<TeamStats>>;
  /** The jobs of all known repositories, newest first. */
  readonly listJobs: () => Promise<readonly JobRow[]>;
  readonly findJob: (name: JobName) => Promise<Outcome<JobView>>;
  readonly readLog: (name: JobName, offset: number) => Outcome<LogPart>;
  /** Ends a job and says what came of it. */
  readonly stopJob: (name: JobName) => Promise<Outcome<string>>;
  readonly switchOff: (request: SwitchRequest) => Outcome<null>;
  readonly switchOn: (request: SwitchRequest) => Outcome<null>;
  /** Deletes runs and says how many. */
  readonly purge: (request: PurgeRequest) => Outcome<number>;
}
