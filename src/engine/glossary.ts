import { readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "../base/once.ts";

/** A programming term in Chinese and in the English used in code and prose. */
interface Entry {
  /** Simplified, Traditional and Taiwanese spellings and synonyms. Contract: each occurs in one entry only. */
  readonly zh: readonly string[];
  /** Lower-case words, most typical first, at most five. `thread_pool` stands for the combination of its parts. */
  readonly en: readonly string[];
}

const readLines = once(() => readFileSync(join(import.meta.dirname, "glossary.txt"), "utf8").trim());

function toEntry(line: string): Entry {
  const [zh = "", en = ""] = line.split(" = ");
  return { zh: zh.split(","), en: en.split(" ") };
}

/**
 * Chinese and English programming terms from `glossary.txt`, for questions in one language about code in the other.
 * Contract: loaded on the first call, to keep hook startup fast; returns the same array every time; not sorted by
 * length, so callers that match terms in a sentence must try the longest first.
 */
export const glossary: () => readonly Entry[] = once(() => readLines().split("\n").map(toEntry));

/**
 * The entries whose line contains a text, in order. Contract: may contain it as a part of a word; takes a fraction of
 * the time of `glossary`, which a question in English does not need.
 */
export function entriesWith(text: string): Entry[] {
  const lines = readLines();
  const found: Entry[] = [];
  for (let at = lines.indexOf(text); text !== "" && at >= 0; ) {
    const end = lines.indexOf("\n", at);
    found.push(toEntry(lines.slice(lines.lastIndexOf("\n", at) + 1, end < 0 ? undefined : end)));
    at = end < 0 ? -1 : lines.indexOf(text, end);
  }
  return found;
}
