import { markProven, wasProven } from "../store/bases.ts";
import { ID_BYTES, idAt, UNSURE } from "../store/catalogue.ts";
import { type IndexStore, NO_FOLDERS } from "../store/index-store.ts";
import { isForeign } from "../store/layers.ts";
import type { StoredSegment } from "../store/segment-table.ts";
import { checkBases } from "./check-bases.ts";
import { confirmBases } from "./confirm-bases.ts";
import { inOrder, type JobRunner } from "./pool.ts";
import { isUnsure } from "./read-source.ts";

/** In a larger repository, comparing every file once takes longer than comparing those that questions come across. */
const MOST_CONFIRMED = 20_000;
/** Files compared per job. */
const BATCH = 1_000;

/** Knows something of files without reading them. */
export interface KnownTexts {
  /** The time of a file if it has the text with this id, of so many bytes; null if that is not known. */
  readonly timeOf: (path: string, id: string, bytes: number) => number | null;
}

/** Input of `attachBases`. */
interface AttachWork {
  readonly root: string;
  /** Folder of the index. */
  readonly folder: string;
  readonly store: IndexStore;
  readonly runner: JobRunner;
  readonly texts: KnownTexts;
  /** Whether questions will be answered from it, rather than another base made of it. */
  readonly isShown: boolean;
  readonly nowMs: () => number;
  readonly isStopped: () => boolean;
}

/** What an index got from its bases. */
export interface Attached {
  /** Files that are here with the same text. */
  readonly files: number;
  /** Whether git knows a file, with the text that the bases have. */
  readonly isTracked: (path: string) => boolean;
}

/** Files of one segment to compare, by their slots. */
interface Batch {
  readonly segment: number;
  readonly slots: readonly number[];
}

/**
 * Finds out which files of the bases are here with the same text: for those the bases hold, all others are read like files that
 * changed. Returns null if it was stopped. Contract: a stopped one leaves the index as it was; throws
 * `IndexDamage` if a base from elsewhere says something else of a file than the file itself.
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
  // What was made on this machine need not be proven to it, and the rest once.
  const unproven = store.bases.filter((name) => isForeign(name) && !wasProven(folder, name));
  if (unproven.length > 0) await checkBases({ root, store, runner, segments, times });
  for (const name of unproven) markProven(folder, name);
  const files = times.reduce((sum, own) => sum + own.filter((time) => time !== UNSURE).length, 0);
  store.settleBases(times, NO_FOLDERS, { root, phase: "done", files, atMs: nowMs() });
  if (isShown && unproven.length > 0 && files <= MOST_CONFIRMED) confirmBases(folder, store, unproven);
  return { files, isTracked: (path) => tracked.has(path) };
}

/** The newest version of each file of the bases that must be read to know whether it is here, in batches. */
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
