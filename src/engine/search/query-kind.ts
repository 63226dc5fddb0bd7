import { writtenEndings } from "../../base/languages.ts";
import { isSymbolQuery } from "./said.ts";

/** The kind of a query, which determines how it is answered. */
export type QueryKind = "symbol" | "path" | "pattern" | "question" | "issue";

/** `src/query.ts:12`, `src/engine/`; the line number is optional. */
const PATH = /^(?:[\w@.+~-]+\/)+[\w@.+~-]*(?::\d{1,7}){0,2}$/;
/** `query.ts:12`, `src\query.ts`. */
const FILE_NAME = new RegExp(
  `^[\\w@.+~\\\\:-]+\\.(?:${writtenEndings("code", "settings", "document")})(?::\\d{1,7}){0,2}$`,
);
/** Signs that a regular expression has and a sentence has not. */
const PATTERN =
  /\\[wdsbWDSB.]|[\w)\]]\.[*+]|^\.[*+]|\[\^?\w-\w|\(\?[:=!<]|\w\|\w|^\^\w|\)[*+]|\)\?(?!\s*$)|\{\d+,?\d*\}/;
const TRACE =
  /^\s*File "[^"\n]{1,400}", line \d+|^\s*at \S.{0,300}:\d+(?::\d+)?\)?\s*$|^\s*at [\w.$<>]{1,200}\([\w.$ ]{1,80}(?::\d+)?\)|^\s*\S{1,300}\.(?:go|rs|rb|php):\d+|^panicked at |^goroutine \d+|^Traceback /m;
/** From this length on, texts are treated as reports rather than questions. */
const LONG_CHARS = 400;
const LONG_LINES = 5;

/**
 * Determines the kind of a query by its form alone. Contract: linear in the query; a long text or one with a stack
 * trace is always an `issue`.
 */
export function kindOf(query: string): QueryKind {
  const text = query.trim();
  if (text.length >= LONG_CHARS || text.split("\n", LONG_LINES).length >= LONG_LINES || TRACE.test(text))
    return "issue";
  if (PATH.test(text) || FILE_NAME.test(text)) return "path";
  if (isSymbolQuery(text)) return "symbol";
  return !text.includes("\n") && PATTERN.test(text) ? "pattern" : "question";
}

/** Words that describe a fault or request a change. */
const COMPLAINS =
  /\b(?:not|cannot|\w+n['’]t|crash(?:es|ed)?|fails?|failed|failing|throws?|thrown|raises?|raised|raising|wrong(?:ly)?|incorrect(?:ly)?|broken|should|when|missing|ignores?|ignored|regression|instead|unexpected(?:ly)?|inconsistent|duplicated?|bugs?|issues?|problems?|errors?|exception|traceback|los(?:t|es)|leads? to|misleading|confusing|invalid|unable|disagree|too (?:early|late|long|slow|many|few))\b|^(?:add(?:ed)?|allow|expose|fix|remove|support|make|use|update|refactor|deprecate|improve|prevent|avoid|feature request)\b/i;
const ASKS = /[?？]|^(?:how|what|where|who|why|which|when|is|are|does|do|can|explain|show|find)\b/i;
const LEAST_WORDS = 4;

/** Whether a line reports something, like an issue title: its words say what is wrong, not what is searched for. */
export function isReport(query: string): boolean {
  const text = query.trim();
  return !ASKS.test(text) && COMPLAINS.test(text) && text.split(/\s+/).length >= LEAST_WORDS;
}

/** Maximum number of Chinese characters in a question template around a single name. */
const FRAME_CHARS = 14;

/** Whether a Chinese question says more than a template around a name: its words then count besides the name. */
export function isWordy(query: string): boolean {
  return (query.match(/\p{Script=Han}/gu) ?? []).length > FRAME_CHARS;
}
