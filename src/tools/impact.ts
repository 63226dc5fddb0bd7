import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { roundTo } from "../base/round-to.ts";
import { countOf } from "../contract/count-of.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import { defineTool, type ToolContext, type ToolDeclaration } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";
import { findChangedSymbols } from "../engine/changed-symbols.ts";
import type { CodeEngine } from "../engine/engine.ts";
import { keyOf, type Node } from "../engine/graph/code-graph.ts";
import { type Affected, findImpact, nodesOf, type TestToRun } from "../engine/graph/impact.ts";
import { splitPath, TRAIT } from "../engine/search/traits.ts";
import type { StoredGraph } from "../engine/stored-graph.ts";
import { type CallGraph, openCallGraph, resolveSymbol, sayOthers, tellNode } from "./call-graph.ts";
import { drawImpact, listImpact, type ToldImpact } from "./impact-text.ts";
import { count, text, toFinding } from "./places.ts";

const NAME = "ci_impact";

const Input = once(() =>
  z.object({
    symbol: z.optional(text(200, "What changes: name, Type.name or path#name")),
    file: z.optional(text(1_000, "File that changes; if neither is given, the uncommitted changes")),
    depth: count(5, 3, "Steps to follow"),
    decay: z.optional(
      z.number().check(z.gte(0.1), z.lte(1), z.describe("Share of the confidence that each step keeps (default: 0.8)")),
    ),
    threshold: z.optional(
      z.number().check(z.gte(0), z.lte(1), z.describe("Minimum confidence to report (default: 0.1)")),
    ),
    format: z._default(z.enum(["json", "md", "mermaid"]), "json"),
  }),
);

const Output = once(() =>
  z.object({
    target: z.string(),
    affected: z.array(
      z.object({
        symbol_id: z.string(),
        file_path: z.string(),
        line: z.number(),
        depth: z.number(),
        confidence: z.number(),
        reason: z.string(),
        via: z.string(),
      }),
    ),
    tests: z.array(z.object({ file: z.string(), confidence: z.number(), reason: z.string() })),
    text: z.optional(z.string()),
  }),
);

const MAX_NODES = 400;
const MAX_SHOWN = 100;
const MAX_TESTS = 50;
const MOST_NEAREST = 3;

/** `ci_impact`: finds what a change would affect. */
export function impactTool(engine: CodeEngine): ToolDeclaration {
  return defineTool({
    name: NAME,
    summary: "Report what a change of a symbol or file affects, with decreasing confidence, and which tests to run.",
    tier: 2,
    effect: "read",
    version: "1.0",
    timeoutMs: 3_000,
    input: Input,
    output: Output,
    ceilings: { depth: 3 },
    intents: ["refactor", "feature", "explore", "test"],
    wishes: ["impact"],
    plan: ({ symbols, paths, asked, wish }) => {
      const symbol = symbols[0] ?? asked[0];
      const file = paths[0];
      const target = symbol !== undefined ? { symbol } : file === undefined ? {} : { file };
      const what = symbol ?? file ?? (wish === "impact" ? "what is not committed" : null);
      if (what === null) return null;
      return { args: { ...target, depth: 3, format: "json" }, reason: `shows what a change of ${what} touches` };
    },
    run: async ({ symbol, file, depth, decay = 0.8, threshold = 0.1, format }, context) => {
      const opened = await openCallGraph(NAME, engine, context);
      if (!opened.ok) return opened;
      const { graph, limits } = opened.value;
      const change = await findChange(engine, opened.value, context, { symbol, file });
      if (!change.ok) return change;
      const { nodes, target, others, isCut } = change.value;
      const impact = findImpact(graph, nodes, {
        depth,
        decay,
        threshold,
        maxNodes: nodes.length + MAX_NODES,
      });
      const affected = impact.affected.filter(({ via }) => via !== null);
      const told: ToldImpact = {
        target,
        changed: nodes.slice(0, MAX_SHOWN).map((node) => tellNode(graph, node)),
        affected: affected.slice(0, MAX_SHOWN).map((own) => tellAffected(graph, own)),
        tests: impact.tests.slice(0, MAX_TESTS).map((test) => tellTest(graph, test)),
      };
      return succeed({
        summary:
          `a change of ${target} may affect ${countOf(affected.length, "place")}; ${countOf(impact.tests.length, "test file")} to run` +
          sayOthers(graph, others),
        data: {
          schema_version: "1.0",
          ...told,
          ...(format === "json" ? {} : { format, text: format === "md" ? listImpact(told) : drawImpact(told) }),
          metadata: { max_depth: depth, decay, threshold },
        },
        limits: [
          ...limits,
          ...(isCut || impact.isCut ? [LIMITS.lookCut(NAME)] : []),
          ...(affected.length > MAX_SHOWN ? [LIMITS.moreThanShown(NAME, MAX_SHOWN)] : []),
        ],
      });
    },
    toFindings: ({ affected, tests }) => [
      ...affected.map(({ file_path, confidence, ...place }) =>
        toFinding({ ...place, path: file_path, score: confidence }),
      ),
      ...tests.map(({ file, confidence, reason }) =>
        toFinding({ path: file, title: "test", summary: "test to run", score: confidence, reason }),
      ),
    ],
  });
}

