import { findOption, type StartOption } from "./start-option-table.ts";

/** One option of start.sh as it was typed, with the values that belong to it. */
export interface TypedOption {
  /** Without a value that is joined to it by `=`. */
  readonly name: string;
  /** All of it, as it was typed. */
  readonly words: readonly string[];
  readonly values: readonly string[];
  /** Whether the value is joined to the name. */
  readonly isJoined: boolean;
}

/**
 * Reads arguments as options with their values, without judging them: the only place that says which word belongs to which
 * option. Contract: all words come back, in order; `rest` is what stands after `--`, which is Codex's. What nobody knows is
 * a word of its own.
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
    const isJoined = name !== word;
    const count = isJoined ? 0 : countValues(others.includes(name) ? "one" : findOption(name)?.values, args, at + 1);
    const words = args.slice(at, at + 1 + count);
    typed.push({ name, words, values: isJoined ? [word.slice(name.length + 1)] : words.slice(1), isJoined });
    at += words.length;
  }
  return { typed, rest: [] };
}

/** How many of the words from a place on are an option's values. */
function countValues(values: StartOption["values"] | undefined, args: readonly string[], from: number): number {
  if (values === undefined || values === "none") return 0;
  if (values !== "rest") return 1;
  const end = args.findIndex((word, at) => at >= from && word.startsWith("-") && word !== "-");
  return (end < 0 ? args.length : end) - from;
}

/** The options, and what stands after `--`. */
export function splitOptions(args: readonly string[]): {
  readonly options: readonly string[];
  readonly rest: readonly string[];
} {
  const { typed, rest } = readTyped(args);
  return { options: typed.flatMap(({ words }) => words), rest };
}
