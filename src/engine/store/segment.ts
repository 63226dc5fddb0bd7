import type { IndexedDefinition } from "../search/source.ts";
import type { Catalogue } from "./catalogue.ts";
import { type DecodedPostings, readPostings } from "./postings.ts";

/** Some files of a repository that were read together, as a search sees them. */
export interface SegmentReader {
  readonly catalogue: Catalogue;
  /** Null where no file of the segment has the term. */
  readonly postings: (term: string) => DecodedPostings | null;
  readonly definitionsIn: (slot: number) => readonly IndexedDefinition[];
}

/** The postings of some files, ready to be stored or searched. */
export interface Segment {
  readonly catalogue: Catalogue;
  /** Definitions of each file, packed. */
  readonly outlines: readonly string[];
  /** What each file brings in: JSON of a list of `Import`. */
  readonly imports: readonly string[];
  /** Ascending by code units. */
  readonly terms: readonly string[];
  /** Postings of `terms[at]` are the bytes from `starts[at]` to `starts[at + 1]`. */
  readonly starts: Uint32Array;
  readonly postings: Uint8Array;
}

/** Reads a segment that was just made, without storing it. */
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

/** Definitions as they are stored. */
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

/** What `packDefinitions` packed. Contract: throws where it is something else. */
export function unpackDefinitions(text: string): IndexedDefinition[] {
  const rows = JSON.parse(text) as [string, string | 0, IndexedDefinition["kind"], number, number][];
  return rows.map(([name, qualified, kind, line, endLine]) => ({
    name,
    qualified: qualified === 0 ? name : qualified,
    kind,
    line,
    endLine,
  }));
}
