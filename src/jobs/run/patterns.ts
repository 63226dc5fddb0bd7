import { RE2JS } from "re2js";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { RUN_NOTES } from "./texts.ts";

/** A regular expression from the command line. */
export interface UserPattern {
  readonly matches: (text: string) => boolean;
  /** Replaces every match. Contract: `replacement` is inserted literally. */
  readonly replaceIn: (text: string, replacement: string) => string;
}

/**
 * Compiles a pattern as `grep -E` would: `^` and `$` match at every line, `[[:space:]]` and similar classes are
 * supported. Contract: null if it is invalid (look-around and back references are not supported); linear in the text
 * for any pattern, so that Codex's output cannot stall the run.
 */
export function compilePattern(source: string): UserPattern | null {
  let expression: ReturnType<typeof RE2JS.compile>;
  try {
    expression = RE2JS.compile(source, RE2JS.MULTILINE);
  } catch {
    return null;
  }
  return {
    matches: (text) => expression.matcher(text).find(),
    replaceIn: (text, replacement) => expression.matcher(text).replaceAll(RE2JS.quoteReplacement(replacement)),
  };
}

/** Compiles all patterns of an option. Contract: refused, with the option's name, if one of them is invalid. */
export function compilePatterns(option: string, sources: readonly string[]): Outcome<readonly UserPattern[]> {
  const patterns: UserPattern[] = [];
  for (const source of sources) {
    const pattern = compilePattern(source);
    if (pattern === null) return refuse(...RUN_NOTES.badPattern(option, source));
    patterns.push(pattern);
  }
  return succeed(patterns);
}
