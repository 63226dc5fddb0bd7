import { roundTo } from "../base/round-to.ts";
import { cutText, toOneLine } from "../base/text.ts";
import type { Signal } from "../contract/run-document.ts";
import type { PromptClues } from "./clues.ts";
import { findWords, TASK_WORDS } from "./lexicon.ts";
import type { Reading } from "./reading.ts";

/** Hints given on the command line, in addition to the prompt. */
export interface Hints {
  readonly file?: string;
  readonly line?: number;
  readonly functionName?: string;
  readonly withHistory?: boolean;
}

/** Maximum number of signals per type: enough to explain a decision without copying the prompt. */
const MAX_PER_TYPE = 5;
/** Number of characters of a prompt that are searched for words; the rest is pasted material. */
export const MAX_READ_CHARS = 4_000;
/** Maximum weight of a word that is on no list: less than that of a word that asks for work. */
const MAX_WORD_WEIGHT = 0.5;

/**
 * Returns every reason to believe that a prompt is about code, with its weight. Contract: depends on the prompt and the
 * hints only; explicit = words that ask for work, implicit = places and errors, historical = earlier turns, code =
 * names and code itself.
 */
export function findSignals(prompt: string, clues: PromptClues, reading: Reading, hints: Hints): Signal[] {
  const head = prompt.slice(0, MAX_READ_CHARS);
  const explicit = TASK_WORDS.flatMap(({ words, weight }) =>
    findWords(head, words, MAX_PER_TYPE).map((word) => signal("explicit", word, weight)),
  );
  const words = reading.speakFor
    .filter(({ word }) => !isSaid(word, [...explicit.map(({ match }) => match), ...clues.symbols, ...clues.paths]))
    .map(({ word, weight }) =>
      signal("explicit", word, Math.max(0.1, roundTo(Math.min(MAX_WORD_WEIGHT, weight / 4), 1))),
    );
  const implicit: Signal[] = [];
  if (hints.file !== undefined)
    implicit.push(signal("implicit", `file: ${hints.file}${hints.line === undefined ? "" : `:${hints.line}`}`, 0.6));
  if (clues.error !== "") implicit.push(signal("implicit", `error: ${clues.error}`, 0.8));
  implicit.push(...clues.paths.map((path) => signal("implicit", `path: ${path}`, 0.6)));
  const historical = hints.withHistory === true ? [signal("historical", "history", 0.6)] : [];
  const code: Signal[] = [];
  if (hints.functionName !== undefined) code.push(signal("code", `function: ${hints.functionName}`, 0.7));
  if (clues.hasCode) code.push(signal("code", "code block", 0.7));
  code.push(...clues.symbols.map((name) => signal("code", `symbol: ${name}`, 0.7)));
  return [[...explicit, ...words], implicit, historical, code].flatMap((list) => list.slice(0, MAX_PER_TYPE));
}

/** True for a word that is already covered by another signal. */
function isSaid(word: string, said: readonly string[]): boolean {
  return said.some((text) => text.toLowerCase().includes(word) || word.includes(text));
}

function signal(type: Signal["type"], match: string, weight: number): Signal {
  return { type, match: cutText(toOneLine(match), 120).text, weight };
}
