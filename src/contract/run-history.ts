import type { RunDocument } from "./run-document.ts";

/** Entry points of runs. */
export const RUN_DOORS = ["hook", "codex", "cli", "library", "mcp"] as const;
/** An entry point. */
export type RunDoor = (typeof RUN_DOORS)[number];

/** Outcomes of a run: full evidence, a short guess, only a plan, nothing injected, or a failure. */
export const RUN_OUTCOMES = ["evidence", "guess", "plan", "silent", "failed"] as const;
/** One of the outcomes. */
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** Verdicts that a person can give on a run. */
export const VERDICTS = ["useful", "useless"] as const;
/** A person's verdict on a run. */
export type Verdict = (typeof VERDICTS)[number];

/** A run in a list. */
export interface RunRow {
  /** Unique, and sorts by time. */
  readonly key: string;
  /** Id of the run document; the same question may have the same id again. */
  readonly run_id: string;
  /** Start time, ISO 8601 with milliseconds, UTC; the real time even if the document has none. */
  readonly created_at: string;
  /** Real path of the repository; empty if unknown. */
  readonly repo: string;
  readonly door: RunDoor;
  readonly client: string;
  readonly intent: string;
  readonly outcome: RunOutcome;
  readonly injected_chars: number;
  readonly duration_ms: number;
  /** Names of the tools that ran, or would run. */
  readonly tools: readonly string[];
  readonly limits: readonly string[];
  /** Why nothing was injected: one of its limits, in words; empty for other outcomes. */
  readonly reason: string;
  /** Start of the redacted prompt in one line; empty if no text is stored. */
  readonly prompt: string;
  readonly verdict: Verdict | null;
}

/** Stages of a run, in order. */
export type Stage = "judge" | "look" | "plan" | "run" | "conclude";

/** One interval of a run, in milliseconds from its start. */
export interface TimelinePart {
  readonly stage: Stage;
  /** Set for a tool call. */
  readonly tool?: string;
  readonly start_ms: number;
  readonly duration_ms: number;
  /** Status of the tool call. */
  readonly status?: string;
}

/** Everything that is stored of one run. */
export interface RunDetail {
  readonly row: RunRow;
  /** Null if only the row is stored. */
  readonly document: RunDocument | null;
  /** The exact text that the model was given. */
  readonly injected: string;
  /** The client's cap, in the client's own unit; 0 if it has none. */
  readonly client_max: number;
  readonly timeline: readonly TimelinePart[];
  /** Parts that were removed from the document to limit its size, in words. */
  readonly cut: readonly string[];
}

/** Filter for runs; absent keys match everything. */
export interface RunFilter {
  readonly repo?: string | undefined;
  readonly door?: RunDoor | undefined;
  readonly intent?: string | undefined;
  readonly outcome?: RunOutcome | undefined;
  /** True to include silent runs. */
  readonly silent?: boolean | undefined;
  /** Words that occur in the prompt, the repository, the run id or the names of tools. */
  readonly text?: string | undefined;
  readonly since_ms?: number | undefined;
  /** Only runs that started before this time. */
  readonly before_ms?: number | undefined;
  /** Only runs before the one with this key. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

/** State of the history, for the doctor. */
export interface HistoryHealth {
  readonly state: "none" | "readable" | "locked" | "damaged" | "newer";
  /** Details of the state; empty if there are none. */
  readonly why: string;
  readonly runs: number;
  /** Disk space that the history uses. */
  readonly bytes: number;
  /** Paths of damaged stores that were moved aside. */
  readonly aside: readonly string[];
  /** Why nothing can be written; empty if writing works. */
  readonly writeTrouble: string;
  /** Null if no figures are shared with a team. */
  readonly sharing: SharingState | null;
}

/** State of sharing figures with a team's server. */
export interface SharingState {
  /** Start of the shared period, in milliseconds since the epoch. */
  readonly since: number;
  /** Time of the last attempt to send, successful or not; 0 for never. */
  readonly triedAt: number;
  readonly sentAt: number;
  /** Why the last attempt failed; empty if it succeeded. */
  readonly trouble: string;
  /** Number of pending batches. */
  readonly waiting: number;
}

/** Figures of many runs. */
export interface RunStats extends Pick<DayStats, "runs" | "with_evidence" | "silent" | "injected_chars"> {
  readonly latency_ms: { readonly p50: number; readonly p95: number };
  /** Tool name → runs that used it. */
  readonly tools: Readonly<Record<string, number>>;
  /** Reason for injecting nothing → runs. */
  readonly silent_reasons: Readonly<Record<string, number>>;
  /** Runs whose question had been asked before in that repository. */
  readonly repeated: number;
  readonly useful: number;
  readonly useless: number;
  readonly per_day: readonly DayStats[];
}

/** Figures of one day: in the reader's time zone for own runs, in UTC for a team. */
export interface DayStats {
  readonly day: string;
  readonly runs: number;
  readonly with_evidence: number;
  readonly silent: number;
  readonly p50: number;
  readonly p95: number;
  readonly injected_chars: number;
}
