import type { QueryTerm } from "./query.ts";

/** Minimum length of a prefix shared by two forms of a word. */
const SHORTEST_SHARED = 3;
/** Minimum share of a spelling that counts as the word itself in a name. */
const LIKELY = 0.5;

/** Whether a part of a name matches the word, written out or abbreviated. */
export function isLike({ spellings }: QueryTerm, part: string): boolean {
  for (const { term, share } of spellings) {
    if (share < LIKELY) continue;
    if (term === part) return true;
    if (term.length < SHORTEST_SHARED || part.length < SHORTEST_SHARED) continue;
    if (term.startsWith(part) || part.startsWith(term)) return true;
  }
  return false;
}

/** Number of words that fit into the bits of a number. */
const MOST_WORDS = 31;

/** Determines which words of a question the parts of names match. */
export interface WordMatcher {
  /** Bit set of the words that a part of a name matches; bit `n` is the n-th word. */
  readonly match: (part: string) => number;
  /** Cheap test before a name is split: false if it matches none of the words. Contract: no false negatives. */
  readonly canSay: (name: string) => boolean;
}

/** Creates a matcher for the first 31 words. Contract: caches parts, because the names of a repository share them. */
export function makeWordMatcher(words: readonly QueryTerm[]): WordMatcher {
  const few = words.slice(0, MOST_WORDS);
  const seen = new Map<string, number>();
  const hints = new Set(
    few.flatMap(({ spellings }) =>
      spellings.filter(({ share }) => share >= LIKELY).map(({ term }) => term.slice(0, SHORTEST_SHARED)),
    ),
  );
  return {
    match: (part) => {
      const known = seen.get(part);
      if (known !== undefined) return known;
      let bits = 0;
      for (let at = 0; at < few.length; at++) {
        const word = few[at];
        if (word !== undefined && isLike(word, part)) bits |= 1 << at;
      }
      seen.set(part, bits);
      return bits;
    },
    canSay: (name) => {
      const lower = name.toLowerCase();
      for (const hint of hints) if (lower.includes(hint)) return true;
      return false;
    },
  };
}
