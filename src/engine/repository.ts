import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { getOrMake } from "../base/maps.ts";
import { yieldToEvents } from "../base/timers.ts";
import type { Grade } from "../contract/tool.ts";
import { type Changes, findChanges, type Suspects } from "./build/changes.ts";
import { listFileIds } from "./build/file-ids.ts";
import { readSource } from "./build/read-source.ts";
import { SegmentMaker } from "./build/segment-maker.ts";
import { type FirstLook, lookFirst } from "./first-look.ts";
import type { SymbolFact } from "./parse/facts.ts";
import { type QuotableLines, readQuotable } from "./quotable.ts";
import { type Answer, type AnswerOptions, answerQuery } from "./search/answer.ts";
import type { ReadText } from "./search/exact.ts";
import type { SearchIndex } from "./search/source.ts";
import { readTraits, TRAIT } from "./search/traits.ts";
import type { LazyEdges } from "./store/edges.ts";
import { type IndexStore, NO_FOLDERS } from "./store/index-store.ts";
import type { FileStamp, IndexedFile } from "./store/known-files.ts";
import { NO_LINKS } from "./store/links.ts";
import { RepositoryIndex } from "./store/repository-index.ts";
import { readSegment, type SegmentReader } from "./store/segment.ts";
import type { StoredView } from "./store/stored-view.ts";

/** How long opening may take, and which files are excluded. */
export interface OpenBudget {
  readonly signal: AbortSignal;
  readonly timeLeftMs: () => number;
  readonly isExcluded: (path: string) => boolean;
  /** Whether an index may be read and built. */
  readonly usesIndex: boolean;
  /** The upcoming query: without an index, only files that contain its words are read. */
  readonly query?: string;
}

/** How much of a repository an answer covers. */
export interface Coverage {
  /** Number of searchable files. */
  readonly files: number;
  /**
   * `wantsIndex`: an index may be used and built; `isIndexed`: one exists on disk; `updated`: number of new or outdated
   * files read just now.
   */
  readonly wantsIndex: boolean;
  readonly isIndexed: boolean;
  /** Why the index on disk could not be read; null if there is none or it is intact. */
  readonly damage: string | null;
  readonly updated: number;
  /** Indexed files that no longer exist. */
  readonly removed: number;
  /** New or changed files that there was no time to read. */
  readonly unread: number;
  /** False if there was not even time to look for all changes. */
  readonly isChecked: boolean;
}

/** Options of `Repository.answer`. */
export interface AskOptions extends AnswerOptions {
  /** If true, an unrelated question gets no hits, and one answered by a guess gets only a few. */
  readonly isRestrained: boolean;
}

/** How many of a repository's calls are known. */
type CallsKnown = "none" | "some" | "all";

/** A repository opened for questions. */
export interface Repository {
  readonly index: RepositoryIndex;
  /**
   * Answers a query. Contract: as `answerQuery`, but a restrained answer has no hits if nothing seems related to the
   * question, and at most three if it is a guess; a repeated query returns the cached answer, whatever its mode.
   */
  readonly answer: (query: string, options: AskOptions) => Answer;
  /** The query for which the files were preselected; null if all files are included. */
  readonly chosenFor: string | null;
  /** The index on disk; null if there is none. */
  readonly store: IndexStore | null;
  readonly coverage: Coverage;
  /** How many of the calls are known. */
  readonly callsKnown: () => CallsKnown;
  /** Returns at most `most` terms of the index that begin with `start`, ascending. */
  readonly termsFrom: (start: string, most: number) => readonly string[];
  /** The quotable lines of a file. */
  readonly quotableLines: (path: string) => QuotableLines;
  /** Files that changed since they were indexed and have just been re-read as text. */
  readonly changed: readonly string[];
  /** Whether a file differs from its indexed version. */
  readonly isStale: (path: string) => boolean;
  /** Symbols of a file from the index; empty if it was not parsed or has changed since. */
  readonly symbolsOf: (path: string) => readonly SymbolFact[];
  /** Outgoing edges of a file; null if they are not known or the file has changed since. */
  readonly edgesOf: (path: string) => LazyEdges | null;
}

