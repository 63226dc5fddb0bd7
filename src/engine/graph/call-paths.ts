import { byPlace, type CodeGraph, keyOf, type Node } from "./code-graph.ts";

/** One call path from a function to another. */
export interface CallPath {
  /** From the start to the end, both included. */
  readonly nodes: readonly Node[];
  /** Line of each call, one fewer than nodes. */
  readonly lines: readonly number[];
  /** Product of the calls' confidences. */
  readonly confidence: number;
}

/** Limits of a search for paths. */
interface PathOptions {
  readonly maxDepth: number;
  readonly maxPaths: number;
  /** Maximum number of functions visited. */
  readonly maxNodes: number;
}

interface Hop {
  readonly from: Node;
  readonly line: number;
  readonly confidence: number;
}

/**
 * The shortest call paths from one function to another. Contract: highest confidence first; empty if there are none.
 */
export function findPaths(graph: CodeGraph, start: Node, end: Node, options: PathOptions): CallPath[] {
  const steps = new Map<string, Hop[]>();
  const seen = new Set([keyOf(start)]);
  let level: Node[] = [start];
  for (let depth = 1; depth <= options.maxDepth && level.length > 0 && !seen.has(keyOf(end)); depth++) {
    const next = new Map<string, Node>();
    for (const node of level) {
      if (graph.isLate() || seen.size + next.size > options.maxNodes) break;
      for (const { node: to, kind, line, confidence } of graph.linksFrom(node)) {
        if (kind !== "call" || seen.has(keyOf(to))) continue;
        next.set(keyOf(to), to);
        const before = steps.get(keyOf(to)) ?? [];
        const isNew = before.every(({ from }) => keyOf(from) !== keyOf(node));
        if (isNew) steps.set(keyOf(to), [...before, { from: node, line, confidence }]);
      }
    }
    for (const key of next.keys()) seen.add(key);
    level = [...next.values()].sort(byPlace);
  }
  if (keyOf(start) === keyOf(end) || !steps.has(keyOf(end))) return [];
  return backTrack(start, end, steps, options.maxPaths).sort((one, other) => other.confidence - one.confidence);
}

function backTrack(start: Node, end: Node, steps: ReadonlyMap<string, readonly Hop[]>, maxPaths: number): CallPath[] {
  const found: CallPath[] = [];
  const open: CallPath[] = [{ nodes: [end], lines: [], confidence: 1 }];
  for (let path = open.pop(); path && found.length < maxPaths; path = open.pop()) {
    const [first] = path.nodes;
    if (!first) continue;
    if (keyOf(first) === keyOf(start)) {
      found.push(path);
      continue;
    }
    // The most confident step is pushed last, because the stack pops it first.
    for (const { from, line, confidence } of (steps.get(keyOf(first)) ?? []).toSorted(
      (one, other) => one.confidence - other.confidence,
    )) {
      open.push({
        nodes: [from, ...path.nodes],
        lines: [line, ...path.lines],
        confidence: path.confidence * confidence,
      });
    }
  }
  return found;
}
