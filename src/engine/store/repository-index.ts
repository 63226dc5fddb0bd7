import { getOrMake } from "../../base/maps.ts";
import { once } from "../../base/once.ts";
import {
  type Field,
  type IndexedDefinition,
  type PlacedDefinition,
  type Postings,
  perField,
  type SearchIndex,
  type Spread,
} from "../search/source.ts";
import { termsOfWord } from "../search/words.ts";
import { FileTable } from "./file-table.ts";
import { type Importers, type Links, toImporters } from "./links.ts";
import { type DecodedPostings, readLines } from "./postings.ts";
import type { SegmentReader } from "./segment.ts";

/** Cache limits per index: entries of postings, of some 20 bytes each, and outlines of files. */
const MOST_KEPT_ENTRIES = 1_500_000;
const MOST_KEPT_OUTLINES = 10_000;
/** Maximum number of definitions returned per name. */
const MOST_NAMED = 200;
const NOWHERE: Postings = { files: [], counts: perField(() => []), linesAt: () => [] };

/** Statistics over all files, for an index that contains only preselected files. */
interface ChosenFiles {
  /** How common terms are among all files. */
  readonly spreads: ReadonlyMap<string, Spread>;
  /** Total number of files. */
  readonly of: number;
}

/**
 * An index over segments, ordered oldest to newest; for each path the newest segment counts.
 * Contract: as `SearchIndex`; files for which `isHidden` is true are not included; `chosen` provides the term
 * frequencies if the segments contain only preselected files. The segments must stay open while the index is in use.
 */
export class RepositoryIndex implements SearchIndex {
  readonly fileCount: number;
  readonly traits: Int32Array;
  readonly lines: Int32Array;
  readonly lengths: Record<Field, Int32Array>;
  readonly meanLengths: Readonly<Record<Field, number>>;
  readonly #segments: readonly SegmentReader[];
  readonly #files: FileTable;
  readonly #found = new Map<string, Postings>();
  /** Entries of the postings in `#found`. */
  #entries = 0;
  readonly #definitions = new Map<number, readonly IndexedDefinition[]>();
  readonly #findImporters: () => Importers;

  readonly #chosen: ChosenFiles | null;

  /** `files` are those of the segments; `links` may be their importers, if they are already known. */
  constructor(
    segments: readonly SegmentReader[],
    links: Links | Importers,
    isHidden: (path: string) => boolean = () => false,
    chosen: ChosenFiles | null = null,
    files = new FileTable(segments, isHidden),
  ) {
    this.#chosen = chosen;
    this.#segments = segments;
    this.#files = files;
    this.#findImporters = once(() => ("paths" in links ? toImporters(links, (path) => this.fileAt(path)) : links));
    this.fileCount = files.fileCount;
    this.lines = files.lines;
    this.traits = files.traits;
    this.lengths = files.lengths;
    this.meanLengths = files.meanLengths();
  }

  pathOf(file: number): string {
    return this.#files.pathOf(file);
  }

  /** False for a file known by its path alone; its text must not be read elsewhere either. */
  hasText(file: number): boolean {
    return (this.lines[file] ?? 0) > 0;
  }

  postings(term: string): Postings {
    const known = this.#found.get(term);
    if (known !== undefined) return known;
    const parts = this.#segments.flatMap(({ postings }, segment) => {
      const part = postings(term);
      return part === null ? [] : [{ part, numbers: this.#files.numbersOf(segment) }];
    });
    const joined = parts.length === 0 ? NOWHERE : joinPostings(parts, this.fileCount);
    this.#entries += 1 + joined.files.length;
    if (this.#entries > MOST_KEPT_ENTRIES) {
      this.#found.clear();
      this.#entries = 1 + joined.files.length;
    }
    this.#found.set(term, joined);
    return joined;
  }

