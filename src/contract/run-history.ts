import type { RunDocument } from "./run-document.ts";

/** Doors by which a run comes in. */
export const RUN_DOORS = ["hook", "codex", "cli", "library", "mcp"] as const;
/** One of the doors. */
export type RunDoor = (typeof RUN_DOORS)[number];

/** What became of a run: evidence was given, a short guess was, it was only planned, nothing was injected, or it failed. */
export const RUN_OUTCOMES = ["evidence", "guess", "plan", "silent", "failed"] as const;
/** One of the outcomes. */
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** What a person may say of a run. */
export const VERDICTS = ["useful", "useless"] as const;
/** What a person said of a run. */
export type Verdict = (typeof VERDICTS)[number];

/** One run in a list. */
export interface RunRow {
  /** Unique, and sorts by time. */
  readonly key: string;
  /** Id of the run document; the same question may have the same id again. */
  readonly run_id: string;
  /** When it began, ISO 8601 with milliseconds, UTC; the real time also where the document tells none. */
  readonly created_at: string;
  /** Real path of the repository; empty where none is known. */
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
  /** Beginning of the cleaned prompt, in one line; empty where no text is kept. */
  readonly prompt: string;
  readonly verdict: Verdict | null;
}

/** Stages of a run, in their order. */
export type Stage = "judge" | "look" | "plan" | "run" | "conclude";

/** One piece of a run's time, in milliseconds from its beginning. */
export interface TimelinePart {
  readonly stage: Stage;
  /** Set for the call of a tool. */
  readonly tool?: string;
  readonly start_ms: number;
  readonly duration_ms: number;
  /** Status of that call. */
  readonly status?: string;
}

/** All that is kept of one run. */
export interface RunDetail {
  readonly row: RunRow;
  /** Null where only the row is kept. */
  readonly document: RunDocument | null;
  /** Exactly what the model was given. */
  readonly injected: string;
  /** The client's cap, in the client's own unit; 0 where it has none. */
  readonly client_max: number;
  readonly timeline: readonly TimelinePart[];
  /** What was left out of the document to keep it small, in words. */
  readonly cut: readonly string[];
}

/** Which runs are wanted; what is absent does not matter. */
export interface RunFilter {
  readonly repo?: string;
  readonly door?: RunDoor;
  readonly intent?: string;
  readonly outcome?: RunOutcome;
  /** True = silent runs, too. */
  readonly silent?: boolean;
  /** Words that stand in the prompt, the repository, the run id or the names of tools. */
  readonly text?: string;
  readonly since_ms?: number;
  /** Only runs before the one with this key. */
  readonly before?: string;
  readonly limit?: number;
}

/** How the history is, for the doctor. */
export interface HistoryHealth {
  readonly state: "none" | "readable" | "locked" | "damaged" | "newer";
  /** More about the state; empty where there is nothing to say. */
  readonly why: string;
  readonly runs: number;
  /** All that the history takes on the disk. */
  readonly bytes: number;
  /** Paths of damaged stores that were set aside. */
  readonly aside: readonly string[];
  /** Why nothing can be written; empty where it can. */
  readonly writeTrouble: string;
  /** Null where no figures are shared with a team. */
  readonly sharing: SharingState | null;
}

/** How it stands with the figures that are sent to a team's server. */
export interface SharingState {
  /** Runs since then count, in milliseconds since the epoch. */
  readonly since: number;
  /** When they were last sent, or tried to be; 0 for never. */
  readonly triedAt: number;
  readonly sentAt: number;
  /** Why they could not be sent the last time; empty where they could. */
  readonly trouble: string;
  /** Batches that wait. */
  readonly waiting: number;
}

/** Figures of many runs. */
export interface RunStats {
  readonly runs: number;
  readonly with_evidence: number;
  readonly silent: number;
  readonly latency_ms: { readonly p50: number; readonly p95: number };
  readonly injected_chars: number;
  /** Name of a tool → runs that used it. */
  readonly tools: Readonly<Record<string, number>>;
  /** Why nothing was injected → runs. */
  readonly silent_reasons: Readonly<Record<string, number>>;
  /** Runs whose question had been asked before in that repository. */
  readonly repeated: number;
  readonly useful: number;
  readonly useless: number;
  readonly per_day: readonly DayStats[];
}

/** Figures of one day, in the reader's time zone. */
export interface DayStats {
  readonly day: string;
  readonly runs: number;
  readonly with_evidence: number;
  readonly silent: number;
  readonly p50: number;
  readonly p95: number;
  readonly injected_chars: number;
}
