import { pushTo } from "../../base/maps.ts";
import { type Field, perField } from "../search/source.ts";
import { splitPath } from "../search/traits.ts";
import { type Catalogue, COLUMNS, UNSURE } from "./catalogue.ts";
import type { SegmentReader } from "./segment.ts";

/** The data of a segment that is needed to number its files. */
type CataloguedSegment = Pick<SegmentReader, "catalogue" | "isOfBase">;

/** Maps the files of segments to file numbers of the index, which follow the order of paths. */
interface Numbering {
  /** Segment and slot of each file. */
  readonly segments: Int32Array;
  readonly slots: Int32Array;
  /** For each segment, the file number of each slot; -1 if a newer segment has the file, or it is gone or hidden. */
  readonly numbers: readonly Int32Array[];
  readonly byPath: ReadonlyMap<string, number>;
}

/**
 * The live files of segments, numbered by path, with their catalogue data. Segments are ordered oldest to newest; for
 * each path the newest counts. Contract: files for which `isHidden` is true are not included; depends on the catalogues
 * alone, so that it can be cached.
 */
export class FileTable {
  readonly fileCount: number;
  readonly traits: Int32Array;
  readonly lines: Int32Array;
  readonly lengths: Readonly<Record<Field, Int32Array>>;
  readonly #catalogues: readonly Catalogue[];
  readonly #numbering: Numbering;
  #byStem: Map<string, number[]> | undefined;

  constructor(segments: readonly CataloguedSegment[], isHidden: (path: string) => boolean = () => false) {
    this.#catalogues = segments.map(({ catalogue }) => catalogue);
    this.#numbering = numberFiles(segments, isHidden);
    this.fileCount = this.#numbering.slots.length;
    const column = (name: (typeof COLUMNS)[number]) => this.#column(COLUMNS.indexOf(name));
    this.lines = column("lines");
    this.traits = column("traits");
    this.lengths = perField(column);
  }

  /** The means of `lengths`. */
  meanLengths(): Record<Field, number> {
    const mean = (values: Int32Array) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    return perField((field) => mean(this.lengths[field]));
  }

  pathOf(file: number): string {
    const { segment, slot } = this.placeOf(file);
    return this.#catalogues[segment]?.paths[slot] ?? "";
  }

  /** The segment of a file, as an index into the segments of the table, and its slot there. */
  placeOf(file: number): { readonly segment: number; readonly slot: number } {
    const { segments, slots } = this.#numbering;
    return { segment: segments[file] ?? -1, slot: slots[file] ?? -1 };
  }

  /** The file number of each slot of a segment; -1 if a newer segment has the file, or it is gone or hidden. */
  numbersOf(segment: number): Int32Array {
    return this.#numbering.numbers[segment] ?? new Int32Array(0);
  }

  /** The number of the file with this path. */
  fileAt(path: string): number | undefined {
    return this.#numbering.byPath.get(path);
  }

  /** See `SearchIndex`. */
  filesNamed(stem: string): readonly number[] {
    this.#byStem ??= this.#groupByStem();
    return this.#byStem.get(stem.toLowerCase()) ?? [];
  }

  #groupByStem(): Map<string, number[]> {
    const groups = new Map<string, number[]>();
    for (let file = 0; file < this.fileCount; file++) {
      pushTo(groups, splitPath(this.pathOf(file)).stem.toLowerCase(), file);
    }
    return groups;
  }

  #column(which: number): Int32Array {
    const { segments, slots } = this.#numbering;
    const values = new Int32Array(slots.length);
    for (let file = 0; file < values.length; file++) {
      const numbers = this.#catalogues[segments[file] ?? 0]?.numbers;
      values[file] = numbers?.[(slots[file] ?? 0) * COLUMNS.length + which] ?? 0;
    }
    return values;
  }
}

function numberFiles(segments: readonly CataloguedSegment[], isHidden: (path: string) => boolean): Numbering {
  /** The newest segment of each path; -1 if the file is gone or hidden. */
  const newest = new Map<string, number>();
  for (let segment = segments.length - 1; segment >= 0; segment--) {
    const { paths, removed } = segments[segment]?.catalogue ?? { paths: [], removed: [] };
    for (const path of paths) if (!newest.has(path)) newest.set(path, isHidden(path) ? -1 : segment);
    for (const path of removed) if (!newest.has(path)) newest.set(path, -1);
  }
  const found: { readonly path: string; readonly segment: number; readonly slot: number }[] = [];
  segments.forEach(({ catalogue: { paths, stats }, isOfBase = false }, segment) => {
    // A file of a base that is not known to be here may not exist, and even its path may be made up.
    const isHere = (slot: number) => !isOfBase || stats[2 * slot + 1] !== UNSURE;
    paths.forEach((path, slot) => {
      if (newest.get(path) === segment && isHere(slot)) found.push({ path, segment, slot });
    });
  });
  // By path, so that ties in ranking do not depend on how the index was built. Each segment is already sorted, so
  // sorting takes little more than one comparison per file.
  found.sort((one, other) => (one.path < other.path ? -1 : 1));
  const numbers = segments.map(({ catalogue: { paths } }) => new Int32Array(paths.length).fill(-1));
  const byPath = new Map<string, number>();
  found.forEach(({ path, segment, slot }, file) => {
    byPath.set(path, file);
    (numbers[segment] as Int32Array)[slot] = file;
  });
  return {
    segments: Int32Array.from(found, ({ segment }) => segment),
    slots: Int32Array.from(found, ({ slot }) => slot),
    numbers,
    byPath,
  };
}
