import { randomInt } from "node:crypto";
import { getOrMake } from "../../base/maps.ts";
import { COLUMNS, UNSURE } from "../store/catalogue.ts";
import type { IndexStore } from "../store/index-store.ts";
import { type DecodedPostings, readLines } from "../store/postings.ts";
import { IndexDamage } from "../store/sealed.ts";
import { readSegment, type Segment, type SegmentReader } from "../store/segment.ts";
import type { StoredSegment } from "../store/segment-table.ts";
import type { JobRunner } from "./pool.ts";

/** Number of files that are read again: if one file in fifty was manipulated, the probability of detection is 98 %. */
const FILES = 200;
/** Number of terms whose occurrences are compared. */
const TERMS = 200;

/** Input of `checkBases`. */
interface CheckWork {
  readonly root: string;
  readonly store: IndexStore;
  readonly runner: JobRunner;
  /**
   * Segments of the bases, and the modification times of their files; a file with a time exists here with the same
   * text.
   */
  readonly segments: readonly StoredSegment[];
  readonly times: readonly Float64Array[];
}

/** A file of a base. */
interface Place {
  readonly path: string;
  readonly segment: StoredSegment;
  readonly slot: number;
}

/**
 * Reads some files again, chosen at random, and compares them with the data of the bases. Contract: throws
 * `IndexDamage` if they differ.
 */
export async function checkBases({ root, store, runner, segments, times }: CheckWork): Promise<void> {
  const places = segments.flatMap((segment, at) =>
    segment.catalogue.paths.flatMap((path, slot) =>
      (times[at]?.[slot] ?? UNSURE) === UNSURE ? [] : [{ path, segment, slot }],
    ),
  );
  const chosen = new Map(choose(places, FILES).map((place) => [place.path, place]));
  const paths = [...chosen.keys()].sort();
  const text = await runner.run({ kind: "text", root, paths, removed: [], sensitiveIds: [] }, 1);
  compareText(text, chosen, store);
  const isCode = (path: string) => store.code.parsedStamp(path) !== null;
  const facts = await runner.run({ kind: "facts", root, paths: paths.filter(isCode) }, 1);
  for (const row of facts) {
    const said = store.code.packedFacts(row.path);
    const isSame =
      said?.symbols === row.facts.symbols &&
      said.references === row.facts.references &&
      store.packedOutline(row.path) === row.outline &&
      store.code.parsedStamp(row.path) === row.stamp;
    if (!isSame) differ();
  }
  for (const [slot, path] of text.catalogue.paths.entries())
    if (!isCode(path) && store.packedOutline(path) !== text.outlines[slot]) differ();
}

function compareText(fresh: Segment, chosen: ReadonlyMap<string, Place>, store: IndexStore): void {
  const { paths, numbers } = fresh.catalogue;
  paths.forEach((path, slot) => {
    const place = chosen.get(path);
    const said = place?.segment.catalogue.numbers;
    for (let column = 0; column < COLUMNS.length; column++)
      if (said?.[(place?.slot ?? 0) * COLUMNS.length + column] !== numbers[slot * COLUMNS.length + column]) differ();
    if (store.packedImports(path) !== fresh.imports[slot]) differ();
  });
  const reader = readSegment(fresh);
  for (const term of choose(fresh.terms, TERMS)) {
    // Decode once per segment: a common word occurs in tens of thousands of files.
    const decoded = new Map<SegmentReader, DecodedPostings | null>();
    const decode = (segment: SegmentReader) => getOrMake(decoded, segment, () => segment.postings(term));
    paths.forEach((path, slot) => {
      const place = chosen.get(path);
      if (place === undefined || placesOf(decode(reader), slot) !== placesOf(decode(place.segment), place.slot))
        differ();
    });
  }
}

/** Encodes how often a term occurs in a file, and in which lines; empty if it does not occur. */
function placesOf(found: DecodedPostings | null, slot: number): string {
  const at = found?.slots.indexOf(slot) ?? -1;
  if (found === null || at < 0) return "";
  return JSON.stringify([found.body[at], found.name[at], found.path[at], found.doc[at], readLines(found, at)]);
}

function differ(): never {
  throw new IndexDamage("the data of a base does not match a file");
}

function choose<T>(all: readonly T[], most: number): T[] {
  const left = [...all];
  return Array.from({ length: Math.min(most, left.length) }, () => {
    const at = randomInt(left.length);
    const [taken] = left.splice(at, 1, left[left.length - 1] as T);
    left.pop();
    return taken as T;
  });
}
