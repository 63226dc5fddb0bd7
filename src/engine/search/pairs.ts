import type { FoundTerm } from "./postings.ts";
import { toShares } from "./score.ts";
import type { SearchIndex } from "./source.ts";
import { isWhole, wholeTerm } from "./words.ts";

/** How much files say pairs of words, each divided by the most that a file has. */
export interface PairScores {
  readonly anywhere: Float64Array;
  /** In the names of definitions alone. */
  readonly names: Float64Array;
}

/** Most pairs that are looked up: a longer text repeats itself. */
const MOST_PAIRS = 10;

/**
 * Scores files by neighbouring words of the query that they write as one identifier: who asks for a connection pool means
 * `ConnectionPool` more than the two words.
 */
export function scorePairs(index: SearchIndex, terms: readonly FoundTerm[]): PairScores {
  const anywhere = new Float64Array(index.fileCount);
  const names = new Float64Array(index.fileCount);
  const words = terms.filter(({ key }) => !isWhole(key)).slice(0, MOST_PAIRS + 1);
  words.slice(1).forEach(({ key }, before) => {
    const { files, counts } = index.postings(wholeTerm((words[before]?.key ?? "") + key));
    const rarity = Math.log(1 + index.fileCount / Math.max(1, files.length));
    for (let at = 0; at < files.length; at++) {
      const file = files[at] ?? 0;
      anywhere[file] = (anywhere[file] ?? 0) + rarity;
      if ((counts.name[at] ?? 0) > 0) names[file] = (names[file] ?? 0) + rarity;
    }
  });
  return { anywhere: toShares(anywhere), names: toShares(names) };
}
