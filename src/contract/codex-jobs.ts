/** Codex's access rights. */
export const SANDBOX_MODES = ["read-only", "workspace-write", "danger-full-access"] as const;
/** Codex's access rights. */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** When Codex asks before acting; the current `codex exec` never does, older versions did. */
export const APPROVAL_POLICIES = ["untrusted", "on-failure", "on-request", "never"] as const;

/** A source of the instructions; sources keep the order of the command line. */
export type InstructionSource =
  /** A path, a glob, a folder, `@list` or `-`, read when the instructions are assembled. */
  | { readonly kind: "file"; readonly path: string }
  /** A folder, with all Markdown files below it. */
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "prepend-text" | "append-text"; readonly text: string }
  | { readonly kind: "prepend-file" | "append-file"; readonly path: string };

/** Parsed options of start.sh. */
export interface StartOptions {
  readonly help: boolean;
  readonly dryRun: boolean;
  /** True if stdout must be the run's meta.json. */
  readonly json: boolean;
  readonly sources: readonly InstructionSource[];
  /** File, or `-`, that replaces the base text; null if not given. */
  readonly baseFile: string | null;
  /** Path of the log; null if it is derived from folder, tag and time. */
  readonly logFile: string | null;
  readonly logFolder: string | null;
  /** True if all runs share one folder. */
  readonly isFlat: boolean;
  readonly tag: string;
  /** Whether the log shows the instructions, and how many lines of them; 0 means all. */
  readonly echoes: boolean;
  readonly echoLimit: number;
  /** All arguments for Codex in the given order: policy, configuration, profile, and options unknown to us. */
  readonly codexArgs: readonly string[];
  readonly redacts: boolean;
  /** Patterns that replace the default ones; empty if none were given. */
  readonly redactPatterns: readonly string[];
  readonly replacement: string;
  readonly patchMode: boolean;
  /** Checked once `repeatUntil` is met. */
  readonly requireChangeIn: readonly string[];
  readonly requireGitCommit: boolean;
  readonly autoCommit: boolean;
  readonly autoCommitMessage: string;
  /** Whether that commit uses the repository's own settings, including its hooks, filters and signatures. */
  readonly commitHooks: boolean;
  /** Pattern of a last message that ends the iterations; null if only `maxRuns` does. */
  readonly repeatUntil: string | null;
  readonly maxRuns: number;
  readonly sleepSeconds: number;
  readonly carriesContext: boolean;
  readonly compressesContext: boolean;
  readonly contextHead: number;
  readonly contextGrep: readonly string[];
  /** Number of retries after a context overflow; 0 means none. */
  readonly overflowRetries: number;
  readonly aggregates: boolean;
  readonly aggregateFile: string | null;
  readonly aggregateJsonlFile: string | null;
  /** Whether evidence about the repository is added to the prompt first. */
  readonly withContext: boolean;
  /** Timeout in seconds after which Codex is terminated; 0 means none. */
  readonly timeoutSeconds: number;
  /** Codex's id of the session to resume; null for a new session. */
  readonly resumeThread: string | null;
  /** Warnings, each written as a line to the log and to stderr. */
  readonly warnings: readonly string[];
}

/** Usage errors, conflicts, missing files and all other refusals. */
export const EXIT_USAGE = 2;
/** No codex on the PATH. */
export const EXIT_NO_CODEX = 127;

/** Paths of a run's output files. */
export interface SessionPaths {
  readonly folder: string;
  readonly log: string;
  /** The log's path without its extension, from which the names of iteration files are derived. */
  readonly base: string;
  readonly instructions: string;
  readonly meta: string;
  readonly events: string;
}

/** How a run ended, as stored in `outcome.json`. Contract: exactly these names; all strings except `exit_code`. */
export interface RunEnd {
  readonly exit_code: number;
  readonly classification: string;
  /** Empty if unknown. */
  readonly tokens_used: string;
  readonly title: string;
  readonly reason: string;
}

/** A run and how it ended, as stored in `meta.json`. Contract: exactly these names; all strings except `exit_code`. */
export interface RunMeta extends RunEnd {
  readonly id: string;
  readonly timestamp: string;
  readonly tag: string;
  /** `DONE`, `CONTINUE` or empty. */
  readonly control_flag: string;
  readonly cwd: string;
  readonly log_file: string;
  readonly instructions_file: string;
}

/** State of a job. `queued` occurs only with a limit of parallel jobs. */
export type JobStateName = "queued" | "running" | "completed" | "failed";

/** A job's state, as printed by `status` and stored in `state.json`. Contract: exactly these names. */
export interface JobState {
  readonly id: string;
  /** Process id of its supervisor; 0 while queued. */
  readonly pid: number;
  readonly state: JobStateName;
  /** Null until the job has ended; -1 if it ended without reporting an exit code. */
  readonly exit_code: number | null;
  readonly classification: string;
  readonly tokens_used: string;
  readonly cwd: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tag: string;
  readonly log_file: string;
  readonly meta_glob: string;
  readonly last_message_glob: string;
  readonly title: string;
}

/** The response of `start`. */
export interface StartedJob {
  readonly jobId: string;
  readonly pid: number;
  readonly cwd: string;
  readonly logFile: string;
  readonly metaGlob: string;
  readonly lastMessageGlob: string;
  readonly tag: string;
}

/** One line of `list`. */
export interface ListedJob {
  readonly id: string;
  readonly state: JobStateName;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tag: string;
  readonly title: string;
}
