import { keyOf, type Node, nodeAt } from "./graph/code-graph.ts";
import type { Commit } from "./history/read-history.ts";
import type { Repository } from "./repository.ts";
import { type Hit, locateIssue } from "./search/answer.ts";
import { placePath } from "./search/issue-signals.ts";
import { type IssueText, readIssue } from "./search/issue-text.ts";
import { CALLS, TOGETHER } from "./search/weights.ts";
import type { StoredGraph } from "./stored-graph.ts";

/** Where an error may originate: files, and functions in them, each best first. */
interface BugLocation {
  readonly files: readonly Hit[];
  readonly functions: readonly Hit[];
}

/** A repository and what is known about it besides its texts. */
interface BugSources {
  readonly repository: Repository;
  /** Null if calls are not known. */
  readonly graph: StoredGraph | null;
  /** Commits that changed a file; empty if there is no history. */
  readonly commitsOf: (path: string) => readonly Commit[];
  /** Moves recently changed files up. */
  readonly weighRecency: (hits: readonly Hit[]) => Promise<readonly Hit[]>;
}

/**
 * Maximum number of functions from which calls are followed. A function with more links than `MANY_LINKS` is too widely
 * used to be informative.
 */
const MOST_SEEDS = 12;
const MANY_LINKS = 20;
/** With more definitions of a name, or more files matching a path, the reference is too ambiguous. */
const MOST_MEANT = 3;
const LEAST_CONFIDENCE = 0.4;
/** Minimum number of shared commits that counts as evidence, and the number at which the bonus is at its maximum. */
const LEAST_TOGETHER = 2;
const MOST_TOGETHER = 6;
/** Commits with more files than this say nothing about how the files are related. */
const MOST_IN_COMMIT = 30;

/**
 * Ranks where an error may originate: by words and stack trace, then by calls to and from what the text names, by
 * recent changes, and by files that change together. Contract: best first, at most `limit` of each, each place once;
 * works without calls and without history; the parts of a reason are separated by `; `.
 */
export async function locateBug(sources: BugSources, text: string, limit: number): Promise<BugLocation> {
  const { index } = sources.repository;
  const { files, functions, confidence } = locateIssue(index, text, limit);
  const issue = readIssue(text);
  const { graph } = sources;
  const called = graph === null ? functions : followSeeds(graph, findSeeds(sources, graph, issue), functions);
  const together = countTogether(sources, issue);
  const finish = async (hits: readonly Hit[]) => {
    const weighed = await sources.weighRecency(hits.map((hit) => raiseTogether(hit, together)));
    return toRanked(weighed, confidence).slice(0, limit);
  };
  return { files: await finish(files), functions: await finish(called) };
}

/** Sorts hits by score and derives the confidence of each from its distance to the best. */
function toRanked(hits: readonly Hit[], confidence: number): Hit[] {
  const ranked = hits.toSorted((a, b) => b.score - a.score || (placeOf(a) < placeOf(b) ? -1 : 1));
  const best = ranked[0]?.score ?? 0;
  return ranked.map((hit) => ({ ...hit, confidence: confidence * Math.exp(hit.score - best) }));
}

type Place = Pick<Hit, "file" | "line" | "endLine">;

function placeOf({ file, line }: Pick<Place, "file" | "line">): string {
  return `${file}:${line}`;
}

/** Functions that the text refers to: stack frames first, then names. */
function findSeeds({ repository: { index } }: BugSources, graph: StoredGraph, issue: IssueText): Node[] {
  const seeds = new Map<string, Node>();
  const add = (node: Node) => {
    if (node.symbol !== null && seeds.size < MOST_SEEDS) seeds.set(keyOf(node), node);
  };
  for (const { path, line } of issue.frames) {
    const { files } = placePath(index, path);
    if (files.length <= MOST_MEANT) for (const file of files) add(nodeAt(graph, file, line));
  }
  const names = [...issue.names.keys()];
  const isInTitle = (name: string) => issue.titleNames.has(name);
  for (const name of [...names.filter(isInTitle), ...names.filter((name) => !isInTitle(name))]) {
    if (seeds.size >= MOST_SEEDS) break;
    const meant = index.definitionsNamed(name).filter(({ definition }) => definition.name === name);
    if (meant.length > MOST_MEANT) continue;
    for (const { file, definition } of meant) {
      const at = graph.symbols(file).findIndex((own) => own.name === name && own.startLine === definition.line);
      if (at >= 0) add({ file, symbol: at });
    }
  }
  return [...seeds.values()];
}

/** Raises functions one call away from a seed, and adds those that are not yet among the hits. */
function followSeeds(graph: StoredGraph, seeds: readonly Node[], functions: readonly Hit[]): Hit[] {
  const places = new Map(functions.map((hit) => [placeOf(hit), hit]));
  const seen = new Set(seeds.map(keyOf));
  for (const seed of seeds) {
    if (graph.isLate()) break;
    const links = [...graph.linksFrom(seed), ...graph.linksTo(seed)].filter(
      ({ node, kind, confidence }) => node.symbol !== null && kind === "call" && confidence >= LEAST_CONFIDENCE,
    );
    if (links.length > MANY_LINKS) continue;
    const from = places.get(placeOf(toPlace(graph, seed)));
    for (const { node, confidence } of links) {
      if (seen.has(keyOf(node))) continue;
      seen.add(keyOf(node));
      const place = toPlace(graph, node);
      const known = places.get(placeOf(place));
      const reason = `one call from ${graph.nameOf(seed)}`;
      const gain = CALLS.gain * confidence;
      if (known !== undefined) {
        places.set(placeOf(place), { ...known, score: known.score + gain, reason: `${known.reason}; ${reason}` });
      } else if (from !== undefined) {
        const score = from.score - CALLS.alone + gain;
        places.set(placeOf(place), { ...place, definition: graph.nameOf(node), score, reason, confidence: 0 });
      }
    }
  }
  return [...places.values()];
}

function toPlace(graph: StoredGraph, { file, symbol }: Node): Place {
  const own = symbol === null ? undefined : graph.symbols(file)[symbol];
  return { file: graph.path(file), line: own?.startLine ?? 1, endLine: own?.endLine ?? 1 };
}

/** The file named in the text that was changed together most often with another file. */
interface Companion {
  readonly path: string;
  readonly times: number;
}

/** How often files were changed together with a file that the text names. */
function countTogether({ commitsOf, repository: { index } }: BugSources, issue: IssueText): Map<string, Companion> {
  const paths = [...issue.files, ...issue.frames.map(({ path }) => path)];
  const named = new Set(paths.flatMap((path) => placePath(index, path).files.map((file) => index.pathOf(file))));
  const best = new Map<string, Companion>();
  for (const anchor of named) {
    const counts = new Map<string, number>();
    for (const { files } of commitsOf(anchor)) {
      if (files.length > MOST_IN_COMMIT) continue;
      for (const path of files) counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    for (const [path, times] of counts) {
      if (!named.has(path) && times > (best.get(path)?.times ?? 0)) best.set(path, { path: anchor, times });
    }
  }
  return best;
}

function raiseTogether(hit: Hit, together: ReadonlyMap<string, Companion>): Hit {
  const { path, times } = together.get(hit.file) ?? { path: "", times: 0 };
  if (times < LEAST_TOGETHER) return hit;
  const score = hit.score + TOGETHER * Math.min(1, times / MOST_TOGETHER);
  return { ...hit, score, reason: `${hit.reason}; changed ${times} times together with ${path}` };
}
