import { hrtime, pid } from "node:process";
import { mixedHash } from "../config/places.ts";

/**
 * Creates the key of a run: nine digits of time, then a suffix that is unique on this machine. Contract: keys sort by
 * time.
 */
export function makeKey(startMs: number): string {
  const time = Math.max(0, Math.floor(startMs)).toString(36).padStart(9, "0");
  return `${time}-${mixedHash(`${pid} ${hrtime.bigint()}`).slice(0, 16)}`;
}
