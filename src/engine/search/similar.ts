import type { QueryTerm } from "./query.ts";

/** Shortest beginning that two forms of a word may share. */
const SHORTEST_SHARED = 3;
/** Share of a spelling that is near enough to stand for the word in a name. */
const LIKELY = 0.5;

/** Whether a part of a name says the word, written out or cut short. */
export function isLike({ spellings }: QueryTerm, part: string): boolean {
  for (const { term, share } of spellings) {
    if (share < LIKELY) continue;
    if (term === part) return true;
    if (term.length < SHORTEST_SHARED || part.length < SHORTEST_SHARED) continue;
    if (term.startsWith(part) || part.startsWith(term)) return true;
  }
  return false;
}

/** Words that fit into the bits of a number. */
const MOST_WORDS = 31;

/** Tells which of a question's words the parts of names say. */
export interface WordMatcher {
  /** Bits of the words that a part of a name says; bit `n` stands for the n-th word. */
  readonly match: (part: string) => number;
  /** False for names that say none of the words: a cheap test before they are taken apart. Contract: never wrong about it. */
  readonly canSay: (name: string) => boolean;
}

/** Makes a matcher for the first 31 words. Contract: remembers parts, because the names of a repository share them. */
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
