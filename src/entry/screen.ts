import { COLOUR_CHOICES, makePalette, wantsColours } from "../adapters/cli/colour.ts";
import type { Screen } from "../adapters/cli/layout.ts";
import { findHome } from "../config/places.ts";
import { isTerminal } from "./process.ts";

/** Minimum width: narrower output would be unreadable anyway. */
const LEAST_COLUMNS = 40;
/** Width assumed if the terminal does not report its own. */
const USUAL_COLUMNS = 80;

/** Width of a terminal in columns; null if the descriptor is not a terminal. */
export function columnsOf(descriptor: 1 | 2): number | null {
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
