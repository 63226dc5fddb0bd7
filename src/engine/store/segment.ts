import type { IndexedDefinition } from "../search/source.ts";
import type { Catalogue } from "./catalogue.ts";
import { type DecodedPostings, readPostings } from "./postings.ts";

/** A set of files that were read together, as seen by a search. */
export interface SegmentReader {
  readonly catalogue: Catalogue;
  /** Null if no file of the segment contains the term. */
  readonly postings: (term: string) => DecodedPostings | null;
  readonly definitionsIn: (slot: number) => readonly IndexedDefinition[];
  /** True if the segment belongs to a base, which is never written; absent means false. */
  readonly isOfBase?: boolean;
}

/** The postings of a set of files, ready to be stored or searched. */
export interface Segment {
  readonly catalogue: Catalogue;
  /** Packed definitions of each file. */
  readonly outlines: readonly string[];
  /** Imports of each file: a JSON list of `Import`. */
  readonly imports: readonly string[];
  /** Ascending by UTF-16 code units. */
  readonly terms: readonly string[];
  /** The postings of `terms[at]` are the bytes from `starts[at]` to `starts[at + 1]`. */
  readonly starts: Uint32Array;
  readonly postings: Uint8Array;
}

/** Creates a reader for a new segment that has not been stored. */
export function readSegment({ catalogue, outlines, terms, starts, postings }: Segment): SegmentReader {
  const places = new Map(terms.map((term, at) => [term, at]));
  return {
    catalogue,
    postings: (term) => {
      const at = places.get(term);
      return at === undefined ? null : readPostings(postings.subarray(starts[at], starts[at + 1]));
    },
    definitionsIn: (slot) => unpackDefinitions(outlines[slot] ?? "[]"),
  };
}

/** Encodes definitions for storage. */
export function packDefinitions(definitions: readonly IndexedDefinition[]): string {
  return JSON.stringify(
    definitions.map(({ name, qualified, kind, line, endLine }) => [
      name,
      qualified === name ? 0 : qualified,
      kind,
      line,
      endLine,
    ]),
  );
}

/** Reverses `packDefinitions`. Contract: throws for any other input. */
export function unpackDefinitions(text: string): IndexedDefinition[] {
  const rows = JSON.parse(text) as [string, string | 0, IndexedDefinition["kind"], number, number][];
  // By index: array destructuring takes several times as long in unoptimised code.
  return rows.map((row) => ({
    name: row[0],
    qualified: row[1] === 0 ? row[0] : row[1],
    kind: row[2],
    line: row[3],
    endLine: row[4],
  }));
}
