import { type FoundTerm, linesIn } from "./postings.ts";
import { countBetween } from "./score.ts";
import { isLike } from "./similar.ts";
import type { IndexedDefinition } from "./source.ts";
import { isWhole, partsOf, termsOfPath } from "./words.ts";

const MOST_WORDS = 4;

/** A place, and the evidence in favour of it. */
export interface PlaceEvidence {
  readonly file: number;
  readonly line: number;
  readonly endLine: number;
  readonly definition: IndexedDefinition | null;
  /** What the query itself says about the place: that it names it, or that a stack trace passes through it. */
  readonly facts: readonly string[];
  /** As in `Hit`. */
  readonly isQuote?: true;
}

/** Why a place is offered. */
interface Reason {
  readonly reason: string;
  /** Words that its lines presumably contain; only a caller that has the text can tell. */
  readonly words: readonly string[];
}

/**
 * Explains briefly why a place is offered: facts first, then the query words in its name and its path. Contract: a word
 * is mentioned once, where it counts most, and only if it really occurs there.
 */
export function reasonOf(
  path: string,
  { file, line, endLine, definition, facts }: PlaceEvidence,
  terms: readonly FoundTerm[],
): Reason {
  const words = terms.filter(({ key }) => !isWhole(key)).toSorted((a, b) => b.value - a.value);
  const told = new Set(
    facts.flatMap((fact) => words.filter(({ said }) => fact.includes(said)).map(({ said }) => said)),
  );
  const pick = (says: (term: FoundTerm) => boolean): string[] => {
    const said = words.filter((term) => !told.has(term.said) && says(term)).map((term) => term.said);
    const few = [...new Set(said)].slice(0, MOST_WORDS);
    for (const word of few) told.add(word);
    return few;
  };
  const tell = (where: string, text: string, parts: readonly string[]): string[] => {
    const lower = text.toLowerCase();
    const few = pick((term) => lower.includes(term.said.toLowerCase()) && parts.some((part) => isLike(term, part)));
    return few.length === 0 ? [] : [`${where}: ${few.join(", ")}`];
  };
  const inLines = new Set(
    linesIn(file, words)
      .filter(({ lines }) => countBetween(lines, line, endLine) > 0)
      .map(({ key }) => key),
  );
  const parts = [
    ...facts,
    ...(definition === null ? [] : tell("name", definition.name, partsOf(definition.name))),
    ...tell("path", path, termsOfPath(path)),
  ];
  return { reason: parts.join("; "), words: pick(({ key }) => inLines.has(key)) };
}
