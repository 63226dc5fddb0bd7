/** What Codex may touch. */
export const SANDBOX_MODES = ["read-only", "workspace-write", "danger-full-access"] as const;
/** What Codex may touch. */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** When Codex asks before it acts; today's `codex exec` never does, older ones did. */
export const APPROVAL_POLICIES = ["untrusted", "on-failure", "on-request", "never"] as const;

/** A piece of the instructions, in the order in which it was named. */
export type InstructionSource =
  /** A path, a glob, a folder, `@list` or `-`, read when the instructions are put together. */
  | { readonly kind: "file"; readonly path: string }
  /** A folder, all Markdown below it. */
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "prepend-text" | "append-text"; readonly text: string }
  | { readonly kind: "prepend-file" | "append-file"; readonly path: string };

/** What a run is asked for: the options of start.sh, read. */
export interface StartOptions {
  readonly help: boolean;
  readonly dryRun: boolean;
  /** True where stdout is the run's meta.json. */
  readonly json: boolean;
  readonly sources: readonly InstructionSource[];
  /** File, or `-`, that takes the place of the base text; null where none was named. */
  readonly baseFile: string | null;
  /** The log's own path; null where it follows from folder, tag and time. */
  readonly logFile: string | null;
  readonly logFolder: string | null;
  /** True where all runs share one folder. */
  readonly isFlat: boolean;
  readonly tag: string;
  /** Whether the log shows the instructions, and how many lines of them; 0 means all. */
  readonly echoes: boolean;
  readonly echoLimit: number;
  /** Everything for Codex, in the order given: policy, configuration, profile, and what nobody here knows. */
  readonly codexArgs: readonly string[];
  readonly redacts: boolean;
  /** Patterns that take the place of the usual ones; empty where none was named. */
  readonly redactPatterns: readonly string[];
  readonly replacement: string;
  readonly patchMode: boolean;
  /** Checked once `repeatUntil` is met. */
  readonly requireChangeIn: readonly string[];
  readonly requireGitCommit: boolean;
  readonly autoCommit: boolean;
  readonly autoCommitMessage: string;
  /** Whether that commit is made with the repository's own settings, its hooks, filters and signatures among them. */
  readonly commitHooks: boolean;
  /** Pattern of a last message that ends the iterations; null where only their number does. */
  readonly repeatUntil: string | null;
  readonly maxRuns: number;
  readonly sleepSeconds: number;
  readonly carriesContext: boolean;
  readonly compressesContext: boolean;
  readonly contextHead: number;
  readonly contextGrep: readonly string[];
  /** How often a context overflow is tried again; 0 means never. */
  readonly overflowRetries: number;
  readonly aggregates: boolean;
  readonly aggregateFile: string | null;
  readonly aggregateJsonlFile: string | null;
  /** Whether the prompt is first given evidence about the repository. */
  readonly withContext: boolean;
  /** Seconds after which Codex is ended; 0 means never. */
  readonly timeoutSeconds: number;
  /** Codex's own id of the session to go on in; null for a new one. */
  readonly resumeThread: string | null;
  /** Things worth saying that are no errors, each a line of the log and of stderr. */
  readonly warnings: readonly string[];
}

/** Usage errors, conflicts and missing files: whatever is refused. */
export const EXIT_USAGE = 2;
/** No codex on the PATH. */
export const EXIT_NO_CODEX = 127;

/** Where a run's products lie. */
export interface SessionPaths {
  readonly folder: string;
  readonly log: string;
  /** The log's path without its ending: products of iterations are named after it. */
  readonly base: string;
  readonly instructions: string;
  readonly meta: string;
  readonly events: string;
}

/** How a run ended, as `outcome.json` keeps it. Contract: exactly these names; all strings but `exit_code`. */
export interface RunEnd {
  readonly exit_code: number;
  readonly classification: string;
  /** Empty where nobody told. */
  readonly tokens_used: string;
  readonly title: string;
  readonly reason: string;
}

/** A run and how it ended, as `meta.json` has it. Contract: exactly these names; all strings but `exit_code`. */
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

/** What a job is doing. `queued` exists only where a limit of parallel jobs was named. */
export type JobStateName = "queued" | "running" | "completed" | "failed";

/** A job's state, as `status` tells and `state.json` keeps it. Contract: exactly these names. */
export interface JobState {
  readonly id: string;
  /** Process id of its supervisor; 0 while it is queued. */
  readonly pid: number;
  readonly state: JobStateName;
  /** Null while it is not over; -1 where it ended without telling. */
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

/** What `start` answers with. */
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
