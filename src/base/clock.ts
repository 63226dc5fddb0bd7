import { hrtime } from "node:process";

/** Where time comes from; handed in, so that plans and tests can stop it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Milliseconds of a clock that never goes back, for durations. */
  readonly monotonicMs: () => number;
}

/** The machine's clock. Not `performance`, which the hook would have to load first. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => Number(hrtime.bigint() / 1_000n) / 1_000,
};

/** ISO 8601 in UTC with whole seconds, as run documents carry it. */
export function toIsoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** `YYYYMMDD-HHMMSS` in UTC. */
export function toCompactTime(ms: number): string {
  return toIsoSeconds(ms).replace(/[-:Z]/g, "").replace("T", "-");
}
