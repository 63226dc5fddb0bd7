import { isRecord } from "../base/text.ts";
import type { ToolResult } from "../contract/run-document.ts";
import type { NameFact, ToolContext, Vocabulary } from "../contract/tool.ts";
import type { PromptClues } from "./clues.ts";
import type { Judgement } from "./judge.ts";
import { isEverydayWord } from "./reading.ts";

type LookBudget = Pick<ToolContext, "signal" | "timeLeftMs" | "isExcluded" | "usesIndex">;

/** Looks up the words of a question in a repository. */
export type LookUp = (root: string, query: string, budget: LookBudget) => Promise<Vocabulary>;

/**
 * Confidence that a prompt is about code if the name that it asks about is defined here, occurs in few files, or if the
 * question fits this repository.
 */
const BELIEF = { defined: 0.9, rare: 0.7, fitting: 0.6 };
/** Minimum confidence of the lookup for a question without names to count as fitting this repository. */
const FITTING = 0.8;
const FEW_FILES = 8;
/** Texts that hardly occur outside code: quoted sentences, and texts that are spelt like code. */
const SENTENCE = /\S\s+\S+\s+\S/;
const LIKE_CODE = /[a-z][A-Z]|[_\d]|^--?\w|\w[.:/-]\w|^[A-Z]{4,}$/;

/**
 * Decides what the words of a prompt leave open: it is about code if it asks about a name of this repository, or names
 * nothing but is very likely answered here. Contract: does a lookup only for open judgements; makes a prompt about code
 * only if the confidence of the lookup alone reaches the threshold.
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
  // A sentence, a text that is spelt like code, or a word that is not in everyday use.
  return SENTENCE.test(text) || LIKE_CODE.test(text) || !isEverydayWord(text) ? BELIEF.rare : 0;
}

/** A name and where it occurs: `slugify, defined at src/text.py:12`. */
export function sayName({ text, definitions, defined_at, files, of }: NameFact): string {
  const others = definitions > 1 ? ` and ${definitions - 1} more` : "";
  if (definitions > 0) return `${text}, defined at ${defined_at}${others}`;
  return files > 0 ? `${text}, in ${files} of ${of} files` : `${text}, nowhere here`;
}

/** Adds the names that the tools found to a prompt's clues, so that a later "who calls it?" can refer to them. */
export function withNames(clues: PromptClues, results: readonly ToolResult[]): PromptClues {
  const listed = results.flatMap(({ data }) => (Array.isArray(data?.["names"]) ? (data["names"] as unknown[]) : []));
  const known = listed
    .filter(isRecord)
    .flatMap(({ text, definitions }) => (typeof text === "string" && Number(definitions) > 0 ? [text] : []));
  return { ...clues, symbols: [...new Set([...clues.symbols, ...known])] };
}
