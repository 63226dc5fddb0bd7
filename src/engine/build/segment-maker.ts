import { endingOfScript } from "../parse/script.ts";
import { commentRanges } from "../search/comments.ts";
import { findImports } from "../search/imports.ts";
import { findLineDefinitions } from "../search/line-definitions.ts";
import { readTraits, splitPath, TRAIT } from "../search/traits.ts";
import { termsOfPath, termsOfWord, toTerms } from "../search/words.ts";
import { ByteWriter } from "../store/bytes.ts";
import { COLUMNS, ID_BYTES } from "../store/catalogue.ts";
import { type CollectedPlaces, PLACE, writePostings } from "../store/postings.ts";
import { packDefinitions, type Segment } from "../store/segment.ts";
import { WordTable } from "./word-table.ts";

/** A file as it was read. */
export interface SourceFile {
  readonly path: string;
  /** Null for a file that is not indexed as text; only its path is searchable then. */
  readonly content: Buffer | null;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/**
 * Builds a segment from files. Contract: files may be added in any order, which is kept; the same files yield the same
 * bytes.
 * Places are recorded in the order they occur and sorted by term at the end, because appending to a list per term would
 * miss the CPU cache at every word.
 */
export class SegmentMaker {
  readonly #ids = new Map<string, number>();
  /** Number of places per term. */
  #counts = new Int32Array(1 << 14);
  /** Term and place of every occurrence, and the index at which those of each file begin. */
  #terms = new Int32Array(1 << 18);
  #places = new Int32Array(1 << 18);
  #length = 0;
  readonly #fileStarts: number[] = [];
  /** Term ids of each distinct word, concatenated: most words of a repository occur many times. */
  #idsOfWords = new Int32Array(1 << 16);
  /** Where the ids of each word begin; one entry more than there are words. */
  #idStarts = new Int32Array(1 << 14);
  #wordCount = 0;
  readonly #words = new WordTable((word) => this.#addWord(word));
  readonly #paths: string[] = [];
  readonly #numbers: number[] = [];
  readonly #stats: number[] = [];
  readonly #textIds: string[] = [];
  readonly #outlines: string[] = [];
  readonly #imports: string[] = [];

  /** Adds a file; `id` identifies its text, empty if there is no such id. */
  add({ path, content, bytes, modifiedMs }: SourceFile, id = ""): void {
    this.#fileStarts.push(this.#length);
    // One character per byte: all patterns match ASCII only, and byte and character offsets are the same.
    const text = content?.toString("latin1") ?? "";
    const ending = endingOfScript(path, text) || splitPath(path).ending;
    const traits = readTraits(path, text);
    const lines = (traits & TRAIT.prose) === 0 ? text.split("\n") : [];
    const definitions = findLineDefinitions(lines, ending);
    const inPath = this.#addPath(path);
    const inText =
      content === null
        ? { lines: 0, body: 0, doc: 0, isCut: false }
        : this.#addText(content, commentRanges(text, ending));
    let inNames = 0;
    for (const { name, line } of definitions) {
      for (const id of this.#idsOf(name)) {
        this.#put(id, line * PLACE.unit + PLACE.name);
        inNames++;
      }
    }
    const kept = { ...inText, traits: traits | (inText.isCut ? TRAIT.cut : 0), name: inNames, path: inPath };
    for (const column of COLUMNS) this.#numbers.push(kept[column]);
    this.#paths.push(path);
    this.#stats.push(bytes, modifiedMs);
    this.#textIds.push(id);
    this.#outlines.push(packDefinitions(definitions));
    this.#imports.push(JSON.stringify(findImports(lines)));
  }

