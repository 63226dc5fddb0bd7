import type { Environment } from "../../base/environment.ts";

/** Values of `--color`. */
export const COLOUR_CHOICES = ["auto", "always", "never"] as const;

/** When to use colours. */
type ColourChoice = (typeof COLOUR_CHOICES)[number];

/** Styles a text for a terminal. Contract: does not change its width. */
type Mark = (text: string) => string;

/** The text styles of command output. */
export interface Palette {
  /** Headings. */
  readonly bold: Mark;
  /** Secondary information. */
  readonly faint: Mark;
  readonly good: Mark;
  readonly warning: Mark;
  readonly bad: Mark;
  /** Text that can be typed. */
  readonly accent: Mark;
}

const CODES: Readonly<Record<keyof Palette, number>> = {
  bold: 1,
  faint: 2,
  good: 32,
  warning: 33,
  bad: 31,
  accent: 36,
};
const NAMES = Object.keys(CODES) as (keyof Palette)[];

/** Makes the styles. Contract: without colours every text is unchanged; an empty text always is. */
export function makePalette({ hasColours }: { readonly hasColours: boolean }): Palette {
  const make = (code: number) => (text: string) =>
    hasColours && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  return Object.fromEntries(NAMES.map((name) => [name, make(CODES[name])])) as unknown as Palette;
}

/** Whether to use colours: as chosen, otherwise on a terminal that supports them, unless `NO_COLOR` is set. */
export function wantsColours(
  choice: ColourChoice,
  { isTerminal, env }: { readonly isTerminal: boolean; readonly env: Environment },
): boolean {
  if (choice !== "auto") return choice === "always";
  return isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
