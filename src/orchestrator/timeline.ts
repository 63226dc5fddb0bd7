import type { Clock } from "../base/clock.ts";
import { roundTo } from "../base/round-to.ts";
import type { Stage, TimelinePart } from "../contract/run-history.ts";

/** Time spent in the stages and tool calls of a run. */
export interface Timeline {
  /** Ends a stage, whose duration is the time since the previous stage ended. */
  readonly end: (stage: Stage) => void;
  /** Starts timing a tool call. Returns the function that ends it. */
  readonly call: (tool: string) => (status: string) => void;
  readonly parts: readonly TimelinePart[];
}

/** Starts a timeline. Contract: never throws; times are in milliseconds since the start, rounded to tenths. */
export function startTimeline(clock: Clock): Timeline {
  const startMs = clock.monotonicMs();
  const parts: TimelinePart[] = [];
  const sinceStart = () => roundTo(clock.monotonicMs() - startMs, 1);
  let lastMs = 0;
  const lasted = (from: number, to: number) => ({ start_ms: from, duration_ms: roundTo(to - from, 1) });
  return {
    end: (stage) => {
      const nowMs = sinceStart();
      parts.push({ stage, ...lasted(lastMs, nowMs) });
      lastMs = nowMs;
    },
    call: (tool) => {
      const fromMs = sinceStart();
      return (status) => void parts.push({ stage: "run", tool, ...lasted(fromMs, sinceStart()), status });
    },
    parts,
  };
}