  spreadOf(term: string): Spread | null {
    if (this.#chosen === null) return null;
    const { spreads, of } = this.#chosen;
    // Terms that were not counted across all files are rare enough to occur only in the preselected ones.
    return spreads.get(term) ?? { having: this.postings(term).files.length, of };
  }

  definitionsIn(file: number): readonly IndexedDefinition[] {
    const known = this.#definitions.get(file);
    if (known !== undefined) return known;
    const { segment, slot } = this.#files.placeOf(file);
    const found = this.#segments[segment]?.definitionsIn(slot) ?? [];
    if (this.#definitions.size >= MOST_KEPT_OUTLINES) this.#definitions.clear();
    this.#definitions.set(file, found);
    return found;
  }

  definitionsNamed(name: string): readonly PlacedDefinition[] {
    const lower = name.toLowerCase();
    const found: PlacedDefinition[] = [];
    // The first term of a name is the whole identifier.
    const { files, counts } = this.postings(termsOfWord(name)[0] ?? "");
    for (let at = 0; at < files.length && found.length < MOST_NAMED; at++) {
      if ((counts.name[at] ?? 0) === 0) continue;
      const file = files[at] ?? 0;
      for (const definition of this.definitionsIn(file)) {
        if (definition.name.toLowerCase() === lower) found.push({ file, definition });
      }
    }
    return found;
  }

  filesNamed(stem: string): readonly number[] {
    return this.#files.filesNamed(stem);
  }

  /** Files that import, include or otherwise bring in a file. */
  importersOf(file: number): readonly number[] {
    return this.#findImporters().get(file) ?? [];
  }

  /** The segment of a file, as an index into the segments of this index, and its slot there. */
  placeOf(file: number): { readonly segment: number; readonly slot: number } {
    return this.#files.placeOf(file);
  }

  /** Must be called after these terms, or definitions, were added to the segments. */
  forget(terms: Iterable<string>): void {
    for (const term of terms) this.#found.delete(term);
    this.#definitions.clear();
  }

  /** The number of the file with this path. */
  fileAt(path: string): number | undefined {
    return this.#files.fileAt(path);
  }
}

/** Entries of postings that come from several segments. */
interface Joined {
  readonly files: Int32Array;
  /** Segment of each entry, as an index of the parts, and its position there. */
  readonly parts: Uint16Array;
  readonly positions: Int32Array;
}

interface Part {
  readonly part: DecodedPostings;
  readonly numbers: Int32Array;
}

/** Sorts the live entries of all parts by file. */
function joinParts(parts: readonly Part[], fileCount: number): Joined {
  const most = parts.reduce((sum, { part }) => sum + part.slots.length, 0);
  const files = new Int32Array(most);
  const from = new Uint16Array(most);
  const positions = new Int32Array(most);
  let length = 0;
  let isAscending = true;
  parts.forEach(({ part: { slots }, numbers }, which) => {
    for (let at = 0; at < slots.length; at++) {
      const file = numbers[slots[at] ?? -1] ?? -1;
      if (file < 0) continue;
      isAscending &&= length === 0 || (files[length - 1] ?? 0) < file;
      files[length] = file;
      from[length] = which;
      positions[length] = at;
      length++;
    }
  });
  if (isAscending) return firstOf({ files, parts: from, positions }, length);
  // Each file has one entry, so storing its position by file number and reading in file order sorts without
  // comparisons.
  const places = new Int32Array(fileCount);
  for (let at = 0; at < length; at++) places[files[at] ?? 0] = at + 1;
  let to = 0;
  const sorted = { files: new Int32Array(length), parts: new Uint16Array(length), positions: new Int32Array(length) };
  // Visit all files instead of stopping after `length` entries: postings from elsewhere may list a file twice.
  for (let file = 0; file < fileCount; file++) {
    const at = (places[file] ?? 0) - 1;
    if (at < 0) continue;
    sorted.files[to] = file;
    sorted.parts[to] = from[at] ?? 0;
    sorted.positions[to] = positions[at] ?? 0;
    to++;
  }
  return firstOf(sorted, to);
}

function firstOf({ files, parts, positions }: Joined, length: number): Joined {
  return {
    files: files.subarray(0, length),
    parts: parts.subarray(0, length),
    positions: positions.subarray(0, length),
  };
}

function joinPostings(all: readonly Part[], fileCount: number): Postings {
  const { files, parts, positions } = joinParts(all, fileCount);
  const column = (field: Field) => {
    const values = new Int32Array(files.length);
    for (let at = 0; at < values.length; at++) values[at] = all[parts[at] ?? 0]?.part[field][positions[at] ?? 0] ?? 0;
    return values;
  };
  const lines = new Map<number, readonly number[]>();
  return {
    files,
    counts: perField(column),
    linesAt: (at) =>
      getOrMake(lines, at, () => {
        const part = all[parts[at] ?? -1]?.part;
        return part === undefined ? [] : readLines(part, positions[at] ?? 0);
      }),
  };
}
