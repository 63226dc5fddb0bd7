import { editDistance } from "../base/edit-distance.ts";

/** The candidate with the smallest edit distance to `word`, or "" if none is close. */
export function findNearest(word: string, candidates: readonly string[]): string {
  let best = "";
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.slice(0, 64), candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
