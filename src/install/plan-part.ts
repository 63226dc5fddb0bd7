import type { Step } from "./apply.ts";
import type { ReportItem } from "./report.ts";

/** What is to be done and said. Contract: data only; making it wrote nothing. */
export interface InstallPlan {
  readonly steps: readonly Step[];
  readonly items: readonly ReportItem[];
  readonly notes: readonly string[];
}

/** One planner's part of an installation, with what the receipt shall say about it. */
export interface PlanPart<Kept> extends InstallPlan {
  readonly record: Kept;
}

/** A plan to do nothing and say nothing. */
export const NOTHING: InstallPlan = { steps: [], items: [], notes: [] };
