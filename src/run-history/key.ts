import { hrtime, pid } from "node:process";
import { mixedHash } from "../config/places.ts";

/** A key for a run: nine digits of time, then what no other run of this machine has. Contract: keys sort by time. */
export function makeKey(startMs: number): string {
  const own = mixedHash(`${pid} ${hrtime.bigint()}`).slice(0, 16);
  return `${Math.max(0, Math.floor(startMs)).toString(36).padStart(9, "0")}-${own}`;
}
