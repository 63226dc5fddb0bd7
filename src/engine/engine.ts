import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { onceMore } from "../base/damaged-state.ts";
import { resolveInside } from "../base/jail.ts";
import { getOrMake } from "../base/maps.ts";
import { once } from "../base/once.ts";
import { withTimeLimit } from "../base/timers.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { Meaning } from "./compare-meaning.ts";
import type { EmbeddingSettings } from "./embedder.ts";
import { weighHits } from "./history/freshness.ts";
import { readHeadKey } from "./history/git-folder.ts";
import type { GitSettings } from "./history/git-objects.ts";
import { type Commit, type CommitWindow, type History, readHistory, readWindow } from "./history/read-history.ts";
import { readWorkTree, type WorkTree } from "./history/work-tree.ts";
import type { SymbolFact } from "./parse/facts.ts";
import { type ProjectFacts, readProjectFacts } from "./project.ts";
import {
  type AskOptions,
  type Comparison,
  compareWithDisk,
  type OpenBudget,
  openRepository,
  type Repository,
} from "./repository.ts";
import type { Answer, Hit } from "./search/answer.ts";
import { INDEX_FILES, isSealed, removeDatabase, removeIndex } from "./store/database.ts";
import { HistoryStore } from "./store/history-store.ts";
import type { IndexState, IndexStore } from "./store/index-store.ts";
import { type IndexReaders, NEW_READERS } from "./store/readers.ts";
import { VectorStore } from "./store/vector-store.ts";
import { StoredGraph } from "./stored-graph.ts";
import type { RepositoryWatches } from "./watch/repository-watches.ts";

/** The engine's dependencies. */
export interface EngineSettings {
  readonly clock: Clock;
  /** Folder of a root's index; null if there is no place for one. */
  readonly folderOf: (root: string) => string | null;
  /** How to read history; null for an engine that reads only files and starts no processes. */
  readonly past: GitSettings | null;
  /** The user's embedding model, used to reorder hits; null if there is none. */
  readonly embeddings: EmbeddingSettings | null;
  /** Folder of the grammars; null for an engine that does not parse code itself. */
  readonly grammars: string | null;
  /** Starts the index builder for a root. Called only once there is known to be something to build. */
  readonly startBuilder: (root: string) => Promise<void>;
  /** How indexes are opened; by default each one is opened separately. */
  readonly readers?: IndexReaders;
  /** Tracks what changed since earlier questions; without it, every file is checked. */
  readonly watches?: RepositoryWatches;
  /** Builds an index to completion for a caller that waits; absent if only the background builder may build. */
  readonly buildNow?: (root: string, watch: BuildWatch) => Promise<Outcome<{ readonly outcome: string }>>;
}

/** Lets a caller that waits for a build cancel it and follow its progress. */
interface BuildWatch {
  readonly signal: AbortSignal;
  readonly report: (progress: { readonly done: number; readonly of: number; readonly message: string }) => void;
}

/** An answer, and how far a model influenced its order; `meaning` is null if no model was asked. */
interface WeighedAnswer extends Answer {
  readonly meaning: Meaning | null;
}

/** A graph, and the number of changed files that are missing from it. */
interface OpenGraph {
  readonly graph: StoredGraph;
  readonly unread: number;
}

/** The part of the engine that code tools need, wherever the repository is stored. */
export type CodeEngine = Pick<
  Engine,
  "open" | "answer" | "graph" | "symbolsOf" | "history" | "workTree" | "weighRecency" | "indexDamage" | "resolvePath"
>;

