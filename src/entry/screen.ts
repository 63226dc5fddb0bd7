import { COLOUR_CHOICES, makePalette, wantsColours } from "../adapters/cli/colour.ts";
import type { Screen } from "../adapters/cli/layout.ts";
import { findHome } from "../config/places.ts";
import { isTerminal } from "./process.ts";

/** Narrower than this, nothing can be read anyway. */
const LEAST_COLUMNS = 40;
/** Where a terminal does not say how wide it is. */
const USUAL_COLUMNS = 80;

/** Columns of a terminal; null where the descriptor is none. */
export function columnsOf(descriptor: 1 | 2): number | null {
  if (!isTerminal(descriptor)) return null;
  return process[descriptor === 1 ? "stdout" : "stderr"].columns || USUAL_COLUMNS;
}

/** What a command prints on, by its option `--color`. Contract: standard output that is no terminal has lines of any width. */
export function screenOf({ color }: { readonly color?: string | undefined }): Screen {
  const columns = columnsOf(1);
  const choice = COLOUR_CHOICES.find((one) => one === color) ?? "auto";
  return {
    columns: columns === null ? null : Math.max(LEAST_COLUMNS, columns),
    paint: makePalette({ hasColours: wantsColours(choice, { isTerminal: columns !== null, env: process.env }) }),
    home: findHome(process.env),
  };
}
