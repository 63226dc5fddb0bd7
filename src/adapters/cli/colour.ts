import type { Environment } from "../../base/environment.ts";

/** What `--color` takes. */
export const COLOUR_CHOICES = ["auto", "always", "never"] as const;

/** When colours are wanted. */
export type ColourChoice = (typeof COLOUR_CHOICES)[number];

/** Marks a text on a terminal. Contract: takes no columns. */
type Mark = (text: string) => string;

/** The few ways in which commands mark what they print. */
export interface Palette {
  /** Headings. */
  readonly bold: Mark;
  /** What matters less. */
  readonly faint: Mark;
  readonly good: Mark;
  readonly warning: Mark;
  readonly bad: Mark;
  /** What can be typed. */
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

/** Makes the marks. Contract: without colours every text stays as it is, and so does an empty one with them. */
export function makePalette({ hasColours }: { readonly hasColours: boolean }): Palette {
  const make = (code: number) => (text: string) =>
    hasColours && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  return Object.fromEntries(NAMES.map((name) => [name, make(CODES[name])])) as unknown as Palette;
}

/** Whether to use colours: by choice; otherwise on a terminal that can show them, unless `NO_COLOR` says none. */
export function wantsColours(
  choice: ColourChoice,
  { isTerminal, env }: { readonly isTerminal: boolean; readonly env: Environment },
): boolean {
  if (choice !== "auto") return choice === "always";
  return isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
