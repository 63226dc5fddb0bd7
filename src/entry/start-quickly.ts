import { setFlagsFromString } from "node:v8";
import { startTimer } from "../base/timers.ts";

/** Most answers are complete by then; code that runs longer is worth optimizing. */
const QUICK_MS = 400;

/**
 * Switches V8's optimizing compiler off at first: the code for an answer runs only a few times, and compiling it would
 * take a fifth of the total time. Contract: call it before `loadCached`, because V8 accepts a code cache only under the
 * flags it was made with. Sets no other flag: how regular expressions are compiled, for example, cannot be changed
 * after the first one has been used, or V8 crashes.
 */
export function startQuickly(): void {
  setFlagsFromString("--no-opt");
  startTimer(QUICK_MS, () => setFlagsFromString("--opt")).unref();
}
