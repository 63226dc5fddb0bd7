import { type FoundTerm, linesIn } from "./postings.ts";
import { countBetween } from "./score.ts";
import { isLike } from "./similar.ts";
import type { IndexedDefinition } from "./source.ts";
import { isWhole, partsOf, termsOfPath } from "./words.ts";

const MOST_WORDS = 4;

/** A place, and what is known to speak for it. */
export interface Evidence {
  readonly file: number;
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly definition: IndexedDefinition | null;
  /** What the query itself says of the place: that it names it, or that a trace goes through it. */
  readonly facts: readonly string[];
}

/**
 * Says in a few words why a place is offered: facts first, then which words of the query its name, its path and its lines
 * have. Contract: a word is told once, where it counts most; `related to the other results` where there is nothing else.
 */
export function reasonOf(
  { file, path, line, endLine, definition, facts }: Evidence,
  terms: readonly FoundTerm[],
): string {
  const words = terms.filter(({ key }) => !isWhole(key)).toSorted((a, b) => b.value - a.value);
  const told = new Set<string>();
  const tell = (where: string, says: (term: FoundTerm) => boolean): string[] => {
    const said = words.filter((term) => !told.has(term.said) && says(term)).map((term) => term.said);
    const few = [...new Set(said)].slice(0, MOST_WORDS);
    for (const word of few) told.add(word);
    return few.length === 0 ? [] : [`${where}: ${few.join(", ")}`];
  };
  const nameParts = definition === null ? [] : partsOf(definition.name);
  const pathParts = termsOfPath(path);
  const inLines = new Set(
    linesIn(file, words)
      .filter(({ lines }) => countBetween(lines, line, endLine) > 0)
      .map(({ key }) => key),
  );
  const parts = [
    ...facts,
    ...tell("name", (term) => nameParts.some((part) => isLike(term, part))),
    ...tell("path", (term) => pathParts.some((part) => isLike(term, part))),
    ...tell("text", ({ key }) => inLines.has(key)),
  ];
  return parts.length === 0 ? "related to the other results" : parts.join("; ");
}
