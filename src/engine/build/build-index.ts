import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { excludeNothing } from "../../base/exclusions.ts";
import { claimOwn } from "../../base/file-lock.ts";
import { once } from "../../base/once.ts";
import { sayDatabaseError } from "../../base/sqlite.ts";
import { clearFolderPlace } from "../../base/state-files.ts";
import { GitIndex } from "../history/git-index.ts";
import type { GitSettings } from "../history/git-objects.ts";
import { NO_FACTS } from "../parse/facts.ts";
import { languageOf } from "../parse/languages/table.ts";
import { hasEnding } from "../parse/script.ts";
import { TRAIT } from "../search/traits.ts";
import type { FactsRow } from "../store/code-store.ts";
import { INDEX_FILES, OTHER_VERSION, removeIndex, sealIndex, tryCheckpoint } from "../store/database.ts";
import { HistoryStore } from "../store/history-store.ts";
import type { IndexState, IndexStore } from "../store/index-store.ts";
import { type FileStamp, type IndexedFile, knownFiles } from "../store/known-files.ts";
import { NO_LINKS } from "../store/links.ts";
import { isDamage } from "../store/records.ts";
import { RepositoryIndex } from "../store/repository-index.ts";
import type { Segment } from "../store/segment.ts";
import type { StoredSegment } from "../store/segment-table.ts";
import { type Attached, attachBases } from "./attach-bases.ts";
import { type Changes, findChanges, type Suspects, traitsIn } from "./changes.ts";
import { findDead, withWorn } from "./compaction.ts";
import type { FileSource } from "./disk.ts";
import { listFileIds } from "./file-ids.ts";
import { findEdges } from "./find-edges.ts";
import { toFactsRow } from "./jobs.ts";
import { keepHistory } from "./keep-history.ts";
import { linkFiles } from "./link-files.ts";
import { MovedQuestions } from "./moved-questions.ts";
import { type FindBases, newStore, type OpenedStore, openForBuilding, putAside } from "./open-index.ts";
import { inOrder, type JobRunner } from "./pool.ts";
import { readSource } from "./read-source.ts";

/** The current phase and its progress. */
interface Progress {
  readonly phase: "base" | "text" | "code" | "graph" | "history";
  readonly done: number;
  /** Zero if unknown. */
  readonly total: number;
}

/** Input of `buildIndex`. */
export interface BuildRequest {
  /** Real path of the repository. */
  readonly root: string;
  /** Folder of the index; created if it does not exist. */
  readonly folder: string;
  readonly runner: JobRunner;
  /** How to read history; null for an index without history. */
  readonly past: GitSettings | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Absent for an index without bases. */
  readonly findBases?: FindBases;
  /**
   * Source of the files if not all of them are on disk (a base is built from a commit); absent for the files below
   * `root`.
   */
  readonly source?: FileSource;
  /** Returns the paths that may differ from the index, or null if unknown; absent if nothing tracks changes. */
  readonly suspectsAmong?: (known: ReadonlyMap<string, FileStamp>) => Suspects | null;
}

/** Result of a build. */
export interface BuildReport {
  readonly outcome: "done" | "busy" | "cancelled";
  /** Files in the index, and files read or dropped by this build. */
  readonly files: number;
  readonly changed: number;
  readonly removed: number;
  /** Number of files that were not read because a base contains them, if this build laid the index over that base. */
  readonly taken: number;
}

/** Maximum text per segment: what a thread holds in memory, and what is lost if it is killed. */
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Smaller segments are not worth a thread of their own. */
const SMALLEST_SEGMENT_BYTES = 1024 * 1024;
/** Files parsed per batch; each batch is stored when it is done. */
const FACTS_BATCH = 100;
/** Batches that may be parsed before the first one is stored, which requires all text to be indexed. */
const FACTS_AHEAD = 20;
/**
 * Up to this amount of text, one thread reads all text while another one parses the code. More threads would not pay
 * off, because each has to compile its own code.
 */
const FEW_BYTES = 48 * 1024 * 1024;

/**
 * Brings an index up to date with the files. Contract: one build at a time per repository, concurrent ones return
 * `busy`; can be killed at any moment and resumes where it stopped; readers see a consistent state, the old or a newer
 * one; throws on disk errors.
 */
