import { makeProgress } from "../adapters/cli/progress.ts";
import { systemClock } from "../base/clock.ts";
import { writeAll } from "./process.ts";
import { columnsOf } from "./screen.ts";

/** Shows the progress of a build on standard error: one line, redrawn, on a terminal; occasional lines elsewhere. */
export function startProgress() {
  const isDrawable = columnsOf(2) !== null && process.env["TERM"] !== "dumb";
  return makeProgress({
    clock: systemClock,
    write: (text) => writeAll(2, text),
    // Queried each time, because the window may be resized meanwhile.
    columns: isDrawable ? () => columnsOf(2) ?? 0 : null,
  });
}
