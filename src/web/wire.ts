import type { JobState } from "../contract/codex-jobs.ts";
import type { TeamStats } from "../contract/figures.ts";
import type { RunDetail, RunRow } from "../contract/run-history.ts";

/** An active switch-off and its end. */
interface OffSwitch {
  /** ISO 8601; null until it is switched on again. */
  readonly until: string | null;
}

/** Everything that is switched off. */
export interface OffView {
  /** Null if it is on. */
  readonly everywhere: OffSwitch | null;
  readonly repos: readonly (OffSwitch & { readonly repo: string })[];
  /** Why everything counts as off without a switch; empty otherwise. */
  readonly damage: string;
}

/** Data that the page needs before it shows anything. */
export interface PageState {
  readonly version: string;
  /** How much is kept of a run. */
  readonly history: "full" | "no-prompts" | "off";
  /** Maximum age and size of the kept runs. */
  readonly history_days: number;
  readonly history_mb: number;
  readonly off: OffView;
  /** URL template of the user's editor, with `{path}` and `{line}`; empty for no links. */
  readonly editor_link: string;
  /** True if a team server is configured. */
  readonly has_team: boolean;
  /** Repositories with kept runs, and the one that the page was started in. */
  readonly repos: readonly string[];
  /** The repository that the page was started in; empty if there is none. */
  readonly here: string;
}

/** A page of runs, newest first. */
export interface RunList {
  readonly runs: readonly RunRow[];
  /** Total number of matching runs. */
  readonly total: number;
}

/** A run, with details derived from its client. */
export interface RunView extends RunDetail {
  /** Display name of the client. */
  readonly client_title: string;
  /** Unit in which the client measures text. */
  readonly unit: "utf16" | "bytes";
  /** Size of the injected text in that unit. */
  readonly injected_size: number;
}

/** State of an index: none, switched off, damaged, being built, behind the files, or complete. */
export type IndexProgress = "none" | "off" | "damaged" | "building" | "behind" | "ready";

/** A file that changes often and is complex. */
export interface HotFile {
  readonly path: string;
  readonly lines: number;
  readonly commits: number;
  readonly authors: number;
  readonly complexity: number;
  /** Commits × complexity. */
  readonly score: number;
}

/** A place that runs named repeatedly. */
export interface AskedPlace {
  readonly path: string;
  readonly symbol: string;
  /** Null if only the file is meant. */
  readonly line: number | null;
  /** Number of runs that named it. */
  readonly runs: number;
}

/** Data about a repository. */
export interface RepositoryView {
  readonly root: string;
  readonly name: string;
  readonly tech_stack: readonly string[];
  readonly index: {
    readonly progress: IndexProgress;
    /** Current phase of the build. */
    readonly phase: string;
    /** ISO 8601; null if nothing has been written yet. */
    readonly updated_at: string | null;
    /** Why the index is damaged; empty otherwise. */
    readonly note: string;
  };
  readonly files: number;
  readonly lines: number;
  readonly symbols: number;
  /** Most lines first. */
  readonly languages: readonly { readonly language: string; readonly files: number; readonly lines: number }[];
  /** Highest score first. */
  readonly hotspots: readonly HotFile[];
  /** Number of days counted for them; 0 if there is no history. */
  readonly hotspot_days: number;
  /** Most runs first. */
  readonly asked: readonly AskedPlace[];
  /** Number of runs examined for them. */
  readonly asked_runs: number;
  readonly commits: readonly {
    readonly id: string;
    readonly time: string;
    readonly author: string;
    readonly subject: string;
  }[];
}

/** Figures of the user's team. */
export interface TeamView {
  /** Null if they could not be fetched. */
  readonly stats: TeamStats | null;
  /** Why they could not be fetched; empty otherwise. */
  readonly trouble: string;
}

/** A Codex job as lists show it. */
export type JobRow = Pick<
  JobState,
  | "id"
  | "state"
  | "exit_code"
  | "classification"
  | "tokens_used"
  | "cwd"
  | "created_at"
  | "updated_at"
  | "tag"
  | "title"
>;

/** A changed file. */
export interface ChangedFile {
  readonly path: string;
  /** Null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** A job and the uncommitted changes in its folder. */
export interface JobView {
  readonly job: JobRow;
  /** Null if git cannot determine them. */
  readonly changes: readonly ChangedFile[] | null;
}

/** A piece of a log. */
export interface LogPart {
  readonly text: string;
  /** Offset of the next piece in bytes. */
  readonly next: number;
  /** True if the log has no more data at the moment. */
  readonly eof: boolean;
  /** Total size of the log in bytes. */
  readonly size: number;
}

/** What to switch off or on: everything, or one repository; for some minutes, or until further notice. */
export interface SwitchRequest {
  readonly repo?: string;
  readonly minutes?: number;
}

/** Which runs to delete: all, those of a repository, or those before a time (ISO 8601). */
export type PurgeRequest = { readonly all: true } | { readonly repo: string } | { readonly before: string };
