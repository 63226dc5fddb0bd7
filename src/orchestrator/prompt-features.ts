import { toSimplified } from "../base/chinese.ts";
import { toStem } from "../base/text.ts";
import type { PromptClues } from "./clues.ts";

/** A feature that the judgement model may have a weight for. */
interface Feature {
  readonly key: string;
  /** The word of the prompt that the feature stands for; empty for shapes, which mean nothing to people. */
  readonly word: string;
}

/** Number of characters of a prompt that are searched for words; the rest is pasted material. */
const MAX_READ_CHARS = 600;
/** Upper bounds of the length classes: the number of words is a strong feature. */
const LENGTHS = [1, 2, 3, 5, 8, 14, 30];
/** Number of Chinese characters that count as one word. */
const CHARACTERS_A_WORD = 1.7;
/** Minimum length of a stem. */
export const SHORTEST_STEM = 3;
const TOKEN = /[a-z][a-z0-9]*(?:'[a-z]+)?|\d+|[\u3400-\u9fff]+/g;
const NAME_PART = /[A-Z]?[a-z]+|[A-Z]+/g;
const HAN = /[\u3400-\u9fff]/;

/**
 * Features of a prompt for the model: its words, their stems and pairs, Chinese n-grams of up to three characters, and
 * the shape. Contract: pure, linear, no duplicates. The trainer uses this same function: a change here requires `npm
 * run train`.
 */
export function toFeatures(prompt: string, clues: PromptClues): Feature[] {
  const found = new Map<string, string>();
  let text = prompt.slice(0, MAX_READ_CHARS);
  for (const name of namesOf(clues)) {
    text = text.replaceAll(name, " ");
    for (const [part] of name.matchAll(NAME_PART)) found.set(`i${part.toLowerCase()}`, "");
  }
  text = text.toLowerCase();
  for (const shape of toShapes(prompt, text, clues)) found.set(`#${shape}`, "");
  const tokens = toSimplified(text).match(TOKEN) ?? [];
  let previous = "^";
  let words = 0;
  for (const token of tokens) {
    if (HAN.test(token)) {
      if (previous === "^") found.set(`^${token.slice(0, 2)}`, "");
      for (const part of toCharacters(token)) found.set(`c${part}`, part);
      words += token.length / CHARACTERS_A_WORD;
      previous = "";
    } else if (/^\d/.test(token)) previous = "";
    else {
      const stem = toStem(token, SHORTEST_STEM);
      found.set(`s${stem}`, token);
      if (stem !== token) found.set(`w${token}`, token);
      if (previous !== "") found.set(`b${previous} ${token}`, previous === "^" ? "" : `${previous} ${token}`);
      words++;
      previous = token;
    }
  }
  const last = tokens.at(-1) ?? "";
  found.set(`$${HAN.test(last) ? last.slice(-2) : last}`, "");
  found.set(`n${LENGTHS.find((length) => words <= length) ?? "more"}`, "");
  return Array.from(found, ([key, word]) => ({ key, word }));
}

/** Names and paths are treated separately: their parts are not words of the prompt. */
function namesOf({ symbols, paths }: PromptClues): string[] {
  return [...paths, ...symbols].filter((name) => !/^[a-z]+$/.test(name));
}

function* toShapes(prompt: string, text: string, clues: PromptClues): Generator<string> {
  yield HAN.test(text) ? "chinese" : "latin";
  if (clues.hasTrace) yield "trace";
  if (clues.error !== "") yield "error";
  if (clues.hasCode) yield "code";
  if (clues.symbols.length > 0) yield "symbol";
  if (clues.symbols.length > 2) yield "symbols";
  if (clues.paths.length > 0) yield "path";
  if (clues.paths.some((path) => /\.[a-z]\w{0,6}$/i.test(path))) yield "file";
  if (/^\s{0,9}\/[a-z][\w:-]{0,40}(?:\s|$)/i.test(prompt)) yield "command";
  if (/^\s{0,9}<[a-z][\w-]{0,40}>/i.test(prompt)) yield "tag";
  if (/^\s{0,9}\[[^\]\n]{4,80}\]\s{0,9}$/.test(prompt)) yield "bracket";
  if (/[?？]/.test(text)) yield "question";
  if (/\n[^\n]*\n/.test(prompt.slice(0, 2 * MAX_READ_CHARS).trim())) yield "lines";
}

/** Yields all n-grams of one, two and three characters. */
function* toCharacters(token: string): Generator<string> {
  for (let at = 0; at < token.length; at++) {
    yield token.charAt(at);
    if (at + 1 < token.length) yield token.slice(at, at + 2);
    if (at + 2 < token.length) yield token.slice(at, at + 3);
  }
}
