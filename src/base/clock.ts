import { hrtime } from "node:process";

/** Source of time, injected so that plans and tests can freeze it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Milliseconds of a monotonic clock, for durations. */
  readonly monotonicMs: () => number;
}

/** The machine's clock. Avoids `performance`, which the hook would have to load first. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => Number(hrtime.bigint() / 1_000n) / 1_000,
};

/** ISO 8601 in UTC with whole seconds, the format used in run documents. */
export function toIsoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** `YYYYMMDD-HHMMSS` in UTC. */
export function toCompactTime(ms: number): string {
  return toIsoSeconds(ms).replace(/[-:Z]/g, "").replace("T", "-");
}
