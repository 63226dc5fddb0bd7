import { readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "../base/once.ts";

/** A programming term: how Chinese writes it and how English code and prose do. */
export interface Entry {
  /** Simplified, Traditional and Taiwanese spellings and synonyms. Contract: each in one entry only. */
  readonly zh: readonly string[];
  /** Lower-case words, most typical first, at most five. `thread_pool` means all its parts. */
  readonly en: readonly string[];
}

/**
 * Terms of programming, Chinese and English, for questions in one language about code in the other: the lines of
 * `glossary.txt`. Contract: read at the first call, because a hook's start must not pay for it; the same array every time.
 * In no order of length: who matches them in a sentence takes the longest first.
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
