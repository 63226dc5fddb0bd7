import { sliceWhole } from "../base/text.ts";
import type { Signal } from "../contract/run-document.ts";
import { findClues, MAX_ANALYSED_CHARS, type PromptClues } from "./clues.ts";
import { analyseIntent, CONFIDENCE_THRESHOLD, type IntentAnalysis } from "./intent.ts";
import { readPrompt } from "./reading.ts";
import { findSignals, type Hints } from "./signals.ts";

/** What a prompt was judged to be. */
export interface Judgement {
  readonly clues: PromptClues;
  readonly signals: readonly Signal[];
  readonly analysis: IntentAnalysis;
}

/** Signals and intent of a prompt. Contract: a function of its arguments; nothing of the repository is read. */
export function judgePrompt(prompt: string, hints: Hints, threshold = CONFIDENCE_THRESHOLD): Judgement {
  // Full-width letters and other compatibility forms mean what the plain ones mean.
  const text = sliceWhole(prompt, MAX_ANALYSED_CHARS).normalize("NFKC");
  const found = findClues(text);
  const clues = {
    ...found,
    paths: hints.file === undefined ? found.paths : [hints.file, ...found.paths],
    symbols: hints.functionName === undefined ? found.symbols : [hints.functionName, ...found.symbols],
  };
  const reading = readPrompt(text, found);
  const signals = findSignals(text, found, reading, hints);
  return { clues, signals, analysis: analyseIntent(text, { clues: found, reading, signals, hints }, threshold) };
}
