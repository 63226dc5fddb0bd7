import type { Signal } from "../contract/run-document.ts";
import type { Intent } from "../contract/tool.ts";
import type { PromptClues } from "./clues.ts";
import { findWords, speaksAgainst, TASK_WORDS, wishesTier2 } from "./lexicon.ts";
import { MAX_READ_CHARS } from "./signals.ts";

/** What the user wants, and how sure we are that it is about code. */
export interface IntentAnalysis {
  /** Null where the prompt is not about code. */
  readonly intent: Intent | null;
  /** 0 to 1: how sure it is about code. */
  readonly confidence: number;
  /** Why, in plain words. */
  readonly why: string;
  /** True where the prompt asks for what only tier-2 tools answer. */
  readonly wantsTier2: boolean;
}

/** Below this nothing is injected. */
export const CONFIDENCE_THRESHOLD = 0.5;

/** Belief before any signal: whoever types into a coding client mostly means the code. */
const PRIOR = 0.3;

/** How much a contrary pattern takes away: names, paths, errors and code outweigh it, words alone do not. */
const CONTRARY = { toStructure: 0.3, toWords: 0.6 };

/** Judges signals. Contract: a function of its arguments alone. */
export function analyseIntent(prompt: string, clues: PromptClues, signals: readonly Signal[]): IntentAnalysis {
  const head = prompt.slice(0, MAX_READ_CHARS);
  const against = speaksAgainst(head);
  // Independent reasons add up the way probabilities do, so that no number of weak ones makes certainty.
  const belief = 1 - signals.reduce((doubt, { weight }) => doubt * (1 - weight), 1 - PRIOR);
  const hasStructure = signals.some(({ type }) => type === "implicit" || type === "code");
  const contrary = against ? (hasStructure ? CONTRARY.toStructure : CONTRARY.toWords) : 0;
  const confidence = Math.round(Math.max(0, belief - contrary) * 100) / 100;
  const wantsTier2 = wishesTier2(head);
  if (confidence < CONFIDENCE_THRESHOLD) {
    return { intent: null, confidence, why: explainSilence(signals, against), wantsTier2 };
  }
  return { intent: chooseIntent(head, clues), confidence, why: explain(signals), wantsTier2 };
}

function chooseIntent(prompt: string, clues: PromptClues): Intent {
  if (clues.hasTrace || clues.error !== "") return "debug";
  for (const { intent, words } of TASK_WORDS) if (findWords(prompt, words, 1).length > 0) return intent;
  return clues.symbols.length > 0 || clues.paths.length > 0 ? "explore" : "feature";
}

function explain(signals: readonly Signal[]): string {
  const strongest = signals.toSorted((a, b) => b.weight - a.weight).slice(0, 3);
  return strongest.map(({ match }) => match).join(", ");
}

function explainSilence(signals: readonly Signal[], against: boolean): string {
  if (against) return "reads like talk, a chore or another subject, not like a question about code";
  return signals.length === 0 ? "no word, name, path or error that points at code" : "too little that points at code";
}
