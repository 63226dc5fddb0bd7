import { readFrame } from "../base/question-frame.ts";
import { roundTo } from "../base/round-to.ts";
import { isChinese } from "../base/text.ts";
import type { Signal } from "../contract/run-document.ts";
import type { Intent } from "../contract/tool.ts";
import type { PromptClues } from "./clues.ts";
import { beginsElsewhere, findWords, isMachineMade, TASK_WORDS, wishesTier2 } from "./lexicon.ts";
import type { Reading } from "./reading.ts";
import { type Hints, MAX_READ_CHARS } from "./signals.ts";

/** The user's intent, and the confidence that the prompt is about code. */
export interface IntentAnalysis {
  /** Null if the prompt is not about code. */
  readonly intent: Intent | null;
  /** Confidence that the prompt is about code, from 0 to 1. */
  readonly confidence: number;
  /** Reason in plain words. */
  readonly why: string;
  /** True if the prompt asks for something that only tier-2 tools can answer. */
  readonly wantsTier2: boolean;
  /** True if the words alone do not decide it, but a repository that knows the subject of the prompt could. */
  readonly isOpen: boolean;
}

interface Findings {
  readonly clues: PromptClues;
  readonly reading: Reading;
  readonly signals: readonly Signal[];
  readonly hints: Hints;
}

/** Default threshold: below it nothing is injected. */
export const CONFIDENCE_THRESHOLD = 0.5;
/** Below this confidence a prompt is clearly about something else, whatever it names. */
const OPEN = 0.2;
/** From this confidence on, a question may be about code even if it does not ask about a particular word. */
const UNDECIDED = 0.35;
/** From this confidence on, a prompt is about code even if it opens like small talk. */
const SURELY = 0.7;

/** Slope of the conversion from log odds to confidence: the model is overconfident on unseen prompts. */
const STEEPNESS = 0.6;
/** Log odds for hints on the command line that name code: such a prompt is about code. */
const HINTED = 4;
/**
 * Confidence given by a word that asks for work, a name, a path, an error or code, unless there is evidence against it.
 */
const FLOOR = 0.55;
/**
 * Weight of contrary words from which on the floor no longer applies: a base value, and an addition for each name,
 * path, error or piece of code.
 */
const CONTRARY = { toWords: 0.5, toEach: 2.5 };

/** Judges a prompt by its analysis. Contract: depends on its arguments only. */
export function analyseIntent(
  prompt: string,
  { clues, reading, signals, hints }: Findings,
  threshold: number,
): IntentAnalysis {
  const head = prompt.slice(0, MAX_READ_CHARS);
  const wantsTier2 = wishesTier2(head);
  const silent = (confidence: number, why: string, isOpen = false) => ({
    intent: null,
    confidence,
    why,
    wantsTier2,
    isOpen,
  });
  if (isMachineMade(prompt)) return silent(0, "made by a program or a command to the client, not asked by a person");
  if (!/[\p{L}\p{N}]/u.test(head)) return silent(0, "no word in it");
  const isHinted = hints.file !== undefined || hints.functionName !== undefined;
  const belief = 1 / (1 + Math.exp(-STEEPNESS * (reading.score + (isHinted ? HINTED : 0))));
  const isElsewhere = beginsElsewhere(head) && structureOf(clues) === 0 && belief < SURELY;
  if (isElsewhere) return silent(roundTo(Math.min(belief, OPEN), 2), explainSilence(reading));
  const isFloor = standsAgainst(reading, signals) < CONTRARY.toWords + CONTRARY.toEach * structureOf(clues);
  const confidence = roundTo(Math.max(belief, isFloor ? FLOOR : 0), 2);
  if (confidence < threshold) {
    const isOpen = confidence >= OPEN ? asksSomething(head, confidence >= UNDECIDED) : asksOfName(head);
    return silent(confidence, explainSilence(reading), isOpen);
  }
  return { intent: chooseIntent(head, clues), confidence, why: explain(signals), wantsTier2, isOpen: false };
}

/** True if a prompt asks about a word or, with `isEnough`, has a wish at all. */
function asksSomething(prompt: string, isEnough: boolean): boolean {
  const { asked, quoted, wish } = readFrame(prompt);
  return asked.length + quoted.length > 0 || (isEnough && wish !== null);
}

/** True for a Chinese question about the users or dependents of one name: such questions are only asked about code. */
function asksOfName(prompt: string): boolean {
  const { asked, wish } = readFrame(prompt);
  return (wish === "impact" || wish === "callers") && asked.length === 1 && isChinese(prompt);
}

/** Total weight of the words that speak against code; infinite if no signal speaks for it. */
function standsAgainst({ speakAgainst }: Reading, signals: readonly Signal[]): number {
  const said = signals.filter(isTelling).map(({ match }) => match);
  if (said.length === 0) return Number.POSITIVE_INFINITY;
  return speakAgainst.reduce(
    (sum, { word, weight }) => (said.some((own) => word.includes(own)) ? sum : sum - weight),
    0,
  );
}

/** Amount of code, as opposed to words, in a prompt. */
function structureOf({ hasTrace, hasCode, error, symbols, paths }: PromptClues): number {
  const places = paths.filter(isPlace).length;
  return (
    (hasTrace ? 2 : 0) + (hasCode ? 1 : 0) + (error === "" ? 0 : 1) + Math.min(2, symbols.length) + Math.min(2, places)
  );
}

/** True for a path to a file or folder; "and/or" and the branch "release/2.4" contain a slash too. */
function isPlace(path: string): boolean {
  return /\.[a-z]\w{0,6}$|^[.~]{0,2}\/|\/.*\//i.test(path);
}

/** True for words that ask for work or for tier-2 tools, and for all signals that are not words. */
function isTelling({ type, weight, match }: Signal): boolean {
  return type !== "explicit" || weight >= 0.8 || wishesTier2(match);
}

function chooseIntent(prompt: string, clues: PromptClues): Intent {
  if (clues.hasTrace || clues.error !== "") return "debug";
  for (const { intent, words } of TASK_WORDS) if (findWords(prompt, words, 1).length > 0) return intent;
  return clues.symbols.length > 0 || clues.paths.length > 0 ? "explore" : "feature";
}

function explain(signals: readonly Signal[]): string {
  const strongest = signals.toSorted((a, b) => b.weight - a.weight).slice(0, 3);
  return strongest.map(({ match }) => match).join(", ") || "reads like a question about software";
}

function explainSilence({ speakAgainst }: Reading): string {
  const words = speakAgainst.slice(0, 3).map(({ word }) => `"${word}"`);
  return words.length === 0
    ? "too little that points at code"
    : `reads like talk, a chore or another subject (${words.join(", ")}), not like a question about code`;
}
