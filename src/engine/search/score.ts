import { type FoundTerm, lowerBound, type TermLines } from "./postings.ts";
import { FIELDS, type Field, type IndexedDefinition, perField, type SearchIndex } from "./source.ts";
import { SATURATION } from "./weights.ts";

/**
 * Scores of all files: BM25 per field, a body score that favours rare terms, and the covered share of the terms' value.
 */
interface FieldScores extends Readonly<Record<Field, Float64Array>> {
  /** The body score with squared values: a text is usually about its rarest word. */
  readonly rare: Float64Array;
  readonly cover: Float64Array;
}

/** Scores all files by the terms in their fields, in one pass over the postings. */
export function scoreFields(index: SearchIndex, terms: readonly FoundTerm[]): FieldScores {
  const make = () => new Float64Array(index.fileCount);
  const scores = { ...perField(make), rare: make(), cover: make() };
  const total = sumOf(terms);
  for (const { value, places } of terms) {
    const { files, counts, shares } = places;
    for (const field of FIELDS) {
      const own = scores[field];
      const column = counts[field];
      const lengths = index.lengths[field];
      const { k1, b } = SATURATION[field];
      const perTerm = (k1 * b) / (index.meanLengths[field] || 1);
      for (let at = 0; at < files.length; at++) {
        const count = column[at] ?? 0;
        if (count === 0) continue;
        const file = files[at] ?? 0;
        const gain = (value * count * (k1 + 1)) / (count + k1 * (1 - b) + perTerm * (lengths[file] ?? 0));
        own[file] = (own[file] ?? 0) + gain;
        if (field !== "body") continue;
        scores.rare[file] = (scores.rare[file] ?? 0) + gain * value;
        scores.cover[file] = (scores.cover[file] ?? 0) + (value * (shares?.[at] ?? 1)) / total;
      }
    }
  }
  return scores;
}

/** Total value of all terms; never 0. */
export function sumOf(terms: readonly FoundTerm[]): number {
  return terms.reduce((sum, { value }) => sum + value, 0) || 1;
}

/** Half the length of a passage, in lines. */
const HALF = 20;

/** The best passages of a file. */
export interface Passages {
  /** Score of the best passage, and sum of the best three. */
  readonly best: number;
  readonly three: number;
  /** Largest sum of term values in one passage. */
  readonly cover: number;
  /** Lines of the best passage. */
  readonly line: number;
  readonly endLine: number;
}

/** Scores overlapping passages of forty lines by the terms in them. */
export function scorePassages(found: readonly TermLines[], fileLines: number): Passages {
  const count = Math.max(1, Math.ceil(fileLines / HALF));
  const scores = new Float64Array(count);
  const cover = new Float64Array(count);
  const { k1 } = SATURATION.passage;
  // Passage `at` consists of the twenty-line blocks `at` and `at + 1`.
  const put = (at: number, value: number, hits: number) => {
    if (at < 0 || at >= count) return;
    scores[at] = (scores[at] ?? 0) + (value * hits * (k1 + 1)) / (hits + k1);
    cover[at] = (cover[at] ?? 0) + value;
  };
  for (const { value, lines } of found) {
    let block = -1;
    let hits = 0;
    let before = 0;
    for (let at = 0; at <= lines.length; at++) {
      const own = at < lines.length ? Math.floor(((lines[at] ?? 1) - 1) / HALF) : -1;
      if (own !== block) {
        if (block >= 0) {
          put(block - 1, value, before + hits);
          if (own !== block + 1) put(block, value, hits);
        }
        before = block >= 0 && own === block + 1 ? hits : 0;
        block = own;
        hits = 0;
      }
      hits++;
    }
  }
  let best = 0;
  let second = 0;
  let third = 0;
  let most = 0;
  let bestAt = 0;
  for (let at = 0; at < count; at++) {
    const score = scores[at] ?? 0;
    if (score > best) {
      third = second;
      second = best;
      best = score;
      bestAt = at;
    } else if (score > second) {
      third = second;
      second = score;
    } else if (score > third) third = score;
    const own = cover[at] ?? 0;
    if (own > most) most = own;
  }
  return {
    best,
    three: best + second + third,
    cover: most,
    line: bestAt * HALF + 1,
    endLine: Math.max(1, Math.min(fileLines, (bestAt + 2) * HALF)),
  };
}

