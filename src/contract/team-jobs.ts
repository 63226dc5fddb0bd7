import type { ListedJob, SandboxMode } from "./codex-jobs.ts";

/** States of a team's job: those of local jobs, and those that only exist in a queue between machines. */
export const TEAM_JOB_STATES = ["queued", "running", "completed", "failed", "lost", "stopped"] as const;
/** State of a team's job. `lost`: its worker has not sent a heartbeat for too long. */
export type TeamJobState = (typeof TEAM_JOB_STATES)[number];

/** Sandboxes that a team's job may request; full access to another person's machine is not among them. */
export const TEAM_SANDBOXES = ["read-only", "workspace-write"] as const satisfies readonly SandboxMode[];
/** A sandbox that a team's job may request. */
export type TeamSandbox = (typeof TEAM_SANDBOXES)[number];

/** Limits of jobs, the same for senders and workers. */
export const TEAM_JOB_LIMITS = {
  /** A task is one program argument, which Linux limits to 128 KB. */
  taskBytes: 100_000,
  /** Maximum number of restarts of a job. */
  retries: 5,
  timeoutSeconds: 7 * 86_400,
  /** Length of the one-line reason why an attempt ended. */
  reasonChars: 1_000,
  /** Size of one piece of a log, and of the whole log of an attempt. */
  logChunkBytes: 64 * 1024,
  logBytes: 16 * 1024 * 1024,
  /** Size of one piece of a result, and of the whole result. */
  resultChunkBytes: 1024 * 1024,
  resultBytes: 64 * 1024 * 1024,
  /** Time without a heartbeat after which a worker loses its job, by the database's clock. */
  leaseSeconds: 90,
  /** Interval of a worker's heartbeats. */
  heartbeatMs: 15_000,
  /** Number of days that jobs are kept after their end, with log and result. */
  keptDays: 14,
  /** Maximum number of jobs in a list. */
  listed: 500,
} as const;

/** Header that authenticates an attempt: only the worker that claimed the job knows the value. */
export const FENCE_HEADER = "groundwork-fence";

/** A job as submitted to the queue. */
export interface TeamJobRequest {
  readonly repo: string;
  /** A commit, a branch or a tag; empty for what is checked out there. */
  readonly commit: string;
  readonly task: string;
  readonly tag: string;
  readonly sandbox: TeamSandbox;
  readonly network: boolean;
  /** Number of restarts if its worker is lost or fails; 0 for none. */
  readonly retry: number;
  /** Timeout in seconds; 0 for none. */
  readonly timeout_seconds: number;
}

/** An attempt of a worker. */
interface TeamJobAttempt {
  readonly attempt: number;
  readonly worker: string;
  readonly state: TeamJobState;
  readonly reason: string;
  readonly started_at: string;
  /** Null while it runs. */
  readonly ended_at: string | null;
}

/** A team's job, as printed by `status --team --json`. */
export interface TeamJob extends Pick<TeamJobRequest, "repo" | "sandbox" | "network" | "tag"> {
  readonly id: string;
  readonly state: TeamJobState;
  /** Null until the job has ended, or if no exit code was reported. */
  readonly exit_code: number | null;
  readonly classification: string;
  readonly reason: string;
  readonly tokens_used: string;
  /** The requested revision; once the job has started, the resolved commit. */
  readonly commit: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Start of the task, redacted. */
  readonly title: string;
  /** Number of the current or last attempt; 0 before the first. */
  readonly attempt: number;
  readonly retries_left: number;
  /** Name of the current or last worker; empty before the first. */
  readonly worker: string;
  readonly stop_asked: boolean;
  readonly log_bytes: number;
  /** True if the log was longer than the part that is stored. */
  readonly log_cut: boolean;
  /** The accepted result; null if nothing was changed or accepted. */
  readonly result: TeamJobResult | null;
  readonly attempts: readonly TeamJobAttempt[];
}

/** A result that the server has accepted: a git bundle with one branch. */
export interface TeamJobResult {
  readonly branch: string;
  /** The commit of the branch. */
  readonly head: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** One line of `list --team`. */
export interface ListedTeamJob extends Omit<ListedJob, "state"> {
  readonly state: TeamJobState;
  readonly repo: string;
  readonly attempt: number;
}

/** The jobs that a worker accepts. */
export interface TeamJobWish {
  readonly worker: string;
  /** Fence of the next attempt, chosen by the worker: a repeated request with the same fence gets the same job. */
  readonly fence: string;
  /** Accepted prefixes of the repository's address, each ending in a slash. */
  readonly prefixes: readonly string[];
  readonly max_sandbox: TeamSandbox;
  readonly network: boolean;
}

/** A job that a worker has claimed. */
export interface ClaimedTeamJob extends Omit<TeamJobRequest, "retry"> {
  readonly id: string;
  readonly attempt: number;
  readonly fence: string;
}

/** The end of an attempt, as reported by its worker. */
export interface TeamJobEnd extends Pick<TeamJob, "exit_code" | "classification" | "tokens_used" | "reason"> {
  /** `ended`: Codex has run to its end; `worker_failed`: the worker could not do its part; `stopped`: on request. */
  readonly how: "ended" | "worker_failed" | "stopped";
  /** The commit that the attempt started from; empty if it did not get that far. */
  readonly commit: string;
  /** The result that was uploaded before; null if nothing was changed. */
  readonly result: Pick<TeamJobResult, "head" | "bytes" | "sha256"> | null;
}

/** Branch name of a result. */
export function toBranch(job: string, attempt: number): string {
  return `codex/${job}/${attempt}`;
}