/** Answers questions about repositories. Data that has been read is shared by all questions of a run. */
export interface Engine {
  readonly project: (root: string) => ProjectFacts;
  /** The most recent commits, newest first; empty if there is no history or no time to read it. */
  readonly recentCommits: (root: string, budget: OpenBudget) => Promise<readonly Commit[]>;
  /** History of the most recent commits; null if there is no history or no time to read it. */
  readonly history: (root: string, budget: OpenBudget) => Promise<History | null>;
  /** The commits of the last `days` days; null as for `history`. */
  readonly window: (root: string, days: number, budget: OpenBudget) => Promise<CommitWindow | null>;
  /** Which of the given files differ from their committed version; null if there is nothing to compare with. */
  readonly workTree: (root: string, paths: readonly string[], budget: OpenBudget) => Promise<WorkTree | null>;
  /** Resolves a path as written to one relative to the root; a fault if no data about it may be returned. */
  readonly resolvePath: (root: string, written: string) => Outcome<string>;
  readonly open: (root: string, budget: OpenBudget) => Promise<Repository>;
  /** Answers a query like `Repository.answer`; if an embedding model is configured, it influences the order. */
  readonly answer: (
    root: string,
    repository: Repository,
    query: string,
    options: AskOptions,
    budget: OpenBudget,
  ) => Promise<WeighedAnswer>;
  /** Matches of a regular expression, one per file; null if the query is not a valid expression. */
  readonly findPattern: (
    root: string,
    repository: Repository,
    search: { readonly pattern: string; readonly likely: readonly string[]; readonly limit: number },
    budget: OpenBudget,
  ) => Promise<readonly Hit[] | null>;
  /** Moves recently changed files up, if history is known; neither adds nor drops hits. */
  readonly weighRecency: (root: string, hits: readonly Hit[], budget: OpenBudget) => Promise<readonly Hit[]>;
  /** The call graph of a repository; files that changed since they were indexed are parsed first. */
  readonly graph: (root: string, repository: Repository, budget: OpenBudget) => Promise<OpenGraph>;
  /** Current symbols of a file, from the index or freshly parsed; null if it cannot be read or is not code. */
  readonly symbolsOf: (root: string, repository: Repository, path: string) => Promise<readonly SymbolFact[] | null>;
  /** Progress of the index on disk, without checking the files; null if there is no index. */
  readonly indexState: (root: string, budget: OpenBudget) => IndexState | null;
  /** Why the index on disk cannot be read; null if there is none or it is intact. */
  readonly indexDamage: (root: string, budget: OpenBudget) => string | null;
  /** Whether the index on disk matches the files; false if there was no time to check all of them. */
  readonly isCurrent: (root: string, budget: OpenBudget) => boolean;
  /** Builds the index. Contract: true if the build is complete, false if it continues in the background. */
  readonly build: (root: string, watch: BuildWatch) => Promise<Outcome<boolean>>;
  readonly clear: (root: string) => void;
  /** Closes all open files. Contract: later calls may return faults. */
  readonly close: () => void;
}

/** Maximum milliseconds for reading history. History only adjusts the ranking, so it is not worth a longer wait. */
const HISTORY_MS = 300;
/** Maximum share of the remaining time for reading a window of commits. */
const WINDOW_SHARE = 0.6;
/** Share of the remaining time reserved for following calls after changed files have been read. */
const GRAPH_SHARE = 0.5;
/** Time reserved for writing the answer. */
const ANSWER_MS = 200;
/** Number of hits the embedding model compares. */
const COMPARED_HITS = 60;
/** Number of commits read. */
const HISTORY_COMMITS = 200;