export async function buildIndex(request: BuildRequest): Promise<BuildReport> {
  for (const folder of [dirname(request.folder), request.folder]) clearFolderPlace(folder);
  mkdirSync(request.folder, { recursive: true, mode: 0o700 });
  const claimed = claimOwn(join(request.folder, INDEX_FILES.lock));
  if (claimed === null) return { outcome: "busy", files: 0, changed: 0, removed: 0, taken: 0 };
  try {
    const file = join(request.folder, INDEX_FILES.database);
    const attach = (store: IndexStore) => attachTo(store, request);
    const opened = await openForBuilding({
      file,
      root: request.root,
      findBases: request.findBases ?? (async () => null),
      attach,
    });
    try {
      return await buildIn(request, file, opened);
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      putAside(request.folder, opened.store.bases, sayDatabaseError(thrown));
      removeIndex(file);
      return await buildIn(request, file, { store: newStore(file), mended: sayDatabaseError(thrown), attached: null });
    }
  } finally {
    claimed.release();
  }
}

/** State of the index once all text is read. */
interface IndexedTexts {
  readonly segments: readonly StoredSegment[];
  readonly files: ReadonlyMap<string, IndexedFile>;
  /** Traits of the files whose text is indexed. */
  readonly traits: ReadonlyMap<string, number>;
}

/** Files to read as text. */
interface TextWork {
  readonly changes: Changes;
  /** The changed files, split for the threads. */
  readonly batches: readonly string[][];
  readonly threads: number;
  /** True for a file that is read again although it has not changed. */
  readonly isSame: (path: string) => boolean;
}

/** Compares the bases of an index with the files. */
function attachTo(store: IndexStore, request: BuildRequest): Promise<Attached | null> {
  const { root, folder, runner, clock, signal, source } = request;
  return attachBases({
    root,
    folder,
    store,
    runner,
    texts: source ?? new GitIndex(root),
    isShown: source === undefined,
    nowMs: clock.nowMs,
    isStopped: () => signal.aborted,
  });
}

async function buildIn(request: BuildRequest, file: string, opened: OpenedStore): Promise<BuildReport> {
  const { store } = opened;
  try {
    const report = await new Build(request, opened).run();
    leave(store);
    sealIndex(file);
    return report;
  } catch (thrown) {
    // Report the original error, not a follow-up error.
    leave(store);
    throw thrown;
  }
}

/** Closes an index after writing. */
function leave(store: IndexStore): void {
  tryCheckpoint(store.database);
  store.close();
}

class Build {
  readonly #request: BuildRequest;
  readonly #store: IndexStore;
  readonly #mended: string | null;
  #areLinksOld = false;
  #attached: Attached | null;
  readonly #moved: MovedQuestions;

  constructor(request: BuildRequest, { store, mended, attached }: OpenedStore) {
    this.#request = request;
    this.#store = store;
    this.#attached = attached;
    this.#mended = mended;
    this.#moved = new MovedQuestions(store);
  }