  /** Returns the segment of all added files; `removed` lists paths of older segments that no longer exist. */
  finish(removed: readonly string[] = []): Segment {
    const terms = [...this.#ids.keys()].sort();
    const firsts = new Int32Array(this.#ids.size);
    const starts = new Uint32Array(terms.length + 1);
    const ids = Int32Array.from(terms, (term) => this.#ids.get(term) ?? 0);
    let total = 0;
    for (const id of ids) {
      firsts[id] = total;
      total += this.#counts[id] ?? 0;
    }
    const sorted = this.#sort(firsts);
    const out = new ByteWriter(1 << 20);
    ids.forEach((id, at) => {
      const end = firsts[id] ?? 0;
      writePostings(sorted, end - (this.#counts[id] ?? 0), end, out);
      starts[at + 1] = out.length;
    });
    const numbers = Int32Array.from(this.#numbers);
    const stats = Float64Array.from(this.#stats);
    const textIds = Buffer.alloc(this.#textIds.length * ID_BYTES);
    for (const [slot, id] of this.#textIds.entries()) textIds.write(id, slot * ID_BYTES, "hex");
    return {
      catalogue: { paths: this.#paths, numbers, stats, ids: textIds, removed },
      outlines: this.#outlines,
      imports: this.#imports,
      terms,
      starts,
      postings: out.take(),
    };
  }

  /** Groups the places by term (counting sort); afterwards `next` contains the end of each term's range. */
  #sort(next: Int32Array): CollectedPlaces {
    const slots = new Int32Array(this.#length);
    const places = new Int32Array(this.#length);
    for (let slot = 0; slot < this.#fileStarts.length; slot++) {
      const end = this.#fileStarts[slot + 1] ?? this.#length;
      for (let at = this.#fileStarts[slot] ?? 0; at < end; at++) {
        const id = this.#terms[at] ?? 0;
        const to = next[id] ?? 0;
        slots[to] = slot;
        places[to] = this.#places[at] ?? 0;
        next[id] = to + 1;
      }
    }
    return { slots, places };
  }

  #addPath(path: string): number {
    const terms = termsOfPath(path);
    for (const term of terms) this.#put(this.#idOf(term), PLACE.path);
    return terms.length;
  }

  #addText(content: Buffer, comments: readonly number[]) {
    const { count, words, lines, starts, lineCount, isCut } = this.#words.scan(content);
    const from = this.#length;
    let doc = 0;
    let comment = 0;
    // Track the bounds of the next comment, so that most words need no list access.
    let opens = comments[0] ?? Number.POSITIVE_INFINITY;
    let closes = comments[1] ?? Number.POSITIVE_INFINITY;
    for (let at = 0; at < count; at++) {
      const start = starts[at] ?? 0;
      while (closes <= start) {
        comment += 2;
        opens = comments[comment] ?? Number.POSITIVE_INFINITY;
        closes = comments[comment + 1] ?? Number.POSITIVE_INFINITY;
      }
      const word = words[at] ?? 0;
      const isDoc = opens <= start;
      const place = (lines[at] ?? 0) * PLACE.unit + (isDoc ? PLACE.doc : 0);
      const last = this.#idStarts[word + 1] ?? 0;
      const first = this.#idStarts[word] ?? 0;
      for (let id = first; id < last; id++) this.#put(this.#idsOfWords[id] ?? 0, place);
      if (isDoc) doc += last - first;
    }
    return { lines: lineCount, body: this.#length - from, doc, isCut };
  }

  #addWord(word: string): void {
    const ids = toTerms(word).map((term) => this.#idOf(term));
    const start = this.#idStarts[this.#wordCount] ?? 0;
    while (start + ids.length > this.#idsOfWords.length) this.#idsOfWords = doubled(this.#idsOfWords);
    if (this.#wordCount + 2 > this.#idStarts.length) this.#idStarts = doubled(this.#idStarts);
    this.#idsOfWords.set(ids, start);
    this.#wordCount++;
    this.#idStarts[this.#wordCount] = start + ids.length;
  }

  #idsOf(word: string): readonly number[] {
    return termsOfWord(word).map((term) => this.#idOf(term));
  }

  #idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(term, id);
    if (id >= this.#counts.length) this.#counts = doubled(this.#counts);
    return id;
  }

  #put(id: number, place: number): void {
    if (this.#length === this.#terms.length) {
      this.#terms = doubled(this.#terms);
      this.#places = doubled(this.#places);
    }
    this.#terms[this.#length] = id;
    this.#places[this.#length] = place;
    this.#length++;
    this.#counts[id] = (this.#counts[id] ?? 0) + 1;
  }
}

function doubled(old: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2);
  larger.set(old);
  return larger;
}
