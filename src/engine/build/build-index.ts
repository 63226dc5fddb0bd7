import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { claimOwn } from "../../base/file-lock.ts";
import { once } from "../../base/once.ts";
import { isBusy, sayDatabaseError } from "../../base/sqlite.ts";
import { clearFolderPlace } from "../../base/state-files.ts";
import type { HistorySettings } from "../history/read-history.ts";
import { NO_FACTS } from "../parse/facts.ts";
import { languageOf } from "../parse/languages/table.ts";
import { hasEnding } from "../parse/script.ts";
import { TRAIT } from "../search/traits.ts";
import { findObstacle, INDEX_FILES, isSealed, openWriter, removeIndex, sealIndex } from "../store/database.ts";
import { unpackSymbols } from "../store/facts.ts";
import { filesNaming } from "../store/files-naming.ts";
import { HistoryStore } from "../store/history-store.ts";
import { type FactsRow, type IndexState, IndexStore } from "../store/index-store.ts";
import { NO_LINKS } from "../store/links.ts";
import { isDamage } from "../store/records.ts";
import { RepositoryIndex } from "../store/repository-index.ts";
import type { Segment } from "../store/segment.ts";
import { type Changes, type FileStamp, findChanges, knownFiles, toStamp, traitsIn } from "./changes.ts";
import { findDead, withWorn } from "./compaction.ts";
import { listFileIds } from "./file-ids.ts";
import { findEdges } from "./find-edges.ts";
import { toRow } from "./jobs.ts";
import { keepHistory } from "./keep-history.ts";
import { linkFiles } from "./link-files.ts";
import { inOrder, type JobRunner } from "./pool.ts";
import { readSource } from "./read-source.ts";
import { verifyIndex } from "./verify-index.ts";

/** What is being done, and how far that is. */
interface Progress {
  readonly phase: "text" | "code" | "graph" | "history";
  readonly done: number;
  /** Zero where that is not known. */
  readonly total: number;
}

/** How an index is built. */
export interface BuildRequest {
  /** Real path of the repository. */
  readonly root: string;
  /** Folder of the index; it must exist. */
  readonly folder: string;
  readonly runner: JobRunner;
  /** How history is read; null for an index without. */
  readonly past: HistorySettings | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** What a build came to. */
export interface BuildReport {
  readonly outcome: "done" | "busy" | "cancelled";
  /** Files of the index, and those that were read or dropped by this build. */
  readonly files: number;
  readonly changed: number;
  readonly removed: number;
}

/** Text of one segment: what a thread holds in memory, and what is lost when it is killed. */
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** After changes of more files than this all calls are followed anew. */
const FEW_FILES = 50;
/** Less is not worth a thread of its own. */
const SMALLEST_SEGMENT_BYTES = 1024 * 1024;
/** Files of one batch that are read as code; each batch is kept when it is done. */
const FACTS_BATCH = 100;
/** Batches that are read as code before the first of them is kept, which is when all text is there. */
const FACTS_AHEAD = 20;
/**
 * Up to so much text, one thread reads all of it and another one the code meanwhile: every thread has to compile for
 * itself what it runs, which takes more than it saves.
 */
const FEW_BYTES = 48 * 1024 * 1024;

/**
 * Brings an index up to date with the files. Contract: one at a time a repository, the others are `busy`; it can be
 * killed at any moment and goes on where it was; readers see a whole state, the old or a newer one. Throws where the
 * disk refuses.
 */
export async function buildIndex(request: BuildRequest): Promise<BuildReport> {
  for (const folder of [dirname(request.folder), request.folder]) clearFolderPlace(folder);
  mkdirSync(request.folder, { recursive: true, mode: 0o700 });
  const claimed = claimOwn(join(request.folder, INDEX_FILES.lock));
  if (claimed === null) return { outcome: "busy", files: 0, changed: 0, removed: 0 };
  try {
    const file = join(request.folder, INDEX_FILES.database);
    const opened = openStore(file, request.root);
    try {
      return await buildIn(request, file, opened);
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      removeIndex(file);
      return await buildIn(request, file, { store: newStore(file), mended: sayDatabaseError(thrown) });
    }
  } finally {
    claimed.release();
  }
}

/** An index to write to, and what was wrong with the one that was there before. */
interface OpenedStore {
  readonly store: IndexStore;
  readonly mended: string | null;
}

async function buildIn(request: BuildRequest, file: string, { store, mended }: OpenedStore): Promise<BuildReport> {
  try {
    const report = await new Build(request, store, mended).run();
    leave(store);
    sealIndex(file);
    return report;
  } catch (thrown) {
    // What led here is told, not what comes of it.
    leave(store);
    throw thrown;
  }
}

/** Closes an index that was written to. */
function leave({ database }: IndexStore): void {
  try {
    // Whoever is reading just now is not waited for: the next builder does the rest.
    database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // It stays in the log, which is read as well.
  }
  database.close();
}

/**
 * Opens an index to write to; one that is damaged, of another version or of another root is thrown away. One that was touched
 * since the last builder left it is looked through first.
 */
function openStore(file: string, root: string): OpenedStore {
  let mended = findObstacle(file);
  if (mended === null) {
    try {
      const store = new IndexStore(openWriter(file));
      try {
        if (!isSealed(file)) verifyIndex(store);
        const state = store.state();
        if (state === null || state.root === root) return { store, mended };
      } catch (thrown) {
        mended = sayDatabaseError(thrown);
      }
      store.database.close();
    } catch (thrown) {
      // Somebody has it open to write, which is none of ours; it is not broken.
      if (isBusy(thrown)) throw thrown;
      mended = `${INDEX_FILES.database}: ${sayDatabaseError(thrown)}`;
    }
  }
  removeIndex(file);
  return { store: newStore(file), mended };
}

function newStore(file: string): IndexStore {
  return new IndexStore(openWriter(file));
}

class Build {
  readonly #request: BuildRequest;
  readonly #store: IndexStore;
  readonly #mended: string | null;
  #areLinksOld = false;
  /** Which files have which words. Asked for when all text is there. */
  readonly #index = once(() => new RepositoryIndex(this.#store.segments(), NO_LINKS));

