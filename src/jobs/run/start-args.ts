import { START_OPTIONS } from "./start-option-table.ts";

const BY_NAME = new Map(START_OPTIONS.flatMap((option) => option.names.map((name) => [name, option] as const)));

/** One option of start.sh as it was typed, with the value that belongs to it. */
export interface TypedOption {
  /** Without a value that is joined to it by `=`. */
  readonly name: string;
  readonly words: readonly string[];
}

/**
 * Reads arguments as options with their values, without judging them. Contract: all words come back, in order; `rest` is
 * what stands after `--`, which is Codex's. What nobody knows is a word of its own.
 */
export function readTyped(
  args: readonly string[],
  /** Names of further options that take a value. */
  others: readonly string[] = [],
): {
  readonly typed: readonly TypedOption[];
  readonly rest: readonly string[];
} {
  const typed: TypedOption[] = [];
  for (let at = 0; at < args.length; ) {
    const word = args[at] ?? "";
    if (word === "--") return { typed, rest: args.slice(at + 1) };
    const name = word.replace(/^(--[^=]*)=.*$/s, "$1");
    const values = BY_NAME.get(name)?.values;
    const hasValue = name === word && (values === "one" || values === "any" || others.includes(name));
    const words = args.slice(at, at + (hasValue ? 2 : 1));
    typed.push({ name, words });
    at += words.length;
  }
  return { typed, rest: [] };
}

/** The options, and what stands after `--`. */
export function splitOptions(args: readonly string[]): {
  readonly options: readonly string[];
  readonly rest: readonly string[];
} {
  const { typed, rest } = readTyped(args);
  return { options: typed.flatMap(({ words }) => words), rest };
}
