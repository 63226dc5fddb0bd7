import { join } from "node:path";
import { readModel } from "../base/linear-model.ts";
import { once } from "../base/once.ts";
import { toStem } from "../base/text.ts";
import type { PromptClues } from "./clues.ts";
import { SHORTEST_STEM, toFeatures } from "./prompt-features.ts";

/** Evidence from the words and the shape of a prompt. */
export interface Reading {
  /** Log odds that the prompt is about code. */
  readonly score: number;
  /** Words that speak for or against code, strongest first, with their contribution to the score. */
  readonly speakFor: readonly WeighedWord[];
  readonly speakAgainst: readonly WeighedWord[];
}

interface WeighedWord {
  readonly word: string;
  readonly weight: number;
}

const model = once(() => readModel(join(import.meta.dirname, "judgement.model")));
const MAX_WORDS = 5;
/** Minimum weight and length of a word that is worth showing to a person. */
const TELLING = 0.4;
const SHORTEST = { latin: 3, han: 2 };

/** Scores a prompt with the trained model. Contract: pure, except that the first call reads the model's file. */
export function readPrompt(prompt: string, clues: PromptClues): Reading {
  const { bias, weightOf } = model();
  let score = bias;
  const byWord = new Map<string, number>();
  for (const { key, word } of toFeatures(prompt, clues)) {
    const weight = weightOf(key);
    score += weight;
    if (word.length >= (word > "\u2e80" ? SHORTEST.han : SHORTEST.latin))
      byWord.set(word, (byWord.get(word) ?? 0) + weight);
  }
  const words = Array.from(byWord, ([word, weight]) => ({ word, weight }));
  return { score, speakFor: strongest(words, 1), speakAgainst: strongest(words, -1) };
}

/** True for a word that has a weight in the model, which was trained on prompts of all kinds. */
export function isEverydayWord(word: string): boolean {
  const { weightOf } = model();
  return weightOf(`s${toStem(word.toLowerCase(), SHORTEST_STEM)}`) !== 0 || weightOf(`w${word.toLowerCase()}`) !== 0;
}

/** Returns the words with the most weight on one side. Contract: no word contains another. */
function strongest(words: readonly WeighedWord[], sign: 1 | -1): WeighedWord[] {
  const chosen: WeighedWord[] = [];
  const telling = words.filter(({ weight }) => weight * sign >= TELLING);
  for (const next of telling.sort((a, b) => (b.weight - a.weight) * sign)) {
    if (chosen.length === MAX_WORDS) break;
    if (!chosen.some(({ word }) => word.includes(next.word) || next.word.includes(word))) chosen.push(next);
  }
  return chosen;
}
