import { readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "../base/once.ts";

/** A programming term in Chinese and in the English used in code and prose. */
export interface Entry {
  /** Simplified, Traditional and Taiwanese spellings and synonyms. Contract: each occurs in one entry only. */
  readonly zh: readonly string[];
  /** Lower-case words, most typical first, at most five. `thread_pool` stands for the combination of its parts. */
  readonly en: readonly string[];
}

/**
 * Chinese and English programming terms from `glossary.txt`, for questions in one language about code in the other.
 * Contract: loaded on the first call, to keep hook startup fast; returns the same array every time; not sorted by
 * length, so callers that match terms in a sentence must try the longest first.
 */
export const glossary: () => readonly Entry[] = once(() =>
  readFileSync(join(import.meta.dirname, "glossary.txt"), "utf8")
    .trim()
    .split("\n")
    .map((entry) => {
      const [zh = "", en = ""] = entry.split(" = ");
      return { zh: zh.split(","), en: en.split(" ") };
    }),
);
