import { COLOUR_CHOICES, makePalette, wantsColours } from "../adapters/cli/colour.ts";
import type { Screen } from "../adapters/cli/layout.ts";
import { makeProgress } from "../adapters/cli/progress.ts";
import { systemClock } from "../base/clock.ts";
import { findHome } from "../config/places.ts";
import { isTerminal, writeAll } from "./process.ts";

/** Minimum width: narrower output would be unreadable anyway. */
const LEAST_COLUMNS = 40;
/** Width assumed if the terminal does not report its own. */
const USUAL_COLUMNS = 80;

/** Width of a terminal in columns; null if the descriptor is not a terminal. */
function columnsOf(descriptor: 1 | 2): number | null {
  if (!isTerminal(descriptor)) return null;
  return process[descriptor === 1 ? "stdout" : "stderr"].columns || USUAL_COLUMNS;
}

/**
 * Describes the output of a command, given its option `--color`. Contract: if standard output is not a terminal, its
 * lines may have any width.
 */
export function screenOf({ color }: { readonly color?: string | undefined }): Screen {
  const columns = columnsOf(1);
  const choice = COLOUR_CHOICES.find((one) => one === color) ?? "auto";
  return {
    columns: columns === null ? null : Math.max(LEAST_COLUMNS, columns),
    paint: makePalette({ hasColours: wantsColours(choice, { isTerminal: columns !== null, env: process.env }) }),
    home: findHome(process.env),
  };
}

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
