import { COLOUR_CHOICES, makePalette, wantsColours } from "../adapters/cli/colour.ts";
import type { Screen } from "../adapters/cli/layout.ts";
import { findHome } from "../config/places.ts";
import { isTerminal } from "./process.ts";

/** Narrower than this, nothing can be read anyway. */
const LEAST_COLUMNS = 40;
/** Where a terminal does not say how wide it is. */
const USUAL_COLUMNS = 80;

/** What a command prints on, by its option `--color`. Contract: standard output that is no terminal has lines of any width. */
export function screenOf({ color }: { readonly color?: string | undefined }): Screen {
  const isOnTerminal = isTerminal(1);
  const choice = COLOUR_CHOICES.find((one) => one === color) ?? "auto";
  return {
    columns: isOnTerminal ? Math.max(LEAST_COLUMNS, process.stdout.columns || USUAL_COLUMNS) : null,
    paint: makePalette({ hasColours: wantsColours(choice, { isTerminal: isOnTerminal, env: process.env }) }),
    home: findHome(process.env),
  };
}
