import type { Clock } from "../base/clock.ts";
import type { Stage, TimelinePart } from "../contract/run-history.ts";

/** Where a run's time went. */
export interface Timeline {
  /** Ends a stage: it takes the time since the last one ended. */
  readonly end: (stage: Stage) => void;
  /** Begins the call of a tool. Returns what ends it. */
  readonly call: (tool: string) => (status: string) => void;
  readonly parts: readonly TimelinePart[];
}

/** Begins to take times. Contract: never throws; times are in milliseconds from now, with a tenth. */
export function startTimeline(clock: Clock): Timeline {
  const startMs = clock.monotonicMs();
  const parts: TimelinePart[] = [];
  const sinceStart = () => Math.round((clock.monotonicMs() - startMs) * 10) / 10;
  let lastMs = 0;
  const lasted = (from: number, to: number) => ({ start_ms: from, duration_ms: Math.round((to - from) * 10) / 10 });
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