  constructor(request: BuildRequest, store: IndexStore, mended: string | null) {
    this.#request = request;
    this.#store = store;
    this.#mended = mended;
  }

  async run(): Promise<BuildReport> {
    const { root, clock, runner } = this.#request;
    // Whoever asks meanwhile hears why there is nothing.
    if (this.#mended !== null) this.#setPhase("text", 0);
    const segments = this.#store.segments();
    const before = knownFiles(segments);
    const known = { files: before, folders: this.#store.folders() };
    const changes = findChanges(root, known, {
      isExcluded: () => false,
      hasTime: () => !this.#isCancelled(),
      nowMs: clock.nowMs(),
    });
    if (!changes.complete) return this.#report("cancelled", changes);
    if (changes.changed.length > 0 || changes.removed.length > 0) this.#setPhase("text", before.size);
    const texts = withWorn(changes, segments);
    const sizes = texts.changed.map((path) => before.get(path)?.bytes ?? sizeOnDisk(join(root, path)));
    const isLittle = sizes.reduce((sum, size) => sum + size, 0) <= FEW_BYTES;
    const threads = isLittle ? 1 : runner.width;
    const waiting = this.#waitingForCode(before, traitsIn(segments), changes);
    const changed = new Set(changes.changed);
    const text = this.#readTexts(
      texts,
      splitBySize(texts.changed, sizes, threads),
      threads,
      (path) => !changed.has(path),
    );
    // Whoever waits for it learns of its failure.
    text.catch(() => {});
    if (!isLittle) await text;
    await this.#readCode(waiting, threads, text);
    const files = await text;
    if (this.#isCancelled()) return this.#report("cancelled", changes, files);
    this.#setPhase("graph", files);
    await this.#findEdges();
    if (this.#isCancelled()) return this.#report("cancelled", changes, files);
    this.#setPhase("done", files);
    await this.#keepHistory();
    return this.#report(this.#isCancelled() ? "cancelled" : "done", changes, files);
  }

  /** History only weighs, so that the index counts as done before. */
  async #keepHistory(): Promise<void> {
    const { root, past, signal, onProgress } = this.#request;
    if (past === null) return;
    const store = new HistoryStore(this.#store.records);
    const onStart = () => onProgress({ phase: "history", done: 0, total: 0 });
    await keepHistory({ root, settings: past, store, signal, onStart });
  }

  #isCancelled(): boolean {
    return this.#request.signal.aborted;
  }

  #setPhase(phase: IndexState["phase"], files: number): void {
    const mended = this.#mended === null ? {} : { mended: this.#mended };
    this.#store.setState({ root: this.#request.root, phase, files, atMs: this.#request.clock.nowMs(), ...mended });
  }

  #report(outcome: BuildReport["outcome"], changes: Changes, files = 0): BuildReport {
    return { outcome, files, changed: changes.changed.length, removed: changes.removed.length };
  }

