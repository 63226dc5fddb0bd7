import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { countOf } from "../contract/count-of.ts";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import { defineTool, type ToolDeclaration, type ToolFinding } from "../contract/tool.ts";
import type { CodeEngine } from "../engine/engine.ts";
import { type ChainNode, followCalls } from "../engine/graph/call-chain.ts";
import { type CallPath, findPaths } from "../engine/graph/call-paths.ts";
import { keyOf, type Node } from "../engine/graph/code-graph.ts";
import type { StoredGraph } from "../engine/stored-graph.ts";
import { openCallGraph, resolveSymbol, sayOthers, tellNode } from "./call-graph.ts";
import { count, text, toFinding } from "./places.ts";

const NAME = "ci_call_chain";

const Input = once(() =>
  z.object({
    symbol: text(200, "Function or type: name, Type.name or path#name"),
    to: z.optional(text(200, "A second symbol: also report the calls between the two")),
    direction: z._default(
      z.enum(["callers", "callees", "both"]).check(z.describe("Who calls it, what it calls, or both")),
      "both",
    ),
    depth: count(10, 3, "Calls to follow"),
  }),
);

const Output = once(() =>
  z.object({
    target_symbol: z.string(),
    cycle_detected: z.boolean(),
    call_chain: z.array(
      z.object({
        symbol_id: z.string(),
        file_path: z.string(),
        line: z.number(),
        depth: z.number(),
        relation: z.string(),
        confidence: z.number(),
        callers: z.array(z.string()),
        callees: z.array(z.string()),
        is_cycle: z.boolean(),
      }),
    ),
    paths: z.optional(z.array(z.object({ symbols: z.array(z.string()), confidence: z.number() }))),
  }),
);

const MAX_NODES = 200;
/** Calls with less confidence would mislead rather than help. */
const LEAST_CONFIDENCE = 0.3;
const PATHS = { maxDepth: 12, maxPaths: 5, maxNodes: 5_000 };
const MOST_ENDS = 5;
/** Factor by which each call reduces a finding's confidence. */
const FADING = 0.8;

/** `ci_call_chain`: finds the callers and callees of a function. */
export function callChainTool(engine: CodeEngine): ToolDeclaration {
  return defineTool({
    name: NAME,
    summary: "Trace who calls a symbol and what it calls. Returns the chain with file, line and depth.",
    tier: 2,
    effect: "read",
    version: "1.0",
    timeoutMs: 2_000,
    input: Input,
    output: Output,
    ceilings: { depth: 3 },
    intents: ["debug", "refactor", "explore", "docs"],
    wishes: ["callers", "path"],
    plan: ({ symbols, asked, wish }) => {
      const [name, to] = [...new Set([...symbols, ...asked])];
      if (name === undefined) return null;
      const direction = wish === "callers" ? "callers" : "both";
      const end = wish === "path" && to !== undefined ? { to } : {};
      return { args: { symbol: name, ...end, direction, depth: 3 }, reason: `traces the calls of ${name}` };
    },
    run: async ({ symbol, to, direction, depth }, context) => {
      const opened = await openCallGraph(NAME, engine, context);
      if (!opened.ok) return opened;
      const { graph, limits } = opened.value;
      const start = resolveSymbol(NAME, opened.value, symbol);
      if (!start.ok) return start;
      const end = to === undefined ? null : resolveSymbol(NAME, opened.value, to);
      if (end !== null && !end.ok) return end;
      const [target, ...others] = start.value;
      const options = { direction, depth, maxNodes: MAX_NODES, leastConfidence: LEAST_CONFIDENCE };
      const { nodes, hasCycle, isCut } = followCalls(graph, target, options);
      const relationOf = relate(nodes, target);
      const chain = nodes.map((node) => tellChainNode(graph, node, relationOf(node.node)));
      const paths = end === null ? null : findWays(graph, target, end.value);
      const tally = (relation: Relation) => countOf(chain.filter((own) => own.relation === relation).length, relation);
      const told = tellNode(graph, target);
      const noWay = paths?.length === 0 ? [LIMITS.noSuchPath(NAME, symbol, to ?? "")] : [];
      return succeed({
        summary:
          `${tally("caller")} and ${tally("callee")} of ${told.symbol} (${told.file_path}:${told.line})` +
          sayOthers(graph, others),
        data: {
          schema_version: "1.0",
          target_symbol: told.symbol_id,
          direction,
          cycle_detected: hasCycle,
          call_chain: chain,
          ...(paths === null ? {} : { paths: paths.map((path) => tellPath(graph, path)) }),
          metadata: { max_depth: depth, truncated: isCut },
        },
        limits: [...limits, ...noWay, ...(nodes.length >= MAX_NODES ? [LIMITS.moreThanShown(NAME, MAX_NODES)] : [])],
      });
    },
    toFindings: ({ call_chain: chain, paths = [] }) => [
      // The guard may have removed the symbols of a path.
      ...paths.filter(({ symbols }) => symbols.length > 0).map(wayToFinding),
      ...chain.map(linkToFinding),
    ],
  });
}

