import { withTimeLimit } from "../base/timers.ts";
import type { PlannedTool } from "../contract/run-document.ts";
import { executeToolCall, type LifecycleDeps } from "../lifecycle/tool-executor.ts";
import type { ToolOutcome } from "../lifecycle/tool-outcome.ts";
import type { Timeline } from "./timeline.ts";

interface RunBudget {
  readonly wallMs: number;
  readonly maxConcurrency: number;
  readonly timeline: Timeline;
}

/**
 * Runs a plan's tools under one wall-clock limit. Contract: never throws; outcomes are in the order of the plan, not of
 * completion; a tool that the limit cut off has an outcome too.
 */
export async function runPlan(
  tools: readonly PlannedTool[],
  budget: RunBudget,
  deps: Omit<LifecycleDeps, "signal">,
  caller: AbortSignal,
): Promise<ToolOutcome[]> {
  const outcomes: ToolOutcome[] = [];
  let next = 0;
  const work = async (signal: AbortSignal) => {
    for (let at = next++; at < tools.length; at = next++) {
      const planned = tools[at];
      if (planned === undefined) return;
      const ended = budget.timeline.call(planned.tool);
      const outcome = await executeToolCall(
        { tool: planned.tool, args: planned.args, origin: "auto" },
        { ...deps, signal },
      );
      ended(outcome.result.status);
      outcomes[at] = outcome;
    }
  };
  const workers = Array.from({ length: Math.min(budget.maxConcurrency, tools.length) }, () => work);
  await withTimeLimit(caller, budget.wallMs, (signal) => Promise.all(workers.map((start) => start(signal))));
  return outcomes;
}
