import type { QueryTerm } from "./query.ts";
import { FIELDS, type Field, type Postings, type SearchIndex } from "./source.ts";

/** A term of the query with where it stands and what it says in this repository. */
export interface FoundTerm extends QueryTerm {
  /** How few files have it. */
  readonly rarity: number;
  /** Rarity times how much it was meant. */
  readonly value: number;
  readonly places: TermPlaces;
}

/** Where a term stands in all its spellings. Contract: as for `Postings`; a file counts by its best spelling. */
interface TermPlaces {
  readonly files: ArrayLike<number>;
  readonly counts: Readonly<Record<Field, ArrayLike<number>>>;
  /** Share of the best spelling that each file has; null where all have the word itself. */
  readonly shares: ArrayLike<number> | null;
  /** Lines of the best spelling in the body of `files[at]`. */
  readonly linesAt: (at: number) => ArrayLike<number>;
}

/** Most that saying a term again can add. */
const MOST_MEANT = 2;

/**
 * Reads the postings of terms and weighs each by how few files have it; `damp` turns how often a term was said into how
 * much it was meant. Contract: terms that stand nowhere are kept, with no places.
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

/** The same term, meant as much as if it had been said `said` times. */
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
  const counts: Record<Field, Float64Array> = {
    body: new Float64Array(files.length),
    name: new Float64Array(files.length),
    path: new Float64Array(files.length),
    doc: new Float64Array(files.length),
  };
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

/** A term of the query with its lines in one file. */
export interface TermLines {
  readonly key: string;
  /** The term's value, less where the file has only another spelling. */
  readonly value: number;
  readonly lines: ArrayLike<number>;
}

/** Where the terms stand in the body of one file; those that do not are left out. */
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

/** First position in ascending values that is not below `value`. */
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
