import { markProven, wasProven } from "../store/bases.ts";
import { ID_BYTES, idAt, UNSURE } from "../store/catalogue.ts";
import { type IndexStore, NO_FOLDERS } from "../store/index-store.ts";
import { isForeign } from "../store/layers.ts";
import type { StoredSegment } from "../store/segment-table.ts";
import { checkBases } from "./check-bases.ts";
import { confirmBases } from "./confirm-bases.ts";
import type { KnownTexts } from "./disk.ts";
import { inOrder, type JobRunner } from "./pool.ts";
import { isUnsure } from "./read-source.ts";

/**
 * Maximum number of files that are confirmed in advance; in a larger repository that takes longer than comparing the
 * files that queries come across.
 */
const MOST_CONFIRMED = 20_000;
/** Files compared per job. */
const BATCH = 1_000;

/** Input of `attachBases`. */
interface AttachWork {
  readonly root: string;
  /** Folder of the index. */
  readonly folder: string;
  readonly store: IndexStore;
  readonly runner: JobRunner;
  readonly texts: KnownTexts;
  /** True if queries will use the index; false if it only serves to make another base. */
  readonly isShown: boolean;
  readonly nowMs: () => number;
  readonly isStopped: () => boolean;
}

/** What an index got from its bases. */
export interface Attached {
  /** Number of files that exist here with the same text as in the bases. */
  readonly files: number;
  /** True if git tracks a file and has the same text for it as the bases. */
  readonly isTracked: (path: string) => boolean;
}

/** Files of one segment to compare, by their slots. */
interface Batch {
  readonly segment: number;
  readonly slots: readonly number[];
}

/**
 * Determines which files of the bases exist here with the same text: the data of the bases is valid for those, and all
 * others are read like changed files. Returns null if it was stopped. Contract: leaves the index unchanged if it was
 * stopped; throws `IndexDamage` if the data of a base from elsewhere does not match a file.
 */
export async function attachBases(work: AttachWork): Promise<Attached | null> {
  const { root, folder, store, runner, texts, isShown, nowMs, isStopped } = work;
  const segments = store.baseSegments();
  const times = segments.map(({ catalogue: { paths } }) => new Float64Array(paths.length).fill(UNSURE));
  const tracked = new Set<string>();
  const startMs = nowMs();
  const isKnown = (segment: number, slot: number) => {
    const { paths, ids, stats } = (segments[segment] as StoredSegment).catalogue;
    const modifiedMs = texts.timeOf(paths[slot] ?? "", idAt(ids, slot), stats[slot * 2] ?? UNSURE);
    if (modifiedMs === null || isUnsure(modifiedMs, startMs)) return false;
    (times[segment] as Float64Array)[slot] = modifiedMs;
    tracked.add(paths[slot] ?? "");
    return true;
  };
  await inOrder<Batch, Float64Array>({
    items: toBatches(segments, isKnown),
    ahead: runner.width,
    isStopped,
    work: ({ segment, slots }) => {
      const { paths, ids } = (segments[segment] as StoredSegment).catalogue;
      const wanted = Buffer.concat(slots.map((slot) => ids.subarray(slot * ID_BYTES, (slot + 1) * ID_BYTES)));
      return runner.run(
        { kind: "compare", root, paths: slots.map((slot) => paths[slot] ?? ""), ids: wanted },
        runner.width,
      );
    },
    take: (found, { segment, slots }) => {
      for (const [at, slot] of slots.entries()) (times[segment] as Float64Array)[slot] = found[at] ?? UNSURE;
    },
  });
  if (isStopped()) return null;
  // A base made on this machine needs no check, and any other one only a single check per machine.
  const unproven = store.bases.filter((name) => isForeign(name) && !wasProven(folder, name));
  if (unproven.length > 0) await checkBases({ root, store, runner, segments, times });
  for (const name of unproven) markProven(folder, name);
  const files = times.reduce((sum, own) => sum + own.filter((time) => time !== UNSURE).length, 0);
  store.settleBases(times, NO_FOLDERS, { root, phase: "done", files, atMs: nowMs() });
  if (isShown && unproven.length > 0 && files <= MOST_CONFIRMED) confirmBases(folder, store, unproven);
  return { files, isTracked: (path) => tracked.has(path) };
}

/** Batches of the newest version of each file of the bases, without the files whose text is already known. */
function toBatches(segments: readonly StoredSegment[], isKnown: (segment: number, slot: number) => boolean): Batch[] {
  const newest = new Map<string, number>();
  for (const [at, { catalogue }] of segments.entries()) {
    for (const path of catalogue.paths) newest.set(path, at);
    for (const path of catalogue.removed) newest.delete(path);
  }
  return segments.flatMap(({ catalogue: { paths } }, segment) => {
    const slots = [...paths.keys()].filter(
      (slot) => newest.get(paths[slot] ?? "") === segment && !isKnown(segment, slot),
    );
    return Array.from({ length: Math.ceil(slots.length / BATCH) }, (_, at) => ({
      segment,
      slots: slots.slice(at * BATCH, (at + 1) * BATCH),
    }));
  });
}
