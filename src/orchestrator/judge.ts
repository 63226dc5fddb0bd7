import type { Signal } from "../contract/run-document.ts";
import { findClues, type PromptClues } from "./clues.ts";
import { analyseIntent, type IntentAnalysis } from "./intent.ts";
import { findSignals, type Hints } from "./signals.ts";

/** What a prompt was judged to be. */
export interface Judgement {
  readonly clues: PromptClues;
  readonly signals: readonly Signal[];
  readonly analysis: IntentAnalysis;
}

/** Signals and intent of a prompt. Contract: pure; no file is read. */
export function judgePrompt(text: string, hints: Hints): Judgement {
  const found = findClues(text);
  const clues = {
    ...found,
    paths: hints.file === undefined ? found.paths : [hints.file, ...found.paths],
    symbols: hints.functionName === undefined ? found.symbols : [hints.functionName, ...found.symbols],
  };
  const signals = findSignals(text, found, hints);
  return { clues, signals, analysis: analyseIntent(text, found, signals) };
}
