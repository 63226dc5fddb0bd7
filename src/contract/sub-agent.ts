import type { ToolFinding } from "./finding.ts";

/** How much a sub-agent may do. */
export interface SubAgentBounds {
  /** Names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly maxSteps: number;
  readonly maxMs: number;
  /** Characters of results, as JSON, that it may take in. */
  readonly maxChars: number;
}

/** What became of one call that a sub-agent made. */
export interface ChainedResult {
  readonly status: "ok" | "timeout" | "skipped" | "error";
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The places that the data tells of; null where it tells of none. */
  readonly findings: readonly ToolFinding[] | null;
  readonly error: string;
}

/** One step as the result tells it. */
export interface SubAgentStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: ChainedResult["status"];
  /** Why the step was taken. */
  readonly why: string;
  /** What it came to, one line. */
  readonly summary: string;
}

/** What ended an investigation before it was done. */
export type SubAgentStop = "steps" | "time" | "size" | "nothing new" | "cancelled";

/** Chains tools within bounds. */
export interface SubAgent {
  /** Takes one step. Contract: null, and nothing is called, once it is stopped; never throws. */
  readonly step: (tool: string, args: Readonly<Record<string, unknown>>, why: string) => Promise<ChainedResult | null>;
  /** All steps so far, in order. */
  readonly steps: () => readonly SubAgentStep[];
  /** Why there is no further step; null while there is. */
  readonly stopped: () => SubAgentStop | null;
}
