import type { QueryTerm } from "./query.ts";
import { FIELDS, type Field, type Postings, perField, type SearchIndex } from "./source.ts";

/** A query term with its postings and its weight in this repository. */
export interface FoundTerm extends QueryTerm {
  /** Inverse document frequency: higher if fewer files contain the term. */
  readonly rarity: number;
  /** Rarity multiplied by the damped number of mentions. */
  readonly value: number;
  readonly places: TermPlaces;
}

/** Merged postings of all spellings of a term. Contract: as for `Postings`; each file counts with its best spelling. */
interface TermPlaces {
  readonly files: ArrayLike<number>;
  readonly counts: Readonly<Record<Field, ArrayLike<number>>>;
  /** Share of the best spelling in each file; null if all files contain the word itself. */
  readonly shares: ArrayLike<number> | null;
  /** Lines of the best spelling in the body of `files[at]`. */
  readonly linesAt: (at: number) => ArrayLike<number>;
}

/** Maximum factor for repeated mentions of a term. */
const MOST_MEANT = 2;

/**
 * Reads the postings of terms and weights each by its rarity; `damp` converts the number of mentions into a weight.
 * Contract: terms that occur nowhere are kept, with empty postings.
 */
export function findTerms(
  index: SearchIndex,
  terms: readonly QueryTerm[],
  damp: (said: number) => number = (said) => said,
): FoundTerm[] {
  return terms.map((term) => {
    const read = term.spellings.map(({ term: spelling }) => index.postings(spelling));
    const places = mergePlaces(term, read);
    const literal = read[0] === undefined ? 0 : countPositive(read[0].counts.body);
    const { having, of } = index.spreadOf(term.key) ?? {
      having: literal > 0 ? literal : countPositive(places.counts.body),
      of: index.fileCount,
    };
    const rarity = Math.log(1 + (of - having + 0.5) / (having + 0.5));
    return { ...term, places, rarity, value: rarity * Math.min(MOST_MEANT, damp(term.weight)) };
  });
}

/** The same term, weighted as if it had been mentioned `said` times. */
export function weighAgain(term: FoundTerm, said: number, damp: (said: number) => number): FoundTerm {
  return { ...term, value: term.rarity * Math.min(MOST_MEANT, damp(said)) };
}

function countPositive(values: ArrayLike<number>): number {
  let count = 0;
  for (let at = 0; at < values.length; at++) if ((values[at] ?? 0) > 0) count++;
  return count;
}

function mergePlaces({ spellings }: QueryTerm, read: readonly Postings[]): TermPlaces {
  const found = read
    .map((postings, at) => ({ postings, share: spellings[at]?.share ?? 0 }))
    .filter(({ postings }) => postings.files.length > 0)
    .sort((a, b) => b.share - a.share);
  const only = found[0];
  if (found.length === 1 && only?.share === 1) return { ...only.postings, shares: null };
  const files = [...new Set(found.flatMap(({ postings }) => Array.from(postings.files)))].sort((a, b) => a - b);
  const rowOf = new Map(files.map((file, at) => [file, at]));
  const counts = perField(() => new Float64Array(files.length));
  const shares = new Float64Array(files.length);
  const source = new Int32Array(files.length).fill(-1);
  const sourceAt = new Int32Array(files.length);
  found.forEach(({ postings, share }, which) => {
    for (let at = 0; at < postings.files.length; at++) {
      const row = rowOf.get(postings.files[at] ?? -1) ?? 0;
      for (const field of FIELDS) {
        const count = share * (postings.counts[field][at] ?? 0);
        if (count > (counts[field][row] ?? 0)) counts[field][row] = count;
      }
      if (share > (shares[row] ?? 0)) shares[row] = share;
      if (source[row] === -1 && (postings.counts.body[at] ?? 0) > 0) {
        source[row] = which;
        sourceAt[row] = at;
      }
    }
  });
  return { files, counts, shares, linesAt: (at) => found[source[at] ?? -1]?.postings.linesAt(sourceAt[at] ?? 0) ?? [] };
}

/** A query term with its lines in one file. */
export interface TermLines {
  readonly key: string;
  /** The term's value, reduced if the file contains only another spelling. */
  readonly value: number;
  readonly lines: ArrayLike<number>;
}

/** Lines of the terms in the body of one file; terms that do not occur there are omitted. */
export function linesIn(file: number, terms: readonly FoundTerm[]): TermLines[] {
  const found: TermLines[] = [];
  for (const { key, value, places } of terms) {
    const at = lowerBound(places.files, file);
    if (places.files[at] !== file) continue;
    const lines = places.linesAt(at);
    if (lines.length > 0) found.push({ key, value: value * (places.shares?.[at] ?? 1), lines });
  }
  return found;
}

/** First position in ascending values that is not less than `value`. */
export function lowerBound(values: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
