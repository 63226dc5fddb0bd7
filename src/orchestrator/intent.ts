import { readFrame } from "../base/question-frame.ts";
import { isChinese } from "../base/text.ts";
import type { Signal } from "../contract/run-document.ts";
import type { Intent } from "../contract/tool.ts";
import type { PromptClues } from "./clues.ts";
import { beginsElsewhere, findWords, isMachineMade, TASK_WORDS, wishesTier2 } from "./lexicon.ts";
import type { Reading } from "./reading.ts";
import { type Hints, MAX_READ_CHARS } from "./signals.ts";

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
  /** True where words alone leave it open, and a repository that knows what the prompt asks about would decide. */
  readonly isOpen: boolean;
}

/** What was found out about a prompt so far. */
interface Findings {
  readonly clues: PromptClues;
  readonly reading: Reading;
  readonly signals: readonly Signal[];
  readonly hints: Hints;
}

/** Below this nothing is injected, where the settings do not say otherwise. */
export const CONFIDENCE_THRESHOLD = 0.5;
/** Below this a prompt is plainly about something else, whatever it names. */
const OPEN = 0.2;
/** From here on a question may be about code even if it asks about no one word. */
const UNDECIDED = 0.35;
/** From here on a prompt is about code even if it begins like talk. */
const SURELY = 0.7;

/** Log odds become confidence with this steepness: the model is surer of itself than it is right on unseen prompts. */
const STEEPNESS = 0.6;
/** A prompt that names code beside its text, on the command line, is about code. */
const HINTED = 4;
/** How sure a word that asks for work, or a name, a path, an error or code, makes us where nothing speaks against it. */
const FLOOR = 0.55;
/** From what sum of contrary words on the floor gives way: each name, path, error or piece of code outweighs more of them. */
const CONTRARY = { toWords: 0.5, toEach: 2.5 };

/** Judges what was found. Contract: a function of its arguments alone. */
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
  if (isElsewhere) return silent(toHundredths(Math.min(belief, OPEN)), explainSilence(reading));
  const isFloor = standsAgainst(reading, signals) < CONTRARY.toWords + CONTRARY.toEach * structureOf(clues);
  const confidence = toHundredths(Math.max(belief, isFloor ? FLOOR : 0));
  if (confidence < threshold) {
    const isOpen = confidence >= OPEN ? asksSomething(head, confidence >= UNDECIDED) : asksOfName(head);
    return silent(confidence, explainSilence(reading), isOpen);
  }
  return { intent: chooseIntent(head, clues), confidence, why: explain(signals), wantsTier2, isOpen: false };
}

function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Whether a prompt asks about a word, or, where that is enough, asks at all. */
function asksSomething(prompt: string, isEnough: boolean): boolean {
  const { asked, quoted, wish } = readFrame(prompt);
  return asked.length + quoted.length > 0 || (isEnough && wish !== null);
}

/** Whether a Chinese question asks who uses one name, or what depends on it: of what has no code nobody asks that. */
function asksOfName(prompt: string): boolean {
  const { asked, wish } = readFrame(prompt);
  return (wish === "impact" || wish === "callers") && asked.length === 1 && isChinese(prompt);
}

/** What the words that speak against code take away in sum; endless where nothing speaks for it. */
function standsAgainst({ speakAgainst }: Reading, signals: readonly Signal[]): number {
  const said = signals.filter(isTelling).map(({ match }) => match);
  if (said.length === 0) return Number.POSITIVE_INFINITY;
  return speakAgainst.reduce(
    (sum, { word, weight }) => (said.some((own) => word.includes(own)) ? sum : sum - weight),
    0,
  );
}

/** How much in a prompt is code and no word. */
function structureOf({ hasTrace, hasCode, error, symbols, paths }: PromptClues): number {
  const places = paths.filter(isPlace).length;
  return (
    (hasTrace ? 2 : 0) + (hasCode ? 1 : 0) + (error === "" ? 0 : 1) + Math.min(2, symbols.length) + Math.min(2, places)
  );
}

/** True for a path that names a file or a folder; "and/or" and the branch "release/2.4" have a slash too. */
function isPlace(path: string): boolean {
  return /\.[a-z]\w{0,6}$|^[.~]{0,2}\/|\/.*\//i.test(path);
}

/** Words that ask for work or for what deep tools tell, and everything that is no word. */
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