  /**
   * Reads changed files as text; returns how many files there are. Segments come in the order of their paths, whichever
   * thread is done first.
   */
  async #readTexts(
    changes: Changes,
    batches: readonly string[][],
    threads: number,
    isSame: (path: string) => boolean,
  ): Promise<number> {
    if (changes.changed.length > 0 || changes.removed.length > 0)
      await this.#addSegments(changes, batches, threads, isSame);
    if (this.#isCancelled()) return 0;
    this.#store.setFolders(changes.folders);
    this.#linkFiles();
    const segments = this.#store.segments();
    this.#store.dropSegments(findDead(segments));
    const files = knownFiles(segments).size;
    this.#setPhase("code", files);
    return files;
  }

  async #addSegments(
    { changed, removed, folders }: Changes,
    batches: readonly string[][],
    threads: number,
    isSame: (path: string) => boolean,
  ): Promise<void> {
    const { root, runner, onProgress } = this.#request;
    const ids = listFileIds(root, folders.sensitive);
    const sensitiveIds = ids === null ? null : [...ids];
    let done = 0;
    onProgress({ phase: "text", done, total: changed.length });
    await inOrder({
      items: batches,
      ahead: threads,
      isStopped: () => this.#isCancelled(),
      work: (paths, at) =>
        runner.run({ kind: "text", root, paths, removed: at === 0 ? removed : [], sensitiveIds }, threads),
      take: (segment, paths) => {
        this.#areLinksOld ||= this.#linksElsewhere(segment);
        this.#store.addSegment(segment, isSame);
        done += paths.length;
        onProgress({ phase: "text", done, total: changed.length });
      },
    });
  }

  /** True where a file of the segment came, went or brings in other things than before: then others may lead elsewhere. */
  #linksElsewhere({ catalogue: { paths, removed }, imports }: Segment): boolean {
    return removed.length > 0 || paths.some((path, slot) => this.#store.packedImports(path) !== imports[slot]);
  }

  /** Finds out which file brings in which. */
  #linkFiles(): void {
    if (!this.#areLinksOld && this.#store.hasLinks()) return;
    this.#store.setLinks(linkFiles(this.#store.imports()));
  }