  async run(): Promise<BuildReport> {
    const { root, clock, runner } = this.#request;
    // Record the reason first, so that readers can report why there is no index meanwhile.
    if (this.#mended !== null) this.#setPhase("text", 0);
    if (this.#store.isUnsettled) this.#attached = await attachTo(this.#store, this.#request);
    // A completed build leaves no file unparsed, so only the files that changed since then need parsing.
    const isResumed = this.#store.state()?.phase !== "done";
    const segments = this.#store.segments();
    const before = knownFiles(segments);
    const known = { files: before, folders: this.#store.folders() };
    const changes = findChanges(root, known, {
      suspects: this.#request.suspectsAmong?.(before) ?? null,
      isTracked: this.#attached?.isTracked ?? null,
      disk: this.#request.source,
      isExcluded: excludeNothing,
      hasTime: () => !this.#isCancelled(),
      nowMs: clock.nowMs(),
    });
    if (!changes.complete) return this.#report("cancelled", changes);
    if (changes.changed.length > 0 || changes.removed.length > 0) this.#setPhase("text", before.size);
    const toRead = withWorn(changes, segments);
    const sizes = toRead.changed.map((path) => before.get(path)?.bytes ?? sizeOnDisk(join(root, path)));
    const isLittle = sizes.reduce((sum, size) => sum + size, 0) <= FEW_BYTES;
    const threads = isLittle ? 1 : runner.width;
    const waiting = this.#waitingForCode(isResumed ? { files: before, traits: traitsIn(segments) } : null, changes);
    const changed = new Set(changes.changed);
    const batches = splitBySize(toRead.changed, sizes, threads);
    const text = this.#readTexts({ changes: toRead, batches, threads, isSame: (path) => !changed.has(path) });
    // Avoid an unhandled rejection; the await below reports the failure.
    text.catch(() => {});
    if (!isLittle) await text;
    await this.#readCode(waiting, threads, text);
    const texts = await text;
    if (texts === null || this.#isCancelled()) return this.#report("cancelled", changes);
    const files = texts.files.size;
    this.#setPhase("graph", files);
    await runner.release();
    await this.#findEdges(texts);
    if (this.#isCancelled()) return this.#report("cancelled", changes, files);
    this.#setPhase("done", files);
    await this.#keepHistory();
    return this.#report(this.#isCancelled() ? "cancelled" : "done", changes, files);
  }

  /** History only adjusts the ranking, so the index already counts as done. */
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
    // After a program update nothing was damaged, so the reason is reported only until the index is complete again.
    const isSaid = this.#mended !== null && !(phase === "done" && this.#mended === OTHER_VERSION);
    const mended = isSaid ? { mended: this.#mended } : {};
    this.#store.setState({ root: this.#request.root, phase, files, atMs: this.#request.clock.nowMs(), ...mended });
  }

  #report(outcome: BuildReport["outcome"], changes: Changes, files = 0): BuildReport {
    return {
      outcome,
      files,
      changed: changes.changed.length,
      removed: changes.removed.length,
      taken: this.#attached?.files ?? 0,
    };
  }

  /**
   * Reads changed files as text and returns the new state of the index; null if cancelled. Segments are stored in path
   * order, regardless of which thread finishes first.
   */
  async #readTexts(work: TextWork): Promise<IndexedTexts | null> {
    const { changes } = work;
    if (changes.changed.length > 0 || changes.removed.length > 0) await this.#addSegments(work);
    if (this.#isCancelled()) return null;
    this.#store.setFolders(changes.folders);
    this.#linkFiles();
    const all = this.#store.segments();
    const dead = new Set(findDead(all));
    this.#store.dropSegments([...dead].map(({ id }) => id));
    const segments = all.filter((segment) => !dead.has(segment));
    const texts = { segments, files: knownFiles(segments), traits: traitsIn(segments) };
    this.#setPhase("code", texts.files.size);
    await this.#request.runner.release();
    return texts;
  }

  async #addSegments({ changes, batches, threads, isSame }: TextWork): Promise<void> {
    const { changed, removed, folders } = changes;
    const { root, runner, onProgress } = this.#request;
    const ids = listFileIds(root, folders.sensitive);
    const sensitiveIds = ids === null ? null : [...ids];
    // Number of files read so far in each batch.
    const done = batches.map(() => 0);
    const tell = (at: number, files: number) => {
      done[at] = files;
      onProgress({ phase: "text", done: done.reduce((sum, one) => sum + one, 0), total: changed.length });
    };
    tell(0, 0);
    await inOrder({
      items: batches,
      ahead: threads,
      isStopped: () => this.#isCancelled(),
      work: (paths, at) =>
        runner.run({ kind: "text", root, paths, removed: at === 0 ? removed : [], sensitiveIds }, threads, (files) =>
          tell(at, files),
        ),
      take: (segment, paths) => {
        this.#areLinksOld ||= this.#linksElsewhere(segment);
        this.#store.addSegment(segment, isSame, this.#moved.ofSegment(segment, isSame));
        tell(batches.indexOf(paths), paths.length);
      },
    });
  }

  /**
   * True if a file of the segment was added, removed or has other imports than before, so that links may have changed.
   */
  #linksElsewhere({ catalogue: { paths, removed }, imports }: Segment): boolean {
    return removed.length > 0 || paths.some((path, slot) => this.#store.packedImports(path) !== imports[slot]);
  }

  /** Computes the import links between files. */
  #linkFiles(): void {
    if (!this.#areLinksOld && this.#store.hasLinks()) return;
    this.#store.setLinks(linkFiles(this.#store.imports()));
  }

  async #findEdges({ segments, files }: IndexedTexts): Promise<void> {
    const { root, onProgress } = this.#request;
    await findEdges({
      root,
      store: this.#store,
      files,
      getIndex: once(() => new RepositoryIndex(segments, NO_LINKS)),
      isStopped: () => this.#isCancelled(),
      onProgress: (done, total) => onProgress({ phase: "graph", done, total }),
    });
  }

  /**
   * Files that may be code and have not been parsed since they changed, determined before their text is read. `before`
   * is the state that an unfinished build left; null if the previous build completed.
   */
  #waitingForCode(before: Pick<IndexedTexts, "files" | "traits"> | null, { changed, removed }: Changes): string[] {
    // A file without an extension may have become a script; only its first line reveals that.
    const waiting = new Set(changed.filter((path) => languageOf(path, "") !== null || !hasEnding(path)));
    if (before === null) return [...waiting].sort();
    const { files, traits } = before;
    const stamps = this.#store.code.parsedStamps();
    const gone = new Set(removed);
    for (const [path, file] of files) {
      if (stamps.get(path) !== file.id && !gone.has(path) && isCode(path, traits)) waiting.add(path);
    }
    return [...waiting].sort();
  }

  /** Parses files. The facts are stored only after the text, because storing text overwrites the definitions. */
  async #readCode(waiting: readonly string[], threads: number, text: Promise<IndexedTexts | null>): Promise<void> {
    const { onProgress } = this.#request;
    if (waiting.length === 0) return;
    const batches: string[][] = [];
    // Use batches of equal size: a small last batch would run in this thread, which has no grammars loaded.
    const most = Math.ceil(waiting.length / Math.ceil(waiting.length / FACTS_BATCH));
    for (let at = 0; at < waiting.length; at += most) batches.push(waiting.slice(at, at + most));
    // Counts parsed files, not stored ones: results that wait for the text are stored all at once, which says nothing
    // about the speed of parsing.
    let done = 0;
    await inOrder({
      items: batches,
      ahead: FACTS_AHEAD,
      isStopped: () => this.#isCancelled(),
      work: async (paths) => {
        const readings = await this.#parse(paths, threads);
        done += paths.length;
        return readings;
      },
      take: async (readings, paths) => {
        // Only after the text is read is it known whether a file is code and whether it may be indexed at all.
        const texts = await text;
        if (texts === null || this.#isCancelled()) return;
        const code = await this.#sameAsText(
          readings.filter(({ path }) => isCode(path, texts.traits)),
          texts,
        );
        this.#store.code.addFacts(code, this.#moved.ofFacts(code));
        const others = paths.filter((path) => !isCode(path, texts.traits));
        if (others.length > 0) this.#store.code.dropFacts(others, this.#moved.ofDropped(others));
        onProgress({ phase: "code", done, total: waiting.length });
      },
    });
  }