/** Maximum number of hits of a restrained answer, by grade. */
const MOST_HITS: Readonly<Record<Grade, number>> = { sure: Number.POSITIVE_INFINITY, guess: 3, none: 0 };

/** Minimum number of hits to search for, so that tools with different limits share one cached answer. */
const LEAST_HITS = 10;

/** Up to this many files are all tokenised; of more, only those that contain the question's words. */
const FEW_FILES = 250;
const CHOSEN_FILES = 100;

/** Maximum share of the time for reading files; the rest is for ranking and answering. */
const READING_SHARE = 0.6;
/** Maximum share of the time for preselecting files. */
const LOOKING_SHARE = 0.4;
const NO_FILES: ReadonlyMap<string, IndexedFile> = new Map();
/** Files processed between two yields to the event loop. */
const BATCH = 16;

/** An index, and how the files on disk differ from it. */
export interface Comparison {
  readonly stored: StoredView | null;
  readonly changes: Changes;
  /** Why the index could not be read; null if there is none or it is intact. */
  readonly damage: string | null;
}

/** Compares an index with the files on disk. Contract: never writes; throws `IndexDamage` if the index is damaged. */
export function compareWithDisk(
  root: string,
  stored: StoredView | null,
  clock: Clock,
  budget: OpenBudget,
  suspects: Suspects | null = null,
): Omit<Comparison, "damage"> {
  const known = { files: stored?.files ?? NO_FILES, folders: stored?.folders ?? NO_FOLDERS };
  const changes = findChanges(root, known, {
    suspects,
    isExcluded: budget.isExcluded,
    hasTime: makeTimer(budget, READING_SHARE),
    nowMs: clock.nowMs(),
  });
  return { stored, changes };
}

function makeTimer({ signal, timeLeftMs }: OpenBudget, share: number): () => boolean {
  const stopAtMs = timeLeftMs() * (1 - share);
  return () => !signal.aborted && timeLeftMs() > stopAtMs;
}

/**
 * Opens a repository: the index, plus files that changed since, re-read as far as time allows. Contract: never writes;
 * no result names a file that is known to be gone; later reads throw `IndexDamage` if the index turns out to be
 * damaged, and a repository opened after that has no index.
 */
export async function openRepository(
  root: string,
  { stored, changes, damage }: Comparison,
  clock: Clock,
  budget: OpenBudget,
): Promise<Repository> {
  const hasTime = makeTimer(budget, READING_SHARE);
  const segments = stored?.segments ?? [];
  const files = stored?.files ?? NO_FILES;
  const isFirst = segments.length === 0 && changes.changed.length > FEW_FILES;
  const inOrder = byKind(changes.changed);
  const look =
    isFirst && budget.query !== undefined
      ? await lookFirst(root, inOrder, budget.query, {
          hasTime: makeTimer(budget, LOOKING_SHARE),
          nowMs: clock.nowMs,
        })
      : null;
  const wanted = look === null ? inOrder : look.paths.slice(0, CHOSEN_FILES);
  const { overlay, read, readable } = await readChanged(root, wanted, changes, clock, hasTime);
  const fresh = new Set(overlay?.catalogue.paths);
  const stale = new Set(changes.changed.filter((path) => !fresh.has(path)));
  const isStale = (path: string) =>
    stale.has(path) || (!changes.complete && !fresh.has(path) && isOther(root, path, files.get(path)));
  const index = openIndex(stored, overlay, look, budget.isExcluded);
  const isDone = stored?.store.state()?.phase === "done";
  const isParsed = (path: string) => {
    const stamp = files.get(path);
    if (stamp === undefined || fresh.has(path) || isStale(path)) return false;
    // While an index is being built, its text may be newer than its parsed code.
    return isDone || stored?.parsedStamp(path) === stamp.id;
  };
  const readText = (file: number) =>
    index.hasText(file)
      ? (readSource(root, index.pathOf(file), clock.nowMs())?.content?.toString("utf8") ?? null)
      : null;
  return {
    index,
    answer: makeAnswerer(index, readText),
    chosenFor: look === null ? null : (budget.query ?? null),
    store: stored?.store ?? null,
    callsKnown: () => {
      if (stored === null) return "none";
      return stored.store.state()?.phase === "done" ? "all" : stored.store.code.hasEdges() ? "some" : "none";
    },
    termsFrom: (start, most) => stored?.store.termsFrom(start, most) ?? [],
    quotableLines: (path) => readQuotable(root, index, path),
    coverage: {
      files: look === null ? index.fileCount : look.seen,
      wantsIndex: budget.usesIndex,
      isIndexed: segments.length > 0,
      damage,
      updated: read,
      removed: changes.removed.length,
      unread: changes.changed.length - (look?.seen ?? read),
      isChecked: changes.complete,
    },
    changed: readable,
    isStale,
    symbolsOf: (path) => (isParsed(path) ? (stored?.symbols(path) ?? []) : []),
    edgesOf: (path) => (isParsed(path) ? (stored?.edges(path) ?? null) : null),
  };
}

