import { setFlagsFromString } from "node:v8";
import { startTimer } from "../base/timers.ts";

/** Most answers are given by then; what takes longer is worth optimising. */
const QUICK_MS = 400;

/**
 * Switches V8's optimising compiler off for the first moments: what an answer needs runs a few times only, and compiling it
 * would cost a fifth of the whole. Contract: to be called before `loadCached`, because a code cache is only taken under
 * the flags that it was made with. No other flag than this: how patterns are compiled, for one, cannot be changed once one has
 * been used, or V8 breaks down.
 */
export function startQuickly(): void {
  setFlagsFromString("--no-opt");
  startTimer(QUICK_MS, () => setFlagsFromString("--opt")).unref();
}
