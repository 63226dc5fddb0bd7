import type { SandboxMode } from "./codex-jobs.ts";

/** What a job of a team is doing: as locally, and what only a queue between machines knows. */
export const TEAM_JOB_STATES = ["queued", "running", "completed", "failed", "lost", "stopped"] as const;
/** What a job of a team is doing. `lost`: its worker was not heard of for too long. */
export type TeamJobState = (typeof TEAM_JOB_STATES)[number];

/** What a job of a team may ask for; full access to somebody else's machine is not among it. */
export const TEAM_SANDBOXES = ["read-only", "workspace-write"] as const satisfies readonly SandboxMode[];
/** What a job of a team may ask for. */
export type TeamSandbox = (typeof TEAM_SANDBOXES)[number];

/** What is bounded about jobs, the same for whoever sends and whoever takes. */
export const TEAM_JOB_LIMITS = {
  /** A task is one argument of a program, of which Linux takes 128 KB. */
  taskBytes: 100_000,
  /** How often a job may be begun again. */
  retries: 5,
  timeoutSeconds: 7 * 86_400,
  /** Why an attempt ended, in one line. */
  reasonChars: 1_000,
  /** Of one piece of a log, and of the whole log of an attempt. */
  logChunkBytes: 64 * 1024,
  logBytes: 16 * 1024 * 1024,
  /** The same of a result. */
  resultChunkBytes: 1024 * 1024,
  resultBytes: 64 * 1024 * 1024,
  /** A worker that is not heard of for so long has lost its job, by the database's clock. */
  leaseSeconds: 90,
  /** How often a worker says that it is there. */
  heartbeatMs: 15_000,
  /** How long jobs are kept after their end, with log and result. */
  keptDays: 14,
  /** Most jobs of one list. */
  listed: 500,
} as const;

/** Header that proves whose attempt it is: only who has claimed the job knows it. */
export const FENCE_HEADER = "groundwork-fence";

/** A job as somebody puts it in the queue. */
export interface TeamJobRequest {
  readonly repo: string;
  /** A commit, a branch or a tag; empty for what is checked out there. */
  readonly commit: string;
  readonly task: string;
  readonly tag: string;
  readonly sandbox: TeamSandbox;
  readonly network: boolean;
  /** How often it is begun again where its worker is lost or fails; 0 for never. */
  readonly retry: number;
  /** 0 for as long as it takes. */
  readonly timeout_seconds: number;
}

/** One try of a worker. */
interface TeamJobAttempt {
  readonly attempt: number;
  readonly worker: string;
  readonly state: TeamJobState;
  readonly reason: string;
  readonly started_at: string;
  /** Null while it goes on. */
  readonly ended_at: string | null;
}

/** A job of a team, as `status --team --json` tells it. */
export interface TeamJob {
  readonly id: string;
  readonly state: TeamJobState;
  /** Null while it is not over, and where nobody has told. */
  readonly exit_code: number | null;
  readonly classification: string;
  readonly reason: string;
  readonly tokens_used: string;
  readonly repo: string;
  /** As it was asked for, and from its beginning on the commit that it is. */
  readonly commit: string;
  readonly sandbox: TeamSandbox;
  readonly network: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tag: string;
  /** Beginning of the task, without secrets. */
  readonly title: string;
  /** Number of the attempt that runs or has run last; 0 before the first. */
  readonly attempt: number;
  readonly retries_left: number;
  /** Name of the worker that has it or had it last; empty before the first. */
  readonly worker: string;
  readonly stop_asked: boolean;
  readonly log_bytes: number;
  /** True where the log was longer than what is kept. */
  readonly log_cut: boolean;
  /** What came of it; null where nothing was changed, or nothing was accepted. */
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
export interface ListedTeamJob {
  readonly id: string;
  readonly state: TeamJobState;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tag: string;
  readonly title: string;
  readonly repo: string;
  readonly attempt: number;
}

/** What a worker takes. */
export interface TeamJobWish {
  readonly worker: string;
  /** The fence of the attempt to be, made up by the worker: asked again with the same one, it gets the same job. */
  readonly fence: string;
  /** Addresses, each ending in a slash, that a repository's must begin with. */
  readonly prefixes: readonly string[];
  readonly max_sandbox: TeamSandbox;
  readonly network: boolean;
}

/** A job that a worker has claimed. */
export interface ClaimedTeamJob
  extends Pick<TeamJobRequest, "repo" | "commit" | "task" | "tag" | "sandbox" | "network"> {
  readonly id: string;
  readonly attempt: number;
  readonly fence: string;
  readonly timeout_seconds: number;
}

/** How an attempt ended, as a worker hands it in. */
export interface TeamJobEnd {
  /** `ended`: Codex has run to its end; `worker_failed`: the worker could not do its part; `stopped`: on request. */
  readonly how: "ended" | "worker_failed" | "stopped";
  readonly exit_code: number | null;
  readonly classification: string;
  readonly tokens_used: string;
  readonly reason: string;
  /** The commit that it began with; empty where it did not come to that. */
  readonly commit: string;
  /** What was handed in before; null where nothing was changed. */
  readonly result: Pick<TeamJobResult, "head" | "bytes" | "sha256"> | null;
}

/** The branch that a result is. */
export function toBranch(job: string, attempt: number): string {
  return `codex/${job}/${attempt}`;
}
