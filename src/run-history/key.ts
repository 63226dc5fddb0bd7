import { hrtime, pid } from "node:process";
import { mixedHash } from "../config/places.ts";

/** Common prefix of the keys of a millisecond: sorts before all of them and after all earlier keys. */
export function keyOfTime(ms: number): string {
  return Math.max(0, Math.floor(ms)).toString(36).padStart(9, "0");
}

/**
 * Creates the key of a run: nine digits of time, then a suffix that is unique on this machine. Contract: keys sort by
 * time.
 */
export function makeKey(startMs: number): string {
  const own = mixedHash(`${pid} ${hrtime.bigint()}`).slice(0, 16);
  return `${keyOfTime(startMs)}-${own}`;
}
