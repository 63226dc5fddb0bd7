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

/** Makes an engine. Contract: does nothing until asked; holds the files of the roots it was asked about. */
export function makeLiveEngine(): LiveEngine {
  const scans = new Map<string, Promise<Scan>>();
  const scanOnce = (root: string, budget: ScanBudget) => {
    const running = scans.get(root) ?? scanRepository(root, budget);
    scans.set(root, running);
    return running;
  };
  const search = async (root: string, question: Question, budget: ScanBudget): Promise<SearchAnswer> => {
    const scan = await scanOnce(root, budget);
    const { hits, complete } = await rankHits(scan, toTerms(question.query, question.mode), question.limit, () =>
      hasTime(budget),
    );
    return { scan, hits, partial: scan.partial || (complete ? "" : "out of time") };
  };
  return {
    project: readProjectFacts,
    search,
    relate: async (root, question, depth, budget) => {
      const found = await search(root, question, budget);
      return {
        ...found,
        relations: await findRelations(found.scan, found.hits.slice(0, 5), depth, question.limit, () =>
          hasTime(budget),
        ),
      };
    },
  };
}