/** Creates `Repository.answer`. */
export function makeAnswerer(index: SearchIndex, readText: ReadText): Repository["answer"] {
  const answered = new Map<string, Answer>();
  return (query, options) => {
    const limit = Math.max(options.limit, LEAST_HITS);
    const key = [limit, options.mode, query].join("\0");
    const answer = getOrMake(answered, key, () => answerQuery(index, query, { ...options, limit, readText }));
    const most = options.isRestrained ? MOST_HITS[answer.grade] : options.limit;
    return { ...answer, hits: answer.hits.slice(0, Math.min(most, options.limit)) };
  };
}

/**
 * Opens the index over the files to search. File numbers from an earlier question are reused where nothing has changed.
 */
function openIndex(
  stored: StoredView | null,
  overlay: SegmentReader | null,
  look: FirstLook | null,
  isExcluded: (path: string) => boolean,
): RepositoryIndex {
  if (stored !== null && look === null)
    return overlay === null ? stored.indexWithout(isExcluded) : stored.indexUnder(overlay, isExcluded);
  const segments = [...(stored?.segments ?? []), ...(overlay === null ? [] : [overlay])];
  const chosen = look === null ? null : { spreads: look.spreads, of: look.seen };
  return new RepositoryIndex(segments, stored?.links ?? NO_LINKS, isExcluded, chosen);
}

function isOther(root: string, path: string, stamp: FileStamp | undefined): boolean {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  return stats === undefined || stats.size !== stamp?.bytes || stats.mtimeMs !== stamp.modifiedMs;
}

/** Reads changed files until time runs out. */
async function readChanged(
  root: string,
  paths: readonly string[],
  { removed, folders: { sensitive }, complete }: Changes,
  clock: Clock,
  hasTime: () => boolean,
): Promise<{ readonly overlay: SegmentReader | null; readonly read: number; readonly readable: readonly string[] }> {
  if (paths.length === 0 && removed.length === 0) return { overlay: null, read: 0, readable: [] };
  const maker = new SegmentMaker();
  let hidden: ReadonlySet<string> | null | undefined;
  const readable: string[] = [];
  let read = 0;
  for (const path of paths) {
    if (read % BATCH === 0) {
      await yieldToEvents();
      if (!hasTime()) break;
    }
    read++;
    const source = readSource(root, path, clock.nowMs());
    if (source === null) continue;
    // If not all sensitive files are known, any hard-linked file might be one.
    if (source.sharedId !== null) hidden ??= complete ? listFileIds(root, sensitive) : null;
    const isHidden = source.sharedId !== null && (hidden === null || hidden?.has(source.sharedId) === true);
    if (!isHidden && source.content !== null) readable.push(path);
    maker.add(isHidden ? { ...source, content: null } : source);
  }
  return { overlay: readSegment(maker.finish(removed)), read, readable };
}

/** Code first: most questions are about code. */
function byKind(paths: readonly string[]): string[] {
  const isCode = (path: string) => (readTraits(path, "") & TRAIT.prose) === 0;
  return [...paths.filter(isCode), ...paths.filter((path) => !isCode(path))];
}
