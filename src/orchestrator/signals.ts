import { cutText, toOneLine } from "../base/text.ts";
import type { Signal } from "../contract/run-document.ts";
import type { PromptClues } from "./clues.ts";
import { CODE_NOUNS, TASK_WORDS } from "./lexicon.ts";

/** What was said beside the prompt, on the command line. */
export interface Hints {
  readonly file?: string;
  readonly line?: number;
  readonly functionName?: string;
  readonly withHistory?: boolean;
}

/** Most signals of one type: enough to explain a decision, not a copy of the prompt. */
const MAX_PER_TYPE = 5;

/**
 * Every reason to believe that a prompt is about code, with its weight. Contract: a function of the prompt and the
 * hints alone; explicit = words that ask for work, implicit = places and errors, historical = earlier turns, code =
 * names and code itself.
 */
export function findSignals(prompt: string, clues: PromptClues, hints: Hints): Signal[] {
  const explicit = TASK_WORDS.flatMap(({ pattern, weight }) => words(pattern, prompt, weight, "explicit"));
  const nouns = words(CODE_NOUNS, prompt, 0.3, "explicit");
  const implicit: Signal[] = [];
  if (hints.file !== undefined) implicit.push(signal("implicit", `file: ${hints.file}`, 0.6));
  if (clues.error !== "") implicit.push(signal("implicit", `error: ${clues.error}`, 0.8));
  implicit.push(...clues.paths.map((path) => signal("implicit", `path: ${path}`, 0.6)));
  const historical = hints.withHistory === true ? [signal("historical", "history", 0.6)] : [];
  const code: Signal[] = [];
  if (hints.functionName !== undefined) code.push(signal("code", `function: ${hints.functionName}`, 0.7));
  if (clues.hasCode) code.push(signal("code", "code block", 0.7));
  code.push(...clues.symbols.map((name) => signal("code", `symbol: ${name}`, 0.7)));
  return [[...explicit, ...nouns], implicit, historical, code].flatMap((list) => list.slice(0, MAX_PER_TYPE));
}

function signal(type: Signal["type"], match: string, weight: number): Signal {
  return { type, match: cutText(toOneLine(match), 120).text, weight };
}

function words(pattern: RegExp, prompt: string, weight: number, type: Signal["type"]): Signal[] {
  const found = new Set<string>();
  for (const match of prompt.slice(0, 4_000).matchAll(pattern)) {
    found.add(match[0].toLowerCase());
    if (found.size >= MAX_PER_TYPE) break;
  }
  return [...found].map((word) => signal(type, word, weight));
}