/** Creates an engine. Contract: does nothing until asked; caches what it has read per root. */
export function makeEngine({
  clock,
  folderOf,
  past,
  embeddings,
  grammars,
  startBuilder,
  buildNow,
  readers = NEW_READERS,
  watches,
}: EngineSettings): Engine {
  const histories = new Map<string, Promise<History | null>>();
  const repositories = new Map<string, Promise<Repository>>();
  const comparisons = new Map<string, Comparison>();
  const compared = new Map<string, Promise<WeighedAnswer>>();
  const historyOnce = oncePerRoot(histories, async (root, budget) => {
    const { timeLeftMs } = budget;
    const kept = keptHistory(root, budget)?.history(HISTORY_COMMITS);
    if (kept !== undefined) return kept;
    const ms = Math.floor(Math.min(HISTORY_MS, timeLeftMs() / 2));
    if (past === null || ms <= 0) return null;
    // A separate timeout, because the first caller may finish before the others.
    const signal = AbortSignal.timeout(ms);
    // On a busy machine, even a killed process may take long to exit.
    const late = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
    return Promise.race([readHistory(root, past, { commits: HISTORY_COMMITS, signal }), late]);
  });
  // A separate bundle: most questions are answered without parsing code.
  const openCode = once(async () => {
    const { makeParser, readChangedCode, readFacts } = await import("./changed-code.ts");
    return {
      readChangedCode,
      readFacts,
      getParser: once(() => (grammars === null ? null : makeParser(grammars, clock))),
    };
  });
  const indexes = new Map<string, FoundIndex>();
  const indexOf = (root: string): FoundIndex => {
    const known = indexes.get(root);
    const damage = known?.store?.damage ?? null;
    if (known !== undefined && damage === null) return known;
    // Discard everything that was read from a damaged index.
    for (const memo of [histories, repositories, comparisons]) memo.delete(root);
    compared.clear();
    if (known?.store != null) readers.release(known.store);
    const folder = folderOf(root);
    const file = folder === null ? null : join(folder, INDEX_FILES.database);
    const found = damage === null ? findIndex(file, root, readers) : { store: null, damage };
    indexes.set(root, found);
    return found;
  };
  const storeOf = (root: string) => indexOf(root).store;
  const headKeys = new Map<string, string | null>();
  const headKeyOf = (root: string) => getOrMake(headKeys, root, () => readHeadKey(root));
  /** History saved by the builder; null if a different commit is checked out now. */
  const keptHistory = (root: string, { usesIndex }: OpenBudget) => {
    const store = past !== null && usesIndex ? storeOf(root) : null;
    const kept = store === null ? null : new HistoryStore(store.records);
    const head = kept?.head() ?? null;
    return head?.isRead === true && head.key === headKeyOf(root) ? kept : null;
  };
  const isHistoryOld = (root: string, store: IndexStore) =>
    past !== null && headKeyOf(root) !== (new HistoryStore(store.records).head()?.key ?? null);
  const compareOnce = (root: string, budget: OpenBudget) => {
    const known = comparisons.get(root);
    if (known !== undefined) return known;
    const store = budget.usesIndex ? storeOf(root) : null;
    const damage = budget.usesIndex ? indexOf(root).damage : null;
    const stored = store === null ? null : readers.viewOf(store);
    const compared = stored === null ? null : watches?.compare(root, stored, budget);
    const comparison = { ...(compared ?? compareWithDisk(root, stored, clock, budget)), damage };
    // Cache only complete comparisons: the next caller may have more time.
    if (comparison.changes.complete) comparisons.set(root, comparison);
    return comparison;
  };
  /** Whether anything other than a builder has modified the index; the next builder then verifies all of it. */
  const isTouched = (root: string) => {
    const folder = folderOf(root);
    return folder !== null && !isSealed(join(folder, INDEX_FILES.database));
  };
  const openOnce = oncePerRoot(repositories, async (root, budget) => {
    const comparison = compareOnce(root, budget);
    const store = comparison.stored?.store;
    const repository = await openRepository(root, comparison, clock, budget);
    const { wantsIndex, updated, unread, removed } = repository.coverage;
    const isBehind = updated + unread + removed > 0 || store?.state()?.phase !== "done" || isHistoryOld(root, store);
    if (wantsIndex && (isBehind || isTouched(root))) await startBuilder(root);
    return repository;
  });
  const open = async (root: string, budget: OpenBudget) => {
    // Check for damage before using the cache: this discards what was read from a damaged index.
    if (budget.usesIndex) indexOf(root);
    const opened = await onceMore(() => openOnce(root, budget));
    const isOther = opened.chosenFor !== null && opened.chosenFor !== budget.query;
    if (!isOther) return opened;
    const { damage } = opened.coverage;
    return openRepository(root, { ...compareWithDisk(root, null, clock, budget), damage }, clock, budget);
  };
  const compare = async (root: string, query: string, plain: Answer, budget: OpenBudget): Promise<WeighedAnswer> => {
    // Names and paths are unambiguous, and a single hit needs no reordering.
    if (embeddings === null || plain.kind !== "question" || plain.hits.length < 2) return { ...plain, meaning: null };
    // A separate bundle: few users configure a model.
    const { compareMeaning } = await import("./compare-meaning.ts");
    const folder = budget.usesIndex ? folderOf(root) : null;
    const vectors = folder === null ? null : new VectorStore(join(folder, INDEX_FILES.vectors));
    try {
      return {
        ...plain,
        ...(await compareMeaning({ root, query, hits: plain.hits, settings: embeddings, vectors, budget })),
      };
    } finally {
      vectors?.close();
    }
  };
  const answer: Engine["answer"] = async (root, repository, query, options, budget) => {
    if (embeddings === null) return { ...repository.answer(query, options), meaning: null };
    const limit = Math.max(options.limit, COMPARED_HITS);
    const key = [root, limit, options.mode, options.isRestrained, query].join("\0");
    const whole = await getOrMake(compared, key, () =>
      compare(root, query, repository.answer(query, { ...options, limit }), budget),
    );
    return { ...whole, hits: whole.hits.slice(0, options.limit) };
  };
  return {
    project: readProjectFacts,
    recentCommits: async (root, budget) => (await historyOnce(root, budget))?.commits ?? [],
    history: historyOnce,
    window: async (root, days, budget) => {
      const { signal, timeLeftMs } = budget;
      const kept = keptHistory(root, budget)?.window(days) ?? null;
      const ms = Math.floor(timeLeftMs() * WINDOW_SHARE);
      // Git may have older commits than the index keeps.
      if (kept?.isCut === false || past === null || ms <= 0) return kept;
      const read = await withTimeLimit(signal, ms, (limited) => readWindow(root, past, { days, signal: limited }));
      return read ?? kept;
    },
    workTree: async (root, paths, budget) => {
      const tree = (await historyOnce(root, budget))?.tree ?? null;
      if (past === null || tree === null) return null;
      const { signal, timeLeftMs } = budget;
      const stopAtMs = timeLeftMs() * GRAPH_SHARE;
      return readWorkTree({ root, paths, tree, settings: past, signal, hasTime: () => timeLeftMs() > stopAtMs });
    },
    resolvePath: (root, written) => {
      const inside = resolveInside(root, written);
      return inside.ok ? succeed(inside.value.path) : inside;
    },
    open,
    answer,
    findPattern: async (root, { index }, search, { timeLeftMs }) => {
      const { findPattern } = await import("./find-pattern.ts");
      const hasTime = () => timeLeftMs() > ANSWER_MS;
      return findPattern({ root, index, ...search, hasTime, nowMs: clock.nowMs });
    },
    weighRecency: async (root, hits, budget) => {
      const history = await historyOnce(root, budget);
      return history === null ? hits : weighHits(root, hits, history, clock.nowMs());
    },
    graph: async (root, repository, { timeLeftMs }) => {
      const stopAtMs = timeLeftMs() * GRAPH_SHARE;
      const isLate = () => timeLeftMs() < ANSWER_MS;
      const { readChangedCode, getParser } = await openCode();
      const { fresh, unread } = await readChangedCode(root, repository, getParser, () => timeLeftMs() > stopAtMs);
      return { graph: new StoredGraph(repository, isLate, fresh), unread };
    },
    symbolsOf: async (root, repository, path) => {
      const known = repository.symbolsOf(path);
      if (known.length > 0) return known;
      const file = repository.index.fileAt(path);
      if (file !== undefined && !repository.index.hasText(file)) return null;
      const { readFacts, getParser } = await openCode();
      const parser = getParser();
      if (parser === null) return null;
      return (await readFacts(root, path, parser, { isHarmless: file !== undefined }))?.symbols ?? null;
    },
    indexState: (root, { usesIndex }) => (usesIndex ? (storeOf(root)?.state() ?? null) : null),
    indexDamage: (root, { usesIndex }) => (usesIndex ? indexOf(root).damage : null),
    isCurrent: (root, budget) => {
      const { changed, removed, complete } = compareOnce(root, budget).changes;
      return complete && changed.length + removed.length === 0;
    },
    build: async (root, watch) => {
      if (buildNow === undefined) {
        await startBuilder(root);
        return succeed(false);
      }
      const built = await buildNow(root, watch);
      return built.ok ? succeed(built.value.outcome === "done") : built;
    },
    clear: (root) => {
      const folder = folderOf(root);
      if (folder === null) return;
      removeIndex(join(folder, INDEX_FILES.database));
      removeDatabase(join(folder, INDEX_FILES.vectors));
    },
    close: () => {
      for (const { store } of indexes.values()) if (store !== null) readers.release(store);
      indexes.clear();
    },
  };
}

