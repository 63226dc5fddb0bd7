import { VISIBILITIES, type Visibility } from "./facts.ts";
import type { Access, Declared } from "./language.ts";

const WORD = /\b(public|protected|private|fileprivate|internal|package|open)\b/;

/** The visibility given by a keyword before the name, or the language's default. */
export function byKeyword(fallback: (declared: Declared) => Visibility): (declared: Declared) => Access {
  return (declared) => {
    const word = WORD.exec(declared.head)?.[1] ?? declared.section.replace(/\W/g, "");
    const visibility = toVisibility(word) ?? fallback(declared);
    return { visibility, exported: visibility !== "private" };
  };
}

function toVisibility(word: string): Visibility | null {
  if (word === "open") return "public";
  return word === "fileprivate" ? "private" : (VISIBILITIES.find((own) => own === word) ?? null);
}

/** Public or private, and exported exactly if public. */
export const visibleIf = (isVisible: boolean): Access => ({
  visibility: isVisible ? "public" : "private",
  exported: isVisible,
});
