import type { FoundTerm } from "./postings.ts";
import { toShares } from "./score.ts";
import type { SearchIndex } from "./source.ts";
import { isWhole, wholeTerm } from "./words.ts";

/** Maximum number of pairs that are looked up; longer texts repeat themselves. */
const MOST_PAIRS = 10;

/**
 * Scores files by adjacent words of the query that the names of their definitions write as one word: a question about a
 * connection pool matches `ConnectionPool` better than the two separate words. Contract: scores are divided by the
 * highest one.
 */
export function scorePairs(index: SearchIndex, terms: readonly FoundTerm[]): Float64Array {
  const scores = new Float64Array(index.fileCount);
  const words = terms.filter(({ key }) => !isWhole(key)).slice(0, MOST_PAIRS + 1);
  words.slice(1).forEach(({ key }, before) => {
    const { files, counts } = index.postings(wholeTerm((words[before]?.key ?? "") + key));
    const rarity = Math.log(1 + index.fileCount / Math.max(1, files.length));
    for (let at = 0; at < files.length; at++) {
      const file = files[at] ?? 0;
      if ((counts.name[at] ?? 0) > 0) scores[file] = (scores[file] ?? 0) + rarity;
    }
  });
  return toShares(scores);
}
