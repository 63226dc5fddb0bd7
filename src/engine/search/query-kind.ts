import { isSymbolQuery } from "./question.ts";

/** What a query is, which decides how it is answered. */
export type QueryKind = "symbol" | "path" | "pattern" | "question" | "issue";

/** `src/query.ts:12`, `src/engine/`; the line is not part of the path. */
const PATH = /^(?:[\w@.+~-]+\/)+[\w@.+~-]*(?::\d{1,7}){0,2}$/;
/** `query.ts:12`, `src\query.ts`: an ending that no member of a type has. */
const FILE_NAME =
  /^[\w@.+~\\:-]+\.(?:py|[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|rb|php|[ch]|cc|cpp|hpp|cs|swift|scala|lua|exs?|sh|sql|md|json|ya?ml|toml|css|html)(?::\d{1,7}){0,2}$/;
/** Signs that a regular expression has and a sentence has not. */
const PATTERN = /\\[wdsbWDSB.]|[\w)\]]\.[*+]|^\.[*+]|\[\^?\w-\w|\(\?[:=!<]|\w\|\w|^\^\w|\)[*+?]|\{\d+,?\d*\}/;
const TRACE =
  /^\s*File "[^"\n]{1,400}", line \d+|^\s*at \S.{0,300}:\d+(?::\d+)?\)?\s*$|^\s*at [\w.$<>]{1,200}\([\w.$ ]{1,80}(?::\d+)?\)|^\s*\S{1,300}\.(?:go|rs|rb|php):\d+|^panicked at |^goroutine \d+|^Traceback /m;
/** Texts from here on are read like reports, not like questions. */
const LONG_CHARS = 400;
const LONG_LINES = 5;

/**
 * Tells what a query is by its form alone. Contract: linear in the query; a long text or one with a stack trace is an
 * `issue`, whatever else it has.
 */
export function kindOf(query: string): QueryKind {
  const text = query.trim();
  if (text.length >= LONG_CHARS || text.split("\n", LONG_LINES).length >= LONG_LINES || TRACE.test(text))
    return "issue";
  if (PATH.test(text) || FILE_NAME.test(text)) return "path";
  if (isSymbolQuery(text)) return "symbol";
  return !text.includes("\n") && PATTERN.test(text) ? "pattern" : "question";
}
