import { makeProgress } from "../adapters/cli/progress.ts";
import { systemClock } from "../base/clock.ts";
import { writeAll } from "./process.ts";
import { columnsOf } from "./screen.ts";

/** Says on standard error how far a build is: as a line that is drawn again on a terminal, as a line now and then elsewhere. */
export function startProgress() {
  const isDrawable = columnsOf(2) !== null && process.env["TERM"] !== "dumb";
  return makeProgress({
    clock: systemClock,
    write: (text) => writeAll(2, text),
    // Asked each time: a window may be made narrower meanwhile.
    columns: isDrawable ? () => columnsOf(2) ?? 0 : null,
  });
}
