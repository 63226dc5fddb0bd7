import type { SegmentReader } from "../store/segment.ts";
import type { StoredSegment } from "../store/segment-table.ts";
import type { Changes } from "./changes.ts";

/** Segments with less text are small. Every update adds one, and every segment costs each question a lookup. */
const SMALL_BYTES = 1024 * 1024;
const MOST_SMALL = 8;
/** A segment with a smaller share of live files is considered worn. */
const WORN = 0.5;

/** The live files of each segment: those that are the newest of their path. */
function findLiving(segments: readonly SegmentReader[]): string[][] {
  const seen = new Set<string>();
  const living: string[][] = segments.map(() => []);
  for (let at = segments.length - 1; at >= 0; at--) {
    const { paths, removed } = segments[at]?.catalogue ?? { paths: [], removed: [] };
    for (const path of paths) if (!seen.has(path)) living[at]?.push(path);
    for (const path of [...paths, ...removed]) seen.add(path);
  }
  return living;
}

/**
 * Adds the live files of worn segments, and of small segments if there are many, to the changes: reading them again
 * moves them into new segments, and the old segments become dead. Bases are left alone.
 */
export function withWorn(changes: Changes, segments: readonly StoredSegment[]): Changes {
  const living = findLiving(segments);
  const isSmall = segments.map(({ isOfBase, catalogue: { stats } }) => !isOfBase && textOf(stats) < SMALL_BYTES);
  const areMany = isSmall.filter(Boolean).length >= MOST_SMALL;
  const gone = new Set(changes.removed);
  const again = segments.flatMap(({ isOfBase, catalogue: { paths } }, at) => {
    const own = living[at] ?? [];
    const isWorn = !isOfBase && own.length > 0 && own.length < paths.length * WORN;
    return isWorn || (areMany && isSmall[at]) ? own.filter((path) => !gone.has(path)) : [];
  });
  return again.length === 0 ? changes : { ...changes, changed: [...new Set([...changes.changed, ...again])].sort() };
}

/**
 * Segments that have no live files and whose removals hide nothing in older segments. Bases are left alone. (Segment
 * ids are unique only within one layer.)
 */
export function findDead(segments: readonly StoredSegment[]): StoredSegment[] {
  const living = findLiving(segments);
  const older = new Set<string>();
  return segments.filter(({ isOfBase, catalogue: { paths, removed } }, at) => {
    const isNeeded = removed.some((path) => older.has(path));
    for (const path of living[at] ?? []) older.add(path);
    const isDead = !isOfBase && (living[at] ?? []).length === 0 && !isNeeded;
    if (!isDead) for (const path of paths) older.add(path);
    return isDead;
  });
}

function textOf(stats: Float64Array): number {
  let bytes = 0;
  for (let at = 0; at < stats.length; at += 2) bytes += stats[at] ?? 0;
  return bytes;
}
