import type { FoundTerm } from "./postings.ts";
import { toShares } from "./score.ts";
import type { SearchIndex } from "./source.ts";
import { isWhole, wholeTerm } from "./words.ts";

/** Word-pair scores of files, relative to the best file. */
export interface PairScores {
  readonly anywhere: Float64Array;
  /** Only in the names of definitions. */
  readonly names: Float64Array;
}

/** Maximum number of pairs looked up: longer texts repeat themselves. */
const MOST_PAIRS = 10;

/**
 * Scores files that write adjacent words of the query as one identifier: a question about a connection pool refers to
 * `ConnectionPool` rather than to the two separate words.
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
