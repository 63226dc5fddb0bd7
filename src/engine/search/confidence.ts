import type { FoundTerm } from "./postings.ts";
import { weigh } from "./score.ts";
import type { SearchIndex } from "./source.ts";
import { CONFIDENCE_BIAS, CONFIDENCE_WEIGHTS, type ConfidenceFeature, type QuestionFeature } from "./weights.ts";
import { isWhole } from "./words.ts";

/** A question and its top results, best first. */
interface JudgedAnswer {
  readonly query: string;
  readonly terms: readonly FoundTerm[];
  readonly best: readonly { readonly score: number; readonly features: Readonly<Record<QuestionFeature, number>> }[];
}

/** Number of top candidates used to judge the whole answer. */
const JUDGED = 3;
/** Approximately the best score that a question gets. */
const HIGH_SCORE = 15;
/** Number of terms at which a question is as clear as possible. */
const CLEAR = 12;
/** Number of files beyond which more files do not make chance hits more likely, according to the training data. */
const MANY_FILES = 2_000;

/**
 * Features that indicate whether a repository has an answer: how well the best candidates fit, compared with what
 * chance would produce. Contract: each is from 0 to 1.
 */
export function readConfidence(
  index: SearchIndex,
  { query, terms, best }: JudgedAnswer,
): Record<ConfidenceFeature, number> {
  const most = (name: "passageCover" | "sentence") =>
    Math.max(0, ...best.slice(0, JUDGED).map(({ features }) => features[name]));
  const spread = index.spreadOf(terms[0]?.key ?? "");
  const words = terms.filter(({ key }) => !isWhole(key));
  const names = namesSaid(query);
  const having = ({ key, places }: FoundTerm) => index.spreadOf(key)?.having ?? places.files.length;
  const of = Math.max(1, spread?.of ?? index.fileCount);
  const rarest = Math.log(1 + (of + 0.5) / 0.5);
  return {
    score: Math.min(1, Math.max(0, best[0]?.score ?? 0) / HIGH_SCORE),
    rare: Math.min(1, Math.max(0, ...words.map((term) => (having(term) === 0 ? 0 : term.rarity))) / rarest),
    chinese: Number(/\p{Script=Han}/u.test(query)),
    passageCover: most("passageCover"),
    sentence: most("sentence"),
    terms: Math.min(1, terms.length / CLEAR),
    pathWords: words.filter(({ places }) => isSome(places.counts.path)).length / Math.max(1, words.length),
    files: Math.min(1, Math.log(of) / Math.log(MANY_FILES)),
    strangeName: Number(!BRINGS_IN.test(query) && terms.some((term) => names.has(term.said) && having(term) === 0)),
  };
}

/**
 * The probability that the results answer the question at all: a logistic model trained on questions asked in their own
 * and in unrelated repositories. Contract: from 0 to 1; 0 if nothing was found.
 */
export function confidenceOf(features: Readonly<Record<ConfidenceFeature, number>>): number {
  if (features.score === 0) return 0;
  return 1 / (1 + Math.exp(-(CONFIDENCE_BIAS + weigh(features, CONFIDENCE_WEIGHTS))));
}

function isSome(counts: ArrayLike<number>): boolean {
  for (let at = 0; at < counts.length; at++) if ((counts[at] ?? 0) > 0) return true;
  return false;
}

/** A request for something new uses a name that does not exist yet. */
const BRINGS_IN =
  /^\s*(?:add|allow|support|implement|introduce|expose|create|feature request|新增|增加|添加|支持|实现)/i;
const WORD = /[A-Za-z_$][\w$]*/g;
const LIKE_CODE = /[a-z][A-Z]|_/;
const SENTENCE_START = /(?:^|[.!?:\n])[\s"'(*-]{0,10}$/;
/** Characters inspected before a word to tell whether it starts a sentence. */
const BEFORE = 12;

/** Words written like names: like code, or capitalised although not at the start of a sentence. */
function namesSaid(query: string): Set<string> {
  const names = new Set<string>();
  for (const { 0: word, index: at } of query.matchAll(WORD)) {
    const isCapital = /^[A-Z]/.test(word) && !SENTENCE_START.test(query.slice(Math.max(0, at - BEFORE), at));
    if (isCapital || LIKE_CODE.test(word)) names.add(word);
  }
  return names;
}