/** A readable index, or why it is unreadable; `damage` stays set while a damaged index is being rebuilt. */
interface FoundIndex {
  readonly store: IndexStore | null;
  readonly damage: string | null;
}

const NO_INDEX: FoundIndex = { store: null, damage: null };

/** Opens the index in a file. Contract: never throws; an index of another root counts as none. */
function findIndex(file: string | null, root: string, readers: IndexReaders): FoundIndex {
  const store = file === null ? null : readers.open(file);
  if (file === null || store === null) return file === null ? NO_INDEX : { store, damage: readers.damageOf(file) };
  try {
    const state = store.state();
    // Until all text is indexed again, report what was wrong with the previous index.
    if (state?.root === root) return { store, damage: state.phase === "text" ? (state.mended ?? null) : null };
  } catch {
    // The store records the reason in `damage`.
  }
  readers.release(store);
  return { store: null, damage: store.damage };
}

/** Creates an engine that works on the files alone: it has no index and no history, and starts no processes. */
export function makeFileEngine(clock: Clock): Engine {
  return makeEngine({
    clock,
    folderOf: () => null,
    past: null,
    embeddings: null,
    grammars: null,
    startBuilder: async () => {},
  });
}

/** Runs the work for the first caller per root and shares the result with all others. */
function oncePerRoot<T>(begun: Map<string, Promise<T>>, work: (root: string, budget: OpenBudget) => Promise<T>) {
  return (root: string, budget: OpenBudget): Promise<T> => getOrMake(begun, root, () => work(root, budget));
}
