import { RE2JS } from "re2js";

/** A regular expression that somebody wrote on the command line. */
export interface Pattern {
  readonly matches: (text: string) => boolean;
  /** Contract: every match becomes `replacement`, letter for letter. */
  readonly replaceIn: (text: string, replacement: string) => string;
}

/**
 * Reads a pattern as `grep -E` would: `^` and `$` stand at every line, `[[:space:]]` and its like are understood.
 * Contract: null where it is none (look-around and back references are none); linear in the text, whatever the pattern,
 * so what Codex prints cannot hold up the run.
 */
export function compilePattern(source: string): Pattern | null {
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
