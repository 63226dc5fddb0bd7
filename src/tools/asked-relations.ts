import type { Wish } from "../contract/tool.ts";
import { findSymbols } from "../engine/find-symbol.ts";
import { findPaths } from "../engine/graph/call-paths.ts";
import { byPlace, keyOf, type Node } from "../engine/graph/code-graph.ts";
import { findImpact } from "../engine/graph/impact.ts";
import type { Repository } from "../engine/repository.ts";
import type { PieceVerdict } from "../engine/search/known.ts";
import type { StoredGraph } from "../engine/stored-graph.ts";
import { findUses } from "../engine/uses.ts";
import { placeOfNode } from "./call-graph.ts";
import type { Tied } from "./graph-rag.ts";

const MOST_MEANT = 5;
/** Score decrement per rank: the first places rank above the definition, all of them above mere resemblances. */
const STEP = 0.01;
const IMPACT = { depth: 2, decay: 0.8, threshold: 0.2, maxNodes: 60 };
const PATHS = { maxDepth: 8, maxPaths: 2, maxNodes: 2_000 };

interface Related {
  readonly node: Node;
  readonly line: number | null;
  readonly reason: string;
  readonly of: Node;
}

/**
 * Finds what the form of a question asks for: callers of something, its dependants, or the call path between two names.
 * Contract: at most `most` results, tests last; empty if the question asks for something else or no name is defined
 * here.
 */
export function findAsked(
  repository: Repository,
  graph: StoredGraph,
  wish: Wish | null,
  known: readonly PieceVerdict[],
  most: number,
): Tied[] {
  if (wish !== "callers" && wish !== "impact" && wish !== "path") return [];
  const meant = known.filter(({ definitions }) => definitions > 0);
  const [targets = [], ends = []] = meant.map(({ said }) =>
    findSymbols(repository, graph, said.text).slice(0, MOST_MEANT),
  );
  if (wish === "path") return findSteps(graph, targets, ends).map((own, rank) => toTied(graph, own, rank));
  const related = wish === "impact" ? findDependants(graph, targets) : findCallers(graph, targets);
  if (related.length === 0) return findMentions(repository, meant).slice(0, most);
  const isTest = ({ node }: Related) => graph.isTest(node.file);
  const inOrder = [...related.filter((own) => !isTest(own)), ...related.filter(isTest)];
  return inOrder.slice(0, most).map((own, rank) => toTied(graph, own, rank));
}

/** Callers and subtypes of the targets, highest confidence first. */
function findCallers(graph: StoredGraph, targets: readonly Node[]): Related[] {
  const seen = new Set<string>();
  return targets.flatMap((of) =>
    graph
      .linksTo(of)
      .toSorted((one, other) => other.confidence - one.confidence || byPlace(one.node, other.node))
      .flatMap(({ node, kind, line }) => {
        if (seen.has(keyOf(node))) return [];
        seen.add(keyOf(node));
        return [{ node, line, of, reason: kind === "call" ? "calls" : "extends" }];
      }),
  );
}

/** Direct and indirect dependants of the targets, and the tests that reach them. */
function findDependants(graph: StoredGraph, targets: readonly Node[]): Related[] {
  const { affected, tests } = findImpact(graph, targets.slice(0, 1), IMPACT);
  const [of] = targets;
  if (of === undefined) return [];
  const direct = affected.flatMap(({ node, reason, via, depth }) => {
    if (via === null || reason === "contains") return [];
    const line = graph.linksFrom(node).find((link) => keyOf(link.node) === keyOf(via))?.line ?? null;
    return [{ node, line, of: via, reason: depth > 1 ? `depends on it: ${reason}` : reason }];
  });
  const reached = new Set(direct.map(({ node }) => node.file));
  const others = tests.filter(({ file }) => !reached.has(file));
  return [
    ...direct,
    ...others.map(({ file, reason }) => ({
      node: { file, symbol: null },
      line: null,
      of,
      reason: `test to run, ${reason}:`,
    })),
  ];
}

/** The functions on the shortest call paths from one to the other, in call order. */
function findSteps(graph: StoredGraph, starts: readonly Node[], ends: readonly Node[]): Related[] {
  for (const start of starts) {
    for (const end of ends) {
      const [path] = [...findPaths(graph, start, end, PATHS), ...findPaths(graph, end, start, PATHS)];
      if (path === undefined) continue;
      return path.nodes.flatMap((node, at) => {
        const next = path.nodes[at + 1];
        return next === undefined
          ? []
          : [{ node, line: path.lines[at] ?? null, of: next, reason: `step ${at + 1}: calls` }];
      });
    }
  }
  return [];
}

/** Textual uses of a name: the fallback for code whose calls are not known. */
function findMentions({ index }: Repository, known: readonly PieceVerdict[]): Tied[] {
  return known.flatMap(({ said: { name } }) => {
    const [first] = name === null ? [] : index.definitionsNamed(name);
    if (name === null || first === undefined) return [];
    const { file: definedIn, definition } = first;
    return findUses(index, name, definedIn).map(({ file, line, inside }, rank) => ({
      file: index.pathOf(file),
      line,
      endLine: line,
      definition: inside?.qualified ?? null,
      score: 1 - STEP * rank,
      confidence: 1 - STEP * rank,
      reason: `uses ${definition.qualified}`,
      isQuote: true,
      distance: 1,
      tie: { relation: "uses", to: `${index.pathOf(definedIn)}:${definition.line}` },
    }));
  });
}

function toTied(graph: StoredGraph, { node, line, reason, of }: Related, rank: number): Tied {
  const own = node.symbol === null ? undefined : graph.symbols(node.file)[node.symbol];
  const start = line ?? own?.startLine ?? 1;
  const score = 1 - STEP * rank;
  return {
    file: graph.path(node.file),
    line: start,
    endLine: Math.max(start, Math.min(own?.endLine ?? start, start + 4)),
    definition: own === undefined ? null : graph.nameOf(node),
    score,
    confidence: score,
    reason: `${reason} ${graph.nameOf(of)}`,
    isQuote: line !== null,
    distance: 1,
    tie: { relation: reason, to: placeOfNode(graph, of) },
  };
}
