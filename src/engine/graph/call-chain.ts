import { pushTo } from "../../base/maps.ts";
import { byPlace, type CodeGraph, keyOf, type Link, type Node } from "./code-graph.ts";

/** Direction in which calls are followed. */
type Direction = "callers" | "callees" | "both";

/** A function of the chain. */
export interface ChainNode {
  readonly node: Node;
  /** Number of calls between it and the start. */
  readonly depth: number;
  /** Confidence of the best path to it: the product of the confidences of its calls. */
  readonly confidence: number;
  /** Its callers and callees that are also in the chain. */
  readonly callers: readonly Node[];
  readonly callees: readonly Node[];
  /** Whether it calls itself, directly or through other functions of the chain. */
  readonly isCycle: boolean;
}

/** The callers and callees of a function. */
interface CallChain {
  /** By depth, then by place; the start is first. */
  readonly nodes: readonly ChainNode[];
  readonly hasCycle: boolean;
  /** Whether results were left out because of a limit. */
  readonly isCut: boolean;
}

/** Limits of a chain. */
interface ChainOptions {
  readonly direction: Direction;
  readonly depth: number;
  readonly maxNodes: number;
  /** Calls with less confidence are not followed. */
  readonly leastConfidence: number;
}

interface Reached {
  readonly node: Node;
  readonly depth: number;
  readonly confidence: number;
}

/**
 * Follows calls from a function. Contract: callers and callees are followed separately, so that "both" never reverses
 * direction on a path.
 */
export function followCalls(graph: CodeGraph, start: Node, options: ChainOptions): CallChain {
  const reached = new Map<string, Reached>([[keyOf(start), { node: start, depth: 0, confidence: 1 }]]);
  let isCut = false;
  for (const way of options.direction === "both" ? (["callers", "callees"] as const) : [options.direction]) {
    // There can be very many callers: they must not crowd out the callees.
    const isShared = options.direction === "both" && way === "callers";
    const maxNodes = isShared ? Math.ceil((options.maxNodes + 1) / 2) : options.maxNodes;
    isCut = spread(graph, start, way, { options: { ...options, maxNodes }, reached }) || isCut;
  }
  const nodes = [...reached.values()].sort((one, other) => one.depth - other.depth || byPlace(one.node, other.node));
  const callees = new Map(nodes.map(({ node }) => [keyOf(node), calleesIn(graph, node, reached, options)]));
  const cyclic = findCycles(callees);
  const callers = reverse(callees, reached);
  return {
    nodes: nodes.map(({ node, depth, confidence }) => ({
      node,
      depth,
      confidence,
      callers: callers.get(keyOf(node)) ?? [],
      callees: callees.get(keyOf(node)) ?? [],
      isCycle: cyclic.has(keyOf(node)),
    })),
    hasCycle: cyclic.size > 0,
    isCut,
  };
}

/** The calls of a node: each other end once, with its most confident call. */
function callsOf(links: readonly Link[], { leastConfidence }: ChainOptions): Link[] {
  const best = new Map<string, Link>();
  for (const link of links) {
    if (link.kind !== "call" || link.confidence < leastConfidence) continue;
    const old = best.get(keyOf(link.node));
    if (!old || old.confidence < link.confidence) best.set(keyOf(link.node), link);
  }
  return [...best.values()];
}

/** Breadth-first search. Returns whether something was left out. */
function spread(
  graph: CodeGraph,
  start: Node,
  way: "callers" | "callees",
  { options, reached }: { options: ChainOptions; reached: Map<string, Reached> },
): boolean {
  const callsAt = (node: Node) => callsOf(way === "callers" ? graph.linksTo(node) : graph.linksFrom(node), options);
  let level: Reached[] = [{ node: start, depth: 0, confidence: 1 }];
  const seen = new Set([keyOf(start)]);
  for (let depth = 1; depth <= options.depth && level.length > 0; depth++) {
    const next = new Map<string, Reached>();
    for (const { node, confidence } of level) {
      if (graph.isLate()) return true;
      for (const link of callsAt(node)) {
        const key = keyOf(link.node);
        const sure = confidence * link.confidence;
        if (seen.has(key) || (next.get(key)?.confidence ?? 0) >= sure) continue;
        next.set(key, { node: link.node, depth, confidence: sure });
      }
    }
    level = [...next.values()].sort((one, other) => other.confidence - one.confidence || byPlace(one.node, other.node));
    for (const one of level) {
      if (reached.size >= options.maxNodes) return true;
      seen.add(keyOf(one.node));
      if (!reached.has(keyOf(one.node))) reached.set(keyOf(one.node), one);
    }
  }
  return level.some(({ node }) => callsAt(node).some((link) => !seen.has(keyOf(link.node))));
}

function calleesIn(graph: CodeGraph, node: Node, reached: ReadonlyMap<string, Reached>, options: ChainOptions): Node[] {
  return callsOf(graph.linksFrom(node), options)
    .map((link) => link.node)
    .filter((other) => reached.has(keyOf(other)))
    .sort(byPlace);
}

function reverse(
  callees: ReadonlyMap<string, readonly Node[]>,
  reached: ReadonlyMap<string, Reached>,
): Map<string, Node[]> {
  const callers = new Map<string, Node[]>();
  for (const [from, targets] of callees) {
    const caller = reached.get(from)?.node;
    if (!caller) continue;
    for (const target of targets) pushTo(callers, keyOf(target), caller);
  }
  for (const nodes of callers.values()) nodes.sort(byPlace);
  return callers;
}

/**
 * Nodes that reach themselves: members of a strongly connected component of several nodes, and direct recursion
 * (Tarjan).
 */
function findCycles(callees: ReadonlyMap<string, readonly Node[]>): Set<string> {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const cyclic = new Set<string>();
  const targetsOf = (key: string) => (callees.get(key) ?? []).map(keyOf);
  const enter = (key: string) => {
    order.set(key, order.size);
    low.set(key, order.size - 1);
    open.push(key);
    isOpen.add(key);
    return { key, targets: targetsOf(key), next: 0 };
  };
  for (const root of callees.keys()) {
    if (order.has(root)) continue;
    // An explicit stack, because chains can be deeper than the call stack allows.
    const stack = [enter(root)];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = top.targets[top.next++];
      if (target !== undefined) {
        if (target === top.key) cyclic.add(top.key);
        if (!order.has(target)) stack.push(enter(target));
        else if (isOpen.has(target)) low.set(top.key, Math.min(low.get(top.key) ?? 0, order.get(target) ?? 0));
        continue;
      }
      stack.pop();
      const above = stack.at(-1);
      if (above) low.set(above.key, Math.min(low.get(above.key) ?? 0, low.get(top.key) ?? 0));
      if (low.get(top.key) === order.get(top.key)) {
        const part = open.splice(open.indexOf(top.key));
        for (const key of part) isOpen.delete(key);
        if (part.length > 1) for (const key of part) cyclic.add(key);
      }
    }
  }
  return cyclic;
}