  async #findEdges(): Promise<void> {
    const { root, onProgress } = this.#request;
    await findEdges({
      root,
      store: this.#store,
      index: this.#index(),
      isStopped: () => this.#isCancelled(),
      onProgress: (done, total) => onProgress({ phase: "graph", done, total }),
    });
  }

  /** Files that may be code and were not read as such since they changed, told before their text is read. */
  #waitingForCode(
    known: ReadonlyMap<string, FileStamp>,
    traits: ReadonlyMap<string, number>,
    { changed, removed }: Changes,
  ): string[] {
    const stamps = this.#store.parsedStamps();
    const gone = new Set(removed);
    // What has no ending may have become a script; its first line tells.
    const waiting = new Set(changed.filter((path) => languageOf(path, "") !== null || !hasEnding(path)));
    for (const [path, file] of known) {
      if (stamps.get(path) !== toStamp(file) && !gone.has(path) && isCode(path, traits)) waiting.add(path);
    }
    return [...waiting].sort();
  }

  /** Reads files as code. What it finds is kept when their text is, which has definitions of its own. */
  async #readCode(waiting: readonly string[], threads: number, text: Promise<unknown>): Promise<void> {
    const { onProgress } = this.#request;
    if (waiting.length === 0) return;
    const batches: string[][] = [];
    // All of one size: a small one at the end would be read in this thread, which has nothing at hand for it.
    const most = Math.ceil(waiting.length / Math.ceil(waiting.length / FACTS_BATCH));
    for (let at = 0; at < waiting.length; at += most) batches.push(waiting.slice(at, at + most));
    let done = 0;
    const renamed = new Set<string>();
    const traits = text.then(() => traitsIn(this.#store.segments()));
    traits.catch(() => {});
    await inOrder({
      items: batches,
      ahead: FACTS_AHEAD,
      isStopped: () => this.#isCancelled(),
      work: (paths) => this.#parse(paths, threads),
      take: async (readings, paths) => {
        // Whether a file is code at all, or one that nothing may be told of, is known with its text.
        const known = await traits;
        if (this.#isCancelled()) return;
        const code = readings.filter(({ path }) => isCode(path, known));
        if (waiting.length <= FEW_FILES) for (const reading of code) this.#noteNames(reading, renamed);
        this.#store.addFacts(code);
        this.#dropFacts(
          paths.filter((path) => !isCode(path, known)),
          renamed,
        );
        done += paths.length;
        onProgress({ phase: "code", done, total: waiting.length });
      },
    });
    if (this.#isCancelled()) return;
    this.#store.dropEdges(waiting.length <= FEW_FILES ? this.#filesNamingAny(renamed) : null);
  }

  /** Reads files as code. One that brings its thread down is found by itself, and counts as a file without code. */
  async #parse(paths: readonly string[], threads: number): Promise<readonly FactsRow[]> {
    const { root, runner, clock } = this.#request;
    const rows: FactsRow[] = [];
    try {
      return await runner.run({ kind: "facts", root, paths }, threads);
    } catch {
      const [only, ...others] = paths;
      if (only !== undefined && others.length === 0) {
        const source = readSource(root, only, clock.nowMs());
        return source === null ? [] : [toRow(source, NO_FACTS)];
      }
    }
    for (const path of paths) rows.push(...(await this.#parse([path], threads)));
    return rows;
  }

  /** Forgets what files say as code that are none any more, and notes which names went with them. */
  #dropFacts(paths: readonly string[], renamed: Set<string>): void {
    for (const path of paths) for (const { name } of this.#store.symbols(path)) renamed.add(name);
    if (paths.length > 0) this.#store.dropFacts(paths);
  }

  /** Notes which names came to a file or went. */
  #noteNames({ path, facts }: FactsRow, renamed: Set<string>): void {
    const before = new Set(this.#store.symbols(path).map(({ name }) => name));
    const after = new Set(unpackSymbols(facts.symbols).map(({ name }) => name));
    for (const name of before) if (!after.has(name)) renamed.add(name);
    for (const name of after) if (!before.has(name)) renamed.add(name);
  }

  /** Files whose calls may lead elsewhere now that these names came or went. */
  #filesNamingAny(names: ReadonlySet<string>): string[] {
    if (names.size === 0) return [];
    const index = this.#index();
    const files = new Set<number>();
    for (const name of names) for (const file of filesNaming(index, name)) files.add(file);
    return [...files].map((file) => index.pathOf(file));
  }
}

/** Whether a file is read as code: its text is known, and its name or first line says a language. */
function isCode(path: string, traits: ReadonlyMap<string, number>): boolean {
  const own = traits.get(path);
  return own !== undefined && (languageOf(path, "") !== null || (own & TRAIT.script) !== 0);
}

/** Splits files of these sizes into parts for as many threads, none of which has more text than a segment holds. */
function splitBySize(paths: readonly string[], sizes: readonly number[], threads: number): string[][] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const most = Math.max(SMALLEST_SEGMENT_BYTES, total / Math.max(threads, Math.ceil(total / SEGMENT_BYTES)));
  const parts: string[][] = [[]];
  let bytes = 0;
  paths.forEach((path, at) => {
    if (bytes >= most) {
      parts.push([]);
      bytes = 0;
    }
    bytes += sizes[at] ?? 0;
    parts.at(-1)?.push(path);
  });
  return parts;
}

function sizeOnDisk(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
