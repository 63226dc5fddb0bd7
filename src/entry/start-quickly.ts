import { startTimer } from "../base/timers.ts";

/** Most answers are complete by then; code that runs longer is worth optimising. */
const QUICK_MS = 400;

/**
 * Node modules that almost every answer needs. They are loaded before the flags change, because Node has a code cache
 * for them too, which V8 accepts only under the flags that Node was built with.
 */
const NEEDED = ["node:module", "node:os", "node:zlib", "node:crypto"];

/**
 * Optimising code that runs only a few times takes longer than it saves: functions would cost a fifth of the total
 * time, and improving the byte code of a regular expression doubles the time to compile it. Code caches are made under
 * the same flags.
 */
export const SLOW_FLAGS = ["opt", "regexp-peephole-optimization"];

/**
 * Switches V8's optimisations off at first. Contract: call it before `loadCached`, because V8 accepts a code cache only
 * under the flags it was made with. Sets no other flag: whether regular expressions are compiled at all, for example,
 * cannot be changed after the first one has been used, or V8 crashes.
 */
export function startQuickly(): void {
  for (const name of NEEDED) require(name);
  // Loaded lazily: a prompt that is not about code does not need it.
  const { setFlagsFromString } = require("node:v8") as typeof import("node:v8");
  for (const flag of SLOW_FLAGS) setFlagsFromString(`--no-${flag}`);
  startTimer(QUICK_MS, () => setFlagsFromString("--opt")).unref();
}
