import { posix } from "node:path";
import { answerNothing, fail, type Outcome, succeed } from "../../contract/faults.ts";
import type { CodeEngine } from "../../engine/engine.ts";
import { makeAnswerer, type Repository } from "../../engine/repository.ts";
import { RepositoryIndex } from "../../engine/store/repository-index.ts";
import { StoredGraph } from "../../engine/stored-graph.ts";
import { type Holder, orFault, type Transaction } from "../database.ts";
import { hasGrant } from "../repos.ts";
import { readTables } from "../search/kept-tables.ts";
import { listSearched, readByIndex, type SearchedRepo } from "../search/searched-repo.ts";
import { fetchMissing, fetchPostings, NO_FILES, openSegment } from "../search/segment-rows.ts";
import { FetchedCode, type RepoGraph, readGraph } from "./fetched-code.ts";

/** Time reserved for composing the answer. */
const ANSWER_MS = 200;

/**
 * A team repository that is open for questions. Data that a question needs but that is not loaded is fetched, and the
 * question is asked again.
 */
interface OpenedRepo {
  readonly repository: Repository;
  /** True if requested data is not loaded. */
  readonly isWanting: () => boolean;
  /** Fetches that data. */
  readonly fetchMissing: () => Promise<void>;
  /** True if more was requested than one call may fetch. */
  readonly isCut: () => boolean;
}

/**
 * Creates the engine of one request, over the team's repositories; the name of a repository stands for its root. The
 * other functions are those of `OpenedRepo`. Contract: an error about the condition of the database is a fault.
 */
export function makeRepoEngine(transaction: Transaction, holder: Holder) {
  const opened = new Map<string, OpenedRepo>();
  const find = (name: string): OpenedRepo => {
    const repo = opened.get(name);
    if (repo === undefined) throw new Error("this repository was not opened");
    return repo;
  };
  const engine: CodeEngine = {
    // There is no disk: paths are normalised as text, relative to the repository.
    resolvePath: (_root, written) => {
      const path = posix.normalize(written.replaceAll("\\", "/")).replace(/^\/+|\/+$/g, "");
      if (path.startsWith("..")) return fail("E_REPO_ROOT", `${written}: outside the repository`);
      return succeed(path === "." ? "" : path);
    },
    open: async (root) => find(root).repository,
    answer: async (_root, repository, query, options) => ({ ...repository.answer(query, options), meaning: null }),
    graph: async (_root, repository, { timeLeftMs }) => ({
      graph: new StoredGraph(repository, () => timeLeftMs() < ANSWER_MS),
      unread: 0,
    }),
    symbolsOf: async (_root, repository, path) => repository.symbolsOf(path),
    weighRecency: async (_root, hits) => hits,
    history: async () => null,
    workTree: async () => null,
    indexDamage: () => null,
  };
  return {
    engine,
    /** Opens a repository that the holder may read and whose call graph was published. */
    open: (name: string): Promise<Outcome<void>> =>
      orFault(async () => {
        if (opened.has(name)) return succeed(undefined);
        await readByIndex(transaction);
        const [repo] = hasGrant(holder.read, name) ? await listSearched(transaction, [name]) : [];
        if (repo === undefined) return answerNothing(`no repository ${name}, or none that this token may read`);
        const graph = await readGraph(transaction, repo.id);
        if (graph === null)
          return fail(
            "E_TOOL_UNAVAILABLE",
            `the calls of ${name} were not published`,
            "publish it again: groundwork base publish",
          );
        opened.set(name, await openRepo(transaction, repo, graph));
        return succeed(undefined);
      }),
    isWanting: (name: string) => find(name).isWanting(),
    fetchMissing: (name: string) => orFault(async () => succeed(await find(name).fetchMissing())),
    isCut: (name: string) => find(name).isCut(),
  };
}

async function openRepo(transaction: Transaction, repo: SearchedRepo, graph: RepoGraph): Promise<OpenedRepo> {
  const [files] = await readTables(transaction, [repo]);
  const asked = new Set<string>();
  // Within a single named repository, its name carries no information.
  const { named } = NO_FILES;
  const segments = (files?.segments ?? []).map((segment) => openSegment({ ...segment, named }, repo.id, asked));
  const index = new RepositoryIndex(segments, graph.importers, () => false, null, files?.table);
  const code = new FetchedCode(repo.id, graph);
  const textOf = (file: number) => {
    const { segment, slot } = index.placeOf(file);
    return segments[segment]?.textOf(slot) ?? null;
  };
  const have = new Set<string>();
  const wantedTerms = () => [...asked].filter((term) => !have.has(term));
  const terms = makeTermList(transaction, repo.id);
  const isWanting = () => code.isWanting || wantedTerms().length > 0 || segments.some(({ isWanting: own }) => own());
  const atFile = <T>(path: string, read: (file: number) => T, none: T): T => {
    const file = index.fileAt(path);
    return file === undefined ? none : read(file);
  };
  let answer = makeAnswerer(index, textOf);
  return {
    repository: {
      index,
      answer: (query, options) => answer(query, options),
      chosenFor: null,
      store: null,
      coverage: {
        ...{ files: index.fileCount, wantsIndex: true, isIndexed: true, damage: null },
        ...{ updated: 0, removed: 0, unread: 0, isChecked: true },
      },
      callsKnown: () => "all",
      // Called when a name is not found, which is uncertain while data is missing.
      termsFrom: (start, most) => (isWanting() ? [] : terms.from(start, most)),
      quotableLines: (path) =>
        atFile(path, (file) => (index.hasText(file) ? (textOf(file) ?? "").split("\n") : "withheld"), null),
      changed: [],
      isStale: () => false,
      symbolsOf: (path) => atFile(path, (file) => code.symbolsOf(file), []),
      edgesOf: (path) => atFile(path, (file) => code.edgesOf(file), null),
    },
    isWanting: () => isWanting() || terms.isWanting(),
    fetchMissing: async () => {
      const more = wantedTerms();
      await fetchPostings(transaction, segments, more);
      for (const term of more) have.add(term);
      await fetchMissing(transaction, segments);
      await code.fetchMissing(transaction);
      await terms.fetchMissing();
      index.forget(more);
      answer = makeAnswerer(index, textOf);
    },
    isCut: () => code.isCut,
  };
}

/**
 * List of a repository's terms by prefix. A prefix that is not loaded returns nothing and is noted for `fetchMissing`.
 */
function makeTermList({ rows }: Transaction, repo: number) {
  const known = new Map<string, readonly string[]>();
  const wanted = new Map<string, number>();
  return {
    from: (start: string, most: number): readonly string[] => {
      const found = known.get(start);
      if (found === undefined) wanted.set(start, most);
      return found ?? [];
    },
    isWanting: () => wanted.size > 0,
    fetchMissing: async () => {
      for (const [start, most] of wanted) {
        const found = await rows(
          `SELECT DISTINCT term FROM groundwork.postings WHERE repo = $1 AND term >= $2 AND term < $3 ORDER BY term LIMIT $4`,
          ...[repo, start, `${start}\u{10ffff}`, most],
        );
        known.set(
          start,
          found.map(({ term }) => String(term)),
        );
      }
      wanted.clear();
    },
  };
}