  /** Parses files again that changed between being read as code and as text. */
  async #sameAsText(readings: readonly FactsRow[], { files }: IndexedTexts): Promise<readonly FactsRow[]> {
    const isOld = ({ path, stamp }: FactsRow) => stamp !== files.get(path)?.id;
    const old = readings.filter(isOld).map(({ path }) => path);
    if (old.length === 0) return readings;
    return [...readings.filter((reading) => !isOld(reading)), ...(await this.#parse(old, 1))];
  }

  /**
   * Parses files. If a batch crashes its thread, its files are retried one by one; a file that crashes on its own is
   * stored as a file without code.
   */
  async #parse(paths: readonly string[], threads: number): Promise<readonly FactsRow[]> {
    const { root, runner, clock } = this.#request;
    const rows: FactsRow[] = [];
    try {
      return await runner.run({ kind: "facts", root, paths }, threads);
    } catch {
      const [only, ...others] = paths;
      if (only !== undefined && others.length === 0) {
        const source = readSource(root, only, clock.nowMs());
        return source === null ? [] : [toFactsRow(source, NO_FACTS)];
      }
    }
    for (const path of paths) rows.push(...(await this.#parse([path], threads)));
    return rows;
  }
}

/** True if a file is to be parsed: its text is indexed, and its name or first line identifies a language. */
function isCode(path: string, traits: ReadonlyMap<string, number>): boolean {
  const own = traits.get(path);
  return own !== undefined && (languageOf(path, "") !== null || (own & TRAIT.script) !== 0);
}

/** Splits files by size into one part per thread or more, each of about a segment's maximum size at most. */
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
