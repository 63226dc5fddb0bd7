import { sliceWhole } from "../base/text.ts";
import type { Limit } from "../contract/limits.ts";
import type { Client, Signal } from "../contract/run-document.ts";
import { findClues, MAX_ANALYSED_CHARS, type PromptClues } from "./clues.ts";
import { analyseIntent, CONFIDENCE_THRESHOLD, type IntentAnalysis } from "./intent.ts";
import type { PromptMarks } from "./prompt-marks.ts";
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

/** A prompt as an adapter hands it over. */
export interface Prompt {
  /** What was asked, without marks and private text: all that is judged, searched with, printed or kept comes from here. */
  readonly text: string;
  /** What the marks ask for; absent where there are none. */
  readonly marks?: PromptMarks;
  readonly client: Client;
  readonly hints: Hints;
  /** True where the input asked for a tool directly. */
  readonly asksForTool: boolean;
  /** What an adapter has found out already; the kernel finds it out itself otherwise. */
  readonly judgement?: Judgement;
  /** What names this prompt at its client, the same for every hook that the client calls for it. */
  readonly turnId?: string;
  /** Folder that the client names for its session. */
  readonly folder?: string;
  /** Input of a sub-agent whose task the prompt is. */
  readonly task?: Readonly<Record<string, unknown>>;
  /** Limits that the adapter has to report. */
  readonly limits: readonly Limit[];
}
