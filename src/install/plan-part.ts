import type { Step } from "./apply.ts";
import type { ReportItem } from "./report.ts";

/** What to do and what to report. Contract: data only; creating it writes nothing. */
export interface InstallPlan {
  readonly steps: readonly Step[];
  readonly items: readonly ReportItem[];
  readonly notes: readonly string[];
}

/** One planner's part of an installation, with its record for the receipt. */
export interface PlanPart<Kept> extends InstallPlan {
  readonly record: Kept;
}

/** An empty plan. */
export const NOTHING: InstallPlan = { steps: [], items: [], notes: [] };
