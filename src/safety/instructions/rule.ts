import { once } from "../../base/once.ts";

/** A pattern that is matched against all lines of a shadow. */
export interface InstructionRule {
  /** Groups of words, separated by spaces: a text must contain one word of each group, in this order. */
  readonly words: readonly string[];
  /** Maximum distance in characters from the first of these words to the last. */
  readonly within: number;
  /** Pattern that a text must also match, or null. */
  readonly needs: RegExp | null;
  readonly pattern: () => RegExp;
}

/**
 * A rule whose pattern is compiled on first use. Contract: the pattern never matches a text that lacks its
 * preconditions; a word among them has `\\b` before it in the pattern, and after it unless it has six letters or more.
 */
export function instructionRule(
  { words = [], within = 200, needs = null }: Partial<Omit<InstructionRule, "pattern">>,
  source: string,
): InstructionRule {
  return { words, within, needs, pattern: once(() => new RegExp(source, "gmu")) };
}