interface Change {
  readonly nodes: readonly Node[];
  readonly target: string;
  /** Other definitions that could have been meant. */
  readonly others: readonly Node[];
  readonly isCut: boolean;
}

async function findChange(
  engine: CodeEngine,
  opened: CallGraph,
  context: ToolContext,
  { symbol, file }: { readonly symbol: string | undefined; readonly file: string | undefined },
): Promise<Outcome<Change>> {
  if (symbol !== undefined) return findSymbolChange(opened, file === undefined ? symbol : `${file}#${symbol}`);
  return file === undefined
    ? findUncommitted(engine, opened, context)
    : findFileChange(engine, opened, context.root, file);
}

function findSymbolChange(opened: CallGraph, symbol: string): Outcome<Change> {
  const found = resolveSymbol(NAME, opened, symbol);
  if (!found.ok) return found;
  const [node, ...others] = found.value;
  return succeed({ nodes: [node], target: tellNode(opened.graph, node).symbol_id, others, isCut: false });
}

/** Finds a file by its path, or by the end of its path if that is unambiguous. */
function findFileChange(
  engine: CodeEngine,
  { repository: { index }, graph }: CallGraph,
  root: string,
  written: string,
): Outcome<Change> {
  const ending = written.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  const namesakes = index.filesNamed(splitPath(ending).stem);
  const named = namesakes.filter((file) => `/${index.pathOf(file)}`.endsWith(`/${ending}`));
  const exact = index.fileAt(ending) ?? (named.length === 1 ? named[0] : undefined);
  if (exact !== undefined)
    return succeed({ nodes: nodesOf(graph, exact), target: index.pathOf(exact), others: [], isCut: false });
  const inside = engine.resolvePath(root, written);
  if (!inside.ok && namesakes.length === 0) return inside;
  const nearest = (named.length > 0 ? named : namesakes).slice(0, MOST_NEAREST).map((file) => index.pathOf(file));
  return TOOL_FAULTS.unknownFile(NAME, written, nearest);
}

async function findUncommitted(engine: CodeEngine, opened: CallGraph, context: ToolContext): Promise<Outcome<Change>> {
  const { repository, graph } = opened;
  const { index } = repository;
  const code: string[] = [];
  for (let file = 0; file < index.fileCount; file++) {
    if (((index.traits[file] ?? 0) & TRAIT.prose) === 0) code.push(index.pathOf(file));
  }
  const tree = await engine.workTree(context.root, code, context);
  if (tree === null) return TOOL_FAULTS.noCommits(NAME);
  const nodes = tree.changes.flatMap(({ path, text, before }) => {
    const file = index.fileAt(path);
    return file === undefined ? [] : findChangedSymbols(graph, file, text, before);
  });
  if (nodes.length === 0) return TOOL_FAULTS.nothingChanged(NAME);
  const target = countOf(tree.changes.length, "uncommitted file");
  return succeed({ nodes, target, others: [], isCut: tree.isCut });
}

function tellAffected(graph: StoredGraph, { node, depth, confidence, reason, via }: Affected) {
  const of = via === null ? "" : graph.nameOf(via);
  const told = tellNode(graph, node);
  const isVia = (other: Node) => via !== null && keyOf(other) === keyOf(via);
  // Code outside all functions has no place of its own, so the line of the call is used.
  const call = node.symbol === null ? graph.linksFrom(node).find((link) => isVia(link.node)) : undefined;
  return {
    ...told,
    ...(call === undefined ? {} : { line: call.line, end_line: call.line }),
    depth,
    confidence: roundTo(confidence, 3),
    reason: `${reason} ${of}`.trim(),
    via: via === null ? "" : tellNode(graph, via).symbol_id,
  };
}

function tellTest(graph: StoredGraph, { file, confidence, reason }: TestToRun) {
  return { file: graph.path(file), confidence: roundTo(confidence, 3), reason };
}
