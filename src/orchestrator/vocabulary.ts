import { isRecord } from "../base/text.ts";
import type { ToolResult } from "../contract/run-document.ts";
import type { NameFact, Vocabulary } from "../contract/tool.ts";
import type { PromptClues } from "./clues.ts";
import type { Judgement } from "./judge.ts";
import { isEverydayWord } from "./reading.ts";

/** How long a look at a repository's words may take, and what it must not see. */
interface LookBudget {
  readonly signal: AbortSignal;
  readonly timeLeftMs: () => number;
  readonly isExcluded: (path: string) => boolean;
  readonly usesIndex: boolean;
}

/** Asks a repository what it knows of the words of a question. */
export type LookUp = (root: string, query: string, budget: LookBudget) => Promise<Vocabulary>;

/** How sure it makes of a prompt being about code that what it asks about is defined here, or stands in a few files, or that it fits. */
const BELIEF = { defined: 0.9, rare: 0.7, fitting: 0.6 };
/** How likely an answer must be here for a question that names nothing to be about this code. */
const FITTING = 0.8;
const FEW_FILES = 8;
/** Something that nobody writes but in code. */
const SENTENCE = /\S\s+\S+\s+\S/;
const LIKE_CODE = /[a-z][A-Z]|[_\d]|^--?\w|\w[.:/-]\w|^[A-Z]{4,}$/;

/**
 * Decides what words alone leave open: a prompt that asks about something which is a name in this repository, or one that
 * names nothing and is surely answered here, is about its code. Contract: looks only where it is open; what the repository makes code reaches the threshold by that alone.
 */
export async function decideByVocabulary(
  judgement: Judgement,
  threshold: number,
  look: () => Promise<Vocabulary | null>,
): Promise<Judgement> {
  const { analysis, clues, signals } = judgement;
  if (analysis.intent !== null || !analysis.isOpen) return judgement;
  const vocabulary = await look();
  const said = vocabulary?.names ?? [];
  const names = said.filter((name) => beliefIn(name) >= threshold);
  const isFitting = said.length === 0 && BELIEF.fitting >= threshold && (vocabulary?.confidence ?? 0) >= FITTING;
  if (names.length === 0 && !isFitting) return judgement;
  const confidence = Math.max(isFitting ? BELIEF.fitting : 0, ...names.map(beliefIn));
  const why = isFitting ? "fits what this repository has" : names.map(sayName).join(", ");
  return {
    clues: { ...clues, symbols: [...new Set([...clues.symbols, ...names.map(({ text }) => text)])] },
    signals: [
      ...signals,
      ...names.map((name) => ({ type: "code" as const, match: `symbol: ${name.text}`, weight: 0.7 })),
    ],
    analysis: { ...analysis, intent: "explore", confidence, why, isOpen: false },
  };
}

function beliefIn({ text, definitions, files }: NameFact): number {
  if (definitions > 0) return BELIEF.defined;
  if (files === 0 || files > FEW_FILES) return 0;
  // A sentence, something that only code is written like, or a word that nobody uses otherwise.
  return SENTENCE.test(text) || LIKE_CODE.test(text) || !isEverydayWord(text) ? BELIEF.rare : 0;
}

/** A name and why it is one: `slugify, defined at src/text.py:12`. */
export function sayName({ text, definitions, defined_at, files, of }: NameFact): string {
  const others = definitions > 1 ? ` and ${definitions - 1} more` : "";
  if (definitions > 0) return `${text}, defined at ${defined_at}${others}`;
  return files > 0 ? `${text}, in ${files} of ${of} files` : `${text}, nowhere here`;
}

/** A prompt's clues with what the tools found to be names: a later "who calls it?" means them, too. */
export function withNames(clues: PromptClues, results: readonly ToolResult[]): PromptClues {
  const listed = results.flatMap(({ data }) => (Array.isArray(data?.["names"]) ? (data["names"] as unknown[]) : []));
  const known = listed
    .filter(isRecord)
    .flatMap(({ text, definitions }) => (typeof text === "string" && Number(definitions) > 0 ? [text] : []));
  return { ...clues, symbols: [...new Set([...clues.symbols, ...known])] };
}
