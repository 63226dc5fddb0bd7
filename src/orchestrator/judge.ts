import { sliceWhole } from "../base/text.ts";
import type { Limit } from "../contract/limits.ts";
import type { Client, Signal } from "../contract/run-document.ts";
import { findClues, MAX_ANALYSED_CHARS, type PromptClues } from "./clues.ts";
import { analyseIntent, CONFIDENCE_THRESHOLD, type IntentAnalysis } from "./intent.ts";
import type { PromptMarks } from "./prompt-marks.ts";
import { readPrompt } from "./reading.ts";
import { findSignals, type Hints } from "./signals.ts";

/** The judgement of a prompt. */
export interface Judgement {
  readonly clues: PromptClues;
  readonly signals: readonly Signal[];
  readonly analysis: IntentAnalysis;
}

/**
 * Determines signals and intent of a prompt. Contract: depends on its arguments only; reads nothing from the
 * repository.
 */
export function judgePrompt(prompt: string, hints: Hints, threshold = CONFIDENCE_THRESHOLD): Judgement {
  // Full-width letters and other compatibility forms are equivalent to the plain ones.
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

/** A prompt as an adapter passes it on. */
export interface Prompt {
  /**
   * The question without marks and private text: the only source of what is judged, searched for, printed or stored.
   */
  readonly text: string;
  /** Requests made by marks; absent if there are none. */
  readonly marks?: PromptMarks;
  readonly client: Client;
  readonly hints: Hints;
  /** True if the input asked for a tool directly. */
  readonly asksForTool: boolean;
  /** Judgement by the adapter; if absent, the kernel judges the prompt itself. */
  readonly judgement?: Judgement;
  /** Id of this prompt at its client, the same for every hook that the client calls for it. */
  readonly turnId?: string;
  /** Folder that the client reports for its session. */
  readonly folder?: string;
  /** Input of a sub-agent, if the prompt is its task. */
  readonly task?: Readonly<Record<string, unknown>>;
  /** Limits that the adapter has to report. */
  readonly limits: readonly Limit[];
}
