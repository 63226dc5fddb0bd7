import { roundTo } from "../base/round-to.ts";
import type { Finding } from "../contract/tool.ts";
import { readTraits, TRAIT } from "../engine/search/traits.ts";

/** Where evidence comes from. Each source counts once per file, however often it names the file. */
type EvidenceSource =
  | "located"
  | "shortlist"
  | "title"
  | "sentence"
  | "callees"
  | "namesakes"
  | "around"
  | "names"
  | "history"
  | "asked";

/** A file that may be the one looked for. */
export interface Suspect {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  /** Empty if no definition stands out. */
  readonly symbol: string;
  /** From 0 to 1, relative to the best suspect. */
  readonly score: number;
  /** Reasons for it, one entry per step that supports it. */
  readonly evidence: readonly string[];
}

/** The fields of a step's finding that are used here. */
export type Clue = Pick<Finding, "path" | "line" | "symbol" | "confidence" | "reason" | "span">;

/**
 * Maximum weight of each source. Those above the line are fitted on public issues (bench/investigate.mjs); those below
 * only break ties.
 */
const WEIGHTS: Readonly<Record<EvidenceSource, number>> = {
  located: 1.25,
  shortlist: 1,
  title: 0.35,
  sentence: 0.45,
  callees: 0.5,
  namesakes: 0.5,
  // ——
  around: 0.1,
  names: 0.1,
  history: 0.1,
  asked: 1,
};

/**
 * Weights for a question that is not a report: a search of its own answers it best, and the other sources only
 * complement it.
 */
const PLAIN_WEIGHTS: typeof WEIGHTS = {
  ...WEIGHTS,
  located: 0.2,
  shortlist: 0,
  title: 0.45,
  sentence: 1.3,
  callees: 0.2,
  namesakes: 0.2,
};

/**
 * Bonus for the first files that the locator names, as [rank limit, strength]: files that other steps agree on seldom
 * belong above them.
 */
const SHORTLISTS: readonly (readonly [number, number])[] = [
  [5, 1.7],
  [10, 0.7],
];

/** Penalties by kind of path, for reports: faults occur in code that runs. */
const AGAINST: readonly (readonly [number, number])[] = [
  [TRAIT.prose, 3],
  [TRAIT.test, 3],
  [TRAIT.aside, 1.5],
  [TRAIT.declaration, 0.3],
];

/** How fast the weight of a rank declines. */
const FADING = 3;
/** How far a file that the locator does not name ranks behind the last one that it names. */
const NOT_LOCATED = 0.3;
/** Below this share of the best score, differences in the locator's score are ignored. */
const LEAST_SHARE = 1e-4;
const MOST_EVIDENCE = 6;

interface Place {
  readonly line: number;
  readonly endLine: number;
  readonly symbol: string;
}

/** Combines the evidence of several steps. Contract: depends only on what is added and in which order; never throws. */
export class CaseFile {
  readonly #isReport: boolean;
  readonly #strengths = new Map<EvidenceSource, Map<string, number>>();
  readonly #evidence = new Map<string, string[]>();
  readonly #places = new Map<string, Place>();
  readonly #functions = new Map<string, Clue>();

  /** `isReport` distinguishes the text of an issue or an error from a plain question. */
  constructor({ isReport }: { readonly isReport: boolean }) {
    this.#isReport = isReport;
  }

  /**
   * Adds files with comparable confidences: each counts by its distance from the best. The distance is the square root
   * of the log ratio, because far down the list it says less than the findings of another step.
   */
  addLocated(clues: readonly Clue[]): void {
    const best = Math.max(0, ...clues.map(({ confidence }) => confidence));
    const paths = [...new Set(clues.map(({ path }) => path))];
    for (const clue of clues) {
      const share = best > 0 ? clue.confidence / best : 1;
      this.#add("located", clue, -Math.sqrt(-Math.log(Math.max(share, LEAST_SHARE))), clue.reason);
      const [, short = 0] = SHORTLISTS.find(([most]) => paths.indexOf(clue.path) < most) ?? [];
      if (short > 0) this.#add("shortlist", clue, short, "");
    }
  }

