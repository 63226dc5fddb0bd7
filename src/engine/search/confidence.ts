import { weigh } from "./score.ts";
import { CONFIDENCE_BIAS, CONFIDENCE_WEIGHTS } from "./weights.ts";

/** What the best candidates of an answer have, from which its confidence is told. */
export interface BestHits {
  /** The best score. */
  readonly score: number;
  /** Most of the question's value that one passage, and two neighbouring lines, of the best three have. */
  readonly passageCover: number;
  readonly sentence: number;
  /** Terms of the question. */
  readonly terms: number;
}

/** About the best score that a question gets. */
const HIGH_SCORE = 15;
/** Terms from which on a question is as clear as it gets. */
const CLEAR = 12;

/**
 * How likely it is that a question is answered at all by what was found: a logistic model of questions asked in their own
 * and in foreign repositories. Contract: from 0 to 1; rises with each signal; 0 where nothing was found.
 */
export function confidenceOf(best: BestHits): number {
  if (best.score <= 0) return 0;
  const { score, passageCover, sentence, terms } = best;
  const features = { score: score / HIGH_SCORE, passageCover, sentence, terms: Math.min(1, terms / CLEAR) };
  return 1 / (1 + Math.exp(-(CONFIDENCE_BIAS + weigh(features, CONFIDENCE_WEIGHTS))));
}
