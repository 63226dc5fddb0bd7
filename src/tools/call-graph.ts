import { sliceWhole, toOneLine } from "../base/text.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { ToolContext } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";
import type { CodeEngine } from "../engine/engine.ts";
import { findSymbols, suggestSymbols } from "../engine/find-symbol.ts";
import type { Node } from "../engine/graph/code-graph.ts";
import type { Repository } from "../engine/repository.ts";
import type { StoredGraph } from "../engine/stored-graph.ts";
import { sayCoverage } from "./coverage.ts";

/** A repository whose calls can be followed. */
export interface CallGraph {
  readonly repository: Repository;
  readonly graph: StoredGraph;
  /** What an answer may have missed. */
  readonly limits: readonly Limit[];
  readonly isComplete: boolean;
}

/** Opens the call graph of a repository. Contract: a fault if no calls are known yet. */
export async function openCallGraph(
  tool: string,
  engine: CodeEngine,
  context: ToolContext,
): Promise<Outcome<CallGraph>> {
  const repository = await engine.open(context.root, context);
  const known = repository.callsKnown();
  if (known === "none") return TOOL_FAULTS.noCalls(tool, context.usesIndex, engine.indexDamage(context.root, context));
  const isComplete = known === "all";
  const { graph, unread } = await engine.graph(context.root, repository, context);
  const limits = [
    ...sayCoverage(repository.coverage),
    ...(isComplete ? [] : [LIMITS.callsPartial()]),
    ...(unread > 0 ? [LIMITS.callsStale(unread)] : []),
  ];
  return succeed({ repository, graph, limits, isComplete });
}

const MAX_NAME_CHARS = 80;

/**
 * The symbols that a written name can mean, most likely first. Contract: at least one, or a fault that names the
 * nearest.
 */
export function resolveSymbol(tool: string, opened: CallGraph, written: string): Outcome<readonly [Node, ...Node[]]> {
  const [first, ...others] = findSymbols(opened.repository, opened.graph, written);
  if (first !== undefined) return succeed([first, ...others]);
  const nearest = suggestSymbols(opened.repository, written);
  // A compound name in lower case does not show its parts, so only the suggestions can find it.
  const same = nearest.find((name) => name !== written && name.toLowerCase() === written.toLowerCase());
  if (same !== undefined) return resolveSymbol(tool, opened, same);
  const name = sliceWhole(toOneLine(written), MAX_NAME_CHARS);
  return TOOL_FAULTS.unknownSymbol(tool, name, nearest, opened.isComplete);
}

/** A symbol as these tools report it. */
export interface ToldSymbol {
  readonly symbol_id: string;
  readonly file_path: string;
  readonly line: number;
  readonly end_line: number;
  readonly symbol: string;
  /** Its declaration. */
  readonly summary: string;
}

/** Describes a node: `path#Type.name`, its location and its declaration. */
export function tellNode(graph: StoredGraph, node: Node): ToldSymbol {
  const path = graph.path(node.file);
  const own = node.symbol === null ? undefined : graph.symbols(node.file)[node.symbol];
  const name = own === undefined ? "" : graph.nameOf(node);
  return {
    symbol_id: `${path}#${name}`,
    file_path: path,
    line: own?.startLine ?? 1,
    end_line: own?.endLine ?? 1,
    symbol: name,
    summary: own?.signature ?? "",
  };
}

/** Place of a node as `path:line`; line 1 for code outside all symbols. */
export function placeOfNode(graph: StoredGraph, { file, symbol }: Node): string {
  return `${graph.path(file)}:${symbol === null ? 1 : (graph.symbols(file)[symbol]?.startLine ?? 1)}`;
}

const MOST_OTHERS = 3;

/** Lists the other definitions that a written symbol could mean; empty if there are none. */
export function sayOthers(graph: StoredGraph, others: readonly Node[]): string {
  if (others.length === 0) return "";
  const places = others.slice(0, MOST_OTHERS).map((node) => placeOfNode(graph, node));
  const more = others.length - places.length;
  return `; also defined at ${places.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
