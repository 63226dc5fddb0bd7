import type { JobState } from "../contract/codex-jobs.ts";
import type { TeamStats } from "../contract/figures.ts";
import type { RunDetail, RunRow } from "../contract/run-history.ts";

/** Where and until when everything is switched off. */
interface OffSwitch {
  /** ISO 8601; null until it is switched on again. */
  readonly until: string | null;
}

/** What is switched off. */
export interface OffView {
  /** Null where it is on. */
  readonly everywhere: OffSwitch | null;
  readonly repos: readonly (OffSwitch & { readonly repo: string })[];
  /** Why everything counts as off although nobody said so; empty otherwise. */
  readonly damage: string;
}

/** What the page has to know before it shows anything. */
export interface PageState {
  readonly version: string;
  /** What is kept of a run. */
  readonly history: "full" | "no-prompts" | "off";
  /** How long runs are kept, and how much room they may take. */
  readonly history_days: number;
  readonly history_mb: number;
  readonly off: OffView;
  /** Address of a place in the user's editor, with `{path}` and `{line}`; empty where there are to be no links. */
  readonly editor_link: string;
  /** True where a team's server is named. */
  readonly has_team: boolean;
  /** Repositories that runs are kept of, and the one that the page was started in. */
  readonly repos: readonly string[];
  /** The repository that the page was started in; empty where that is none. */
  readonly here: string;
}

/** Some runs, newest first. */
export interface RunList {
  readonly runs: readonly RunRow[];
  /** How many there are in all. */
  readonly total: number;
}

/** One run, and what its client's name says of it. */
export interface RunView extends RunDetail {
  /** The client's name for people. */
  readonly client_title: string;
  /** How the client counts. */
  readonly unit: "utf16" | "bytes";
  /** Size of the injected text in that unit. */
  readonly injected_size: number;
}

/** How far an index is: there is none, it is being built, it is behind the files, or it has everything. */
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

/** A place that runs found again and again. */
export interface AskedPlace {
  readonly path: string;
  readonly symbol: string;
  /** Null where only the file is meant. */
  readonly line: number | null;
  /** How many runs named it. */
  readonly runs: number;
}

/** What is known of a repository. */
export interface RepositoryView {
  readonly root: string;
  readonly name: string;
  readonly tech_stack: readonly string[];
  readonly index: {
    readonly progress: IndexProgress;
    /** What is still to come, while it is being built. */
    readonly phase: string;
    /** ISO 8601; null where nothing was written yet. */
    readonly updated_at: string | null;
    /** Why it is damaged; empty otherwise. */
    readonly note: string;
  };
  readonly files: number;
  readonly lines: number;
  readonly symbols: number;
  /** Most lines first. */
  readonly languages: readonly { readonly language: string; readonly files: number; readonly lines: number }[];
  /** Highest score first. */
  readonly hotspots: readonly HotFile[];
  /** Days that were counted for them; 0 where there is no history. */
  readonly hotspot_days: number;
  /** Most runs first. */
  readonly asked: readonly AskedPlace[];
  /** How many runs were looked at for them. */
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
  /** Null where they could not be had. */
  readonly stats: TeamStats | null;
  /** Why not; empty otherwise. */
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
  /** Null for a file that is no text. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** A job, and what is changed and not committed in its folder at the moment. */
export interface JobView {
  readonly job: JobRow;
  /** Null where git cannot tell. */
  readonly changes: readonly ChangedFile[] | null;
}

/** A piece of a log. */
export interface LogPart {
  readonly text: string;
  /** Where the next piece begins, in bytes. */
  readonly next: number;
  /** True where the log has no more at the moment. */
  readonly eof: boolean;
  /** Its whole size in bytes. */
  readonly size: number;
}

/** What is to be switched off or on: everything, or one repository; for so many minutes, or until further notice. */
export interface SwitchRequest {
  readonly repo?: string;
  readonly minutes?: number;
}

/** Which runs are to be deleted: all, those of a repository, or those before a moment (ISO 8601). */
export type PurgeRequest = { readonly all: true } | { readonly repo: string } | { readonly before: string };
