import { hrtime, pid } from "node:process";
import { mixedHash } from "../config/places.ts";

/** What the keys of a millisecond begin with: they all sort behind it, and those of the time before in front of it. */
export function keyOfTime(ms: number): string {
  return Math.max(0, Math.floor(ms)).toString(36).padStart(9, "0");
}

/** A key for a run: nine digits of time, then what no other run of this machine has. Contract: keys sort by time. */
export function makeKey(startMs: number): string {
  const own = mixedHash(`${pid} ${hrtime.bigint()}`).slice(0, 16);
  return `${keyOfTime(startMs)}-${own}`;
}