/** The largest sum of values of different terms on two adjacent lines: a sentence or message that says the same. */
export function scoreSentence(found: readonly TermLines[], fileLines: number): number {
  const sums = new Float64Array(fileLines + 2);
  let best = 0;
  for (const { value, lines } of found) {
    let last = -1;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? 0;
      // Line `n` belongs to the pairs (n - 1, n) and (n, n + 1), each stored under its first line.
      if (line - 1 !== last) {
        const sum = (sums[line - 1] ?? 0) + value;
        sums[line - 1] = sum;
        if (sum > best) best = sum;
      }
      const sum = (sums[line] ?? 0) + value;
      sums[line] = sum;
      if (sum > best) best = sum;
      last = line;
    }
  }
  return best;
}

/** Number of ascending `lines` from `first` to `last`, inclusive. */
export function countBetween(lines: ArrayLike<number>, first: number, last: number): number {
  return lowerBound(lines, last + 1) - lowerBound(lines, first);
}

/** Lines of a type that count for the type itself; its members count separately. */
const TYPE_HEAD = 15;

/** The last line by which a definition is judged. */
export function ownLines({ kind, line, endLine }: IndexedDefinition): number {
  return kind === "type" ? Math.min(endLine, line + TYPE_HEAD) : endLine;
}

/** Maximum number of preceding definitions checked for one that encloses a line, nearest first. */
const DEEPEST = 4;

/**
 * Scores the text of each definition by the terms in it. Contract: `definitions` are ordered by line; a line counts for
 * the innermost definition around it.
 */
export function scoreDefinitions(found: readonly TermLines[], definitions: readonly IndexedDefinition[]): Float64Array {
  const count = definitions.length;
  const scores = new Float64Array(count);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  const norms = new Float64Array(count);
  const { k1, lines: usual } = SATURATION.definition;
  for (let at = 0; at < count; at++) {
    const definition = definitions[at];
    if (definition === undefined) continue;
    const last = ownLines(definition);
    starts[at] = definition.line;
    ends[at] = last;
    norms[at] = k1 * (0.5 + (last - definition.line + 1) / usual);
  }
  for (const { value, lines } of found) {
    let current = -1;
    let hits = 0;
    for (let at = 0; at <= lines.length; at++) {
      const owner = at < lines.length ? ownerOf(starts, ends, lines[at] ?? 0) : -2;
      if (owner !== current) {
        if (current >= 0) scores[current] = (scores[current] ?? 0) + (value * hits) / (hits + (norms[current] ?? 0));
        current = owner;
        hits = 0;
      }
      hits++;
    }
  }
  return scores;
}

function ownerOf(starts: Uint32Array, ends: Uint32Array, line: number): number {
  const after = lowerBound(starts, line + 1);
  for (let at = after - 1; at >= 0 && at >= after - DEEPEST; at--) if ((ends[at] ?? 0) >= line) return at;
  return -1;
}

/**
 * Divides by the largest value, or the largest among those that count; results are capped at 1. Without a value above 0
 * among those that count, returns the values as they are.
 */
export function toShares(values: Float64Array, counts: (at: number) => boolean = () => true): Float64Array {
  let most = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value > most && counts(at)) most = value;
  }
  if (most === 0) return values;
  const shares = new Float64Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value !== 0) shares[at] = value >= most ? 1 : value / most;
  }
  return shares;
}

/** The positions of the highest values above 0, best first. Contract: ties go to the lower position. */
export function pickBest(values: Float64Array, most: number): number[] {
  const best: number[] = [];
  let least = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value <= least) continue;
    let place = best.length;
    while (place > 0 && (values[best[place - 1] ?? 0] ?? 0) < value) place--;
    best.splice(place, 0, at);
    if (best.length > most) best.pop();
    if (best.length === most) least = values[best[most - 1] ?? 0] ?? 0;
  }
  return best;
}

/** The weighted sum of features. */
export function weigh<F extends string>(
  features: Readonly<Record<F, number>>,
  weights: Readonly<Record<F, number>>,
): number {
  let sum = 0;
  for (const name in weights) sum += weights[name] * features[name];
  return sum;
}
