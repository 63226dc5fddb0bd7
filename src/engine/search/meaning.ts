import type { Hit } from "./answer.ts";
import { MEANING } from "./weights.ts";

/** Relative similarity from which the reason mentions it. */
const WORTH_SAYING = 0.8;

/** Cosine similarity of two unit vectors: from -1 to 1. */
export function similarityOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/**
 * Moves hits up that are close to the question in meaning. Similarities of one model lie in a narrow range that differs
 * between models, so only their relative position counts. Contract: the same hits in a different order; a hit of
 * unknown similarity (null) counts as average; confidences stay with the ranks.
 */
export function mixMeaning(hits: readonly Hit[], similarities: readonly (number | null)[]): Hit[] {
  const known = similarities.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  if (known.length < 2 || most <= least) return [...hits];
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const scores = hits.map(({ score }) => score);
  const spread = Math.max(...scores) - Math.min(...scores);
  return hits
    .map((hit, at) => {
      const share = ((similarities[at] ?? mean) - least) / (most - least);
      const isClose = typeof similarities[at] === "number" && share >= WORTH_SAYING;
      const reason = isClose ? `${hit.reason}; close in meaning` : hit.reason;
      return { ...hit, score: hit.score + MEANING * spread * share, reason };
    })
    .sort((one, other) => other.score - one.score)
    .map((hit, rank) => ({ ...hit, confidence: hits[rank]?.confidence ?? hit.confidence }));
}
