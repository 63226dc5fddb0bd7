import { weighFreshness } from "../history/freshness.ts";
import { type Commit, type HistorySettings, readHistory } from "../history/read-history.ts";
import { type ProjectFacts, readProjectFacts } from "./project.ts";
import { type Hit, rankHits } from "./rank.ts";
import { findRelations, type Relation } from "./relations.ts";
import { type Scan, type ScanBudget, scanRepository } from "./scan.ts";
import { type TermMode, toTerms } from "./terms.ts";

/** A question to the engine. */
interface Question {
  readonly query: string;
  readonly mode: TermMode;
  readonly limit: number;
}

/** Hits and what limits them. */
interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly scan: Scan;
  /** Why not everything was looked at; empty where it was. */
  readonly partial: string;
}

/** Answers questions from a pass over the files, with no index. One pass serves all questions of a run. */
export interface LiveEngine {
  readonly project: (root: string) => ProjectFacts;
  /** The last commits, newest first; none where there is no history or no time for it. */
  readonly recentCommits: (root: string, budget: ScanBudget) => Promise<readonly Commit[]>;
  readonly search: (root: string, question: Question, budget: ScanBudget) => Promise<SearchAnswer>;
  readonly relate: (
    root: string,
    question: Question,
    depth: number,
    budget: ScanBudget,
  ) => Promise<SearchAnswer & { readonly relations: readonly Relation[] }>;
}

/** Time that is kept back for reading the best files and answering. */
const RESERVE_MS = 300;

const hasTime = (budget: ScanBudget) => !budget.signal.aborted && budget.timeLeftMs() > RESERVE_MS;

/** Most milliseconds that reading history may take: it only weighs, so that it is not worth waiting for. */
const HISTORY_MS = 300;
/** Commits that are looked at. */
const HISTORY_COMMITS = 200;

/** What an engine needs to know of the world in order to look into the past. */
export interface PastSettings extends HistorySettings {
  readonly nowMs: () => number;
}

/**
 * Makes an engine. Contract: does nothing until asked; holds the files of the roots it was asked about; without `past`
 * it looks at files alone and starts no program.
 */
export function makeLiveEngine(past: PastSettings | null = null): LiveEngine {
  const scanOnce = oncePerRoot(scanRepository);
  const historyOnce = oncePerRoot(async (root, { timeLeftMs }) => {
    const ms = Math.floor(Math.min(HISTORY_MS, timeLeftMs() / 2));
    if (past === null || ms <= 0) return null;
    // Its own clock, because whoever asks first may be done before the others.
    const signal = AbortSignal.timeout(ms);
    // On a busy machine even the end of a killed process is long in coming.
    const late = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
    return Promise.race([readHistory(root, past, { commits: HISTORY_COMMITS, signal }), late]);
  });
  const search = async (root: string, question: Question, budget: ScanBudget): Promise<SearchAnswer> => {
    const [scan, history] = await Promise.all([scanOnce(root, budget), historyOnce(root, budget)]);
    const { hits, complete } = await rankHits(
      scan,
      toTerms(question.query, question.mode),
      question.limit,
      () => hasTime(budget),
      async (files) => (past === null || history === null ? new Map() : weighFreshness(history, files, past.nowMs())),
    );
    return { scan, hits, partial: scan.partial || (complete ? "" : "out of time") };
  };
  return {
    project: readProjectFacts,
    recentCommits: async (root, budget) => (await historyOnce(root, budget))?.commits ?? [],
    search,
    relate: async (root, question, depth, budget) => {
      const found = await search(root, question, budget);
      let isCut = false;
      const relations = await findRelations(found.scan, found.hits.slice(0, 5), depth, question.limit, () => {
        isCut ||= !hasTime(budget);
        return !isCut;
      });
      return { ...found, relations, partial: found.partial || (isCut ? "out of time" : "") };
    },
  };
}

/** Does the work for the first who asks about a root and lets all others share it. */
function oncePerRoot<T>(work: (root: string, budget: ScanBudget) => Promise<T>) {
  const begun = new Map<string, Promise<T>>();
  return (root: string, budget: ScanBudget): Promise<T> => {
    const running = begun.get(root) ?? work(root, budget);
    begun.set(root, running);
    return running;
  };
}