type Relation = "target" | "caller" | "callee";

/** Classifies the nodes of a chain as callers or callees of the target; a node that is both counts as a caller. */
function relate(nodes: readonly ChainNode[], target: Node): (node: Node) => Relation {
  const byKey = new Map(nodes.map((own) => [keyOf(own.node), own]));
  const callers = new Set<string>();
  const open = [target];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const caller of byKey.get(keyOf(node))?.callers ?? []) {
      if (callers.has(keyOf(caller))) continue;
      callers.add(keyOf(caller));
      open.push(caller);
    }
  }
  return (node) => (keyOf(node) === keyOf(target) ? "target" : callers.has(keyOf(node)) ? "caller" : "callee");
}

function tellChainNode(
  graph: StoredGraph,
  { node, depth, confidence, callers, callees, isCycle }: ChainNode,
  relation: Relation,
) {
  const idOf = (other: Node) => tellNode(graph, other).symbol_id;
  const isCallee = new Set(callees.map(keyOf));
  const calls = graph.linksFrom(node).filter((link) => link.kind === "call" && isCallee.has(keyOf(link.node)));
  const lines = [...new Set(calls.map(({ line }) => line))].sort((a, b) => a - b);
  return {
    ...tellNode(graph, node),
    // Code outside all functions has no place of its own, so the line of the call is used.
    ...(node.symbol === null && lines[0] !== undefined ? { line: lines[0], end_line: lines[0] } : {}),
    depth,
    relation,
    confidence,
    callers: callers.map(idOf),
    callees: callees.map(idOf),
    call_lines: lines,
    is_cycle: isCycle,
  };
}

/** The call paths from one function to another, or in the opposite direction if there are none. */
function findWays(graph: StoredGraph, start: Node, ends: readonly Node[]): CallPath[] {
  const some = ends.slice(0, MOST_ENDS);
  for (const end of some) {
    const paths = findPaths(graph, start, end, PATHS);
    if (paths.length > 0) return paths;
  }
  return some.map((end) => findPaths(graph, end, start, PATHS)).find((paths) => paths.length > 0) ?? [];
}

function tellPath(graph: StoredGraph, { nodes, lines, confidence }: CallPath) {
  return { symbols: nodes.map((node) => tellNode(graph, node).symbol_id), lines, confidence };
}

/** Converts a call path between two functions to a finding, located at its first call. */
function wayToFinding({ symbols, lines, confidence }: ReturnType<typeof tellPath>): ToolFinding {
  const [first = ""] = symbols;
  return toFinding({
    path: first.split("#")[0] ?? "",
    line: lines[0],
    title: "calls between",
    summary: symbols.map((id) => id.split("#")[1] || id).join(" → "),
    score: confidence,
    reason: "a way from one to the other",
  });
}

const RELATIONS = { target: "the symbol itself", caller: "calls it", callee: "is called by it" };

/** Converts a link of the chain to a finding; callers get the line of their call if it is known. */
function linkToFinding(link: ReturnType<typeof tellChainNode>): ToolFinding {
  const { file_path, depth, relation, confidence, is_cycle, ...place } = link;
  const steps = depth > 1 ? ` over ${depth} calls` : "";
  const cycle = is_cycle ? ", in a cycle" : "";
  const reason = `${RELATIONS[relation]}${steps}${cycle}`;
  return toFinding({ ...place, path: file_path, score: confidence * FADING ** depth, reason });
}