  /** Adds a list of which only the order counts. */
  addRanked(source: EvidenceSource, clues: readonly Clue[], why: string): void {
    const paths = [...new Set(clues.map(({ path }) => path))];
    for (const clue of clues) this.#add(source, clue, fade(paths.indexOf(clue.path)), why);
  }

  /** Adds a share for each of these files; shares from several steps add up, to at most 1. */
  addShares(
    source: EvidenceSource,
    clues: readonly Clue[],
    shareOf: (clue: Clue, rank: number) => number,
    why: (clue: Clue) => string,
  ): void {
    const seen = new Set<string>();
    for (const clue of clues) {
      if (seen.has(clue.path)) continue;
      const before = this.#strengths.get(source)?.get(clue.path) ?? 0;
      this.#add(source, clue, Math.min(1, before + shareOf(clue, seen.size)), why(clue));
      seen.add(clue.path);
    }
  }

  /** Adds functions whose confidences are comparable. */
  addFunctions(clues: readonly Clue[]): void {
    for (const clue of clues) {
      const key = `${clue.path}#${clue.symbol}`;
      if (clue.symbol !== "" && !this.#functions.has(key)) this.#functions.set(key, clue);
    }
  }

  /** All files, best first. */
  suspects(): Suspect[] {
    const scores = this.#scores();
    const best = Math.max(...scores.values());
    return [...scores]
      .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([path, score]) => ({
        path,
        ...(this.#places.get(path) ?? { line: 1, endLine: 1, symbol: "" }),
        score: roundTo(Math.exp(score - best), 3),
        evidence: (this.#evidence.get(path) ?? []).slice(0, MOST_EVIDENCE),
      }));
  }

  /** Functions, best first; the rank of their file affects their own. */
  functions(most: number) {
    const scores = this.#scores();
    const located = this.#strengths.get("located");
    const moved = [...this.#functions.values()].map((clue) => {
      const gain = (scores.get(clue.path) ?? 0) - (located?.get(clue.path) ?? 0) * this.#weightOf("located");
      return { clue, score: Math.log(Math.max(clue.confidence, Number.MIN_VALUE)) + gain };
    });
    const best = Math.max(...moved.map(({ score }) => score));
    return moved
      .toSorted((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ clue, score }) => {
        const { line, endLine, symbol } = toPlace(clue);
        const told = { file: clue.path, line, end_line: endLine, symbol, score: roundTo(Math.exp(score - best), 3) };
        return { ...told, reason: clue.reason };
      });
  }

  #scores(): Map<string, number> {
    const located = this.#strengths.get("located") ?? new Map<string, number>();
    const least = located.size === 0 ? 0 : Math.min(...located.values()) - NOT_LOCATED;
    const scores = new Map<string, number>();
    for (const path of this.#evidence.keys()) {
      const traits = this.#isReport ? readTraits(path, "") : 0;
      let score = (located.get(path) ?? least) * this.#weightOf("located");
      for (const [source, strengths] of this.#strengths) {
        if (source !== "located") score += (strengths.get(path) ?? 0) * this.#weightOf(source);
      }
      for (const [trait, weight] of AGAINST) if ((traits & trait) !== 0) score -= weight;
      scores.set(path, score);
    }
    return scores;
  }

  #weightOf(source: EvidenceSource): number {
    return (this.#isReport ? WEIGHTS : PLAIN_WEIGHTS)[source];
  }

  #add(source: EvidenceSource, clue: Clue, strength: number, why: string): void {
    const { path } = clue;
    if (path === "") return;
    const strengths = this.#strengths.get(source) ?? new Map<string, number>();
    this.#strengths.set(source, strengths);
    const before = strengths.get(path);
    if (before === undefined || strength > before) strengths.set(path, strength);
    const said = this.#evidence.get(path) ?? [];
    if (why !== "" && !said.includes(why)) said.push(why);
    this.#evidence.set(path, said);
    if (clue.symbol !== "" && !this.#places.has(path)) this.#places.set(path, toPlace(clue));
  }
}

/** Weight of a rank: 1 for the first, then decreasing. */
export function fade(rank: number): number {
  return FADING / (FADING + rank);
}

function toPlace({ line, span, symbol }: Clue): Place {
  return { line: line ?? 1, endLine: span?.end ?? line ?? 1, symbol };
}
