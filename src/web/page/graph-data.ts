import { isRecord, textOf } from "../../base/text.ts";
import type { RunDocument } from "../../contract/run-document.ts";

/** A symbol or a file that a run names. */
export interface GraphNode {
  readonly id: string;
  readonly path: string;
  /** Empty for a whole file. */
  readonly symbol: string;
  readonly line: number | null;
  readonly summary: string;
  /** Asked about, part of the evidence, or only nearby. */
  readonly role: "target" | "finding" | "other";
}

/** An arrow: one node calls, imports or needs the other. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

/** The graph of a run. */
export interface RunGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Number of nodes left out. */
  readonly left: number;
}

/** Maximum number of nodes that remain legible in one picture. */
const MAX_NODES = 60;
/** Limits on the cost of hostile data. */
const MAX_DEPTH = 8;
const MAX_SEEN = 20_000;

type Draft = { -readonly [name in keyof GraphNode]: GraphNode[name] };

/**
 * Extracts the places that a run names and the calls between them from the data of its tools: an object with a
 * `symbol_id` is a symbol, its `callers`, `callees` and `via` are arrows; nodes and edges of a `subgraph` are files and
 * arrows between them. Contract: accepts any document; if there are too many places, the most relevant ones are kept.
 */
export function toGraph(document: RunDocument): RunGraph {
  const nodes = new Map<string, Draft>();
  const edges = new Map<string, GraphEdge>();
  let seen = 0;
  const add = (id: string, more: Partial<Draft> = {}) => {
    if (id === "") return;
    const known = nodes.get(id);
    if (known === undefined) nodes.set(id, { ...fromId(id), ...more });
    else Object.assign(known, more);
  };
  const connect = (from: string, to: string) => {
    if (from === "" || to === "" || from === to) return;
    edges.set(`${from}\0${to}`, { from, to });
  };
  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || ++seen > MAX_SEEN || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    else if (isRecord(value)) {
      readSymbol(value);
      readSubgraph(value);
      for (const item of Object.values(value)) visit(item, depth + 1);
    }
  };
  const readSymbol = (value: Record<string, unknown>) => {
    const id = textOf(value, "symbol_id");
    if (id === "") return;
    const line = value["line"];
    add(id, {
      ...(typeof line === "number" ? { line } : {}),
      summary: textOf(value, "summary"),
      ...(value["relation"] === "target" ? { role: "target" as const } : {}),
    });
    for (const caller of textsOf(value["callers"])) {
      add(caller);
      connect(caller, id);
    }
    for (const callee of textsOf(value["callees"])) {
      add(callee);
      connect(id, callee);
    }
    const via = textOf(value, "via");
    if (via === "") return;
    add(via);
    connect(id, via);
  };
  const files: GraphEdge[] = [];
  let firstFile = "";
  const readSubgraph = (value: Record<string, unknown>) => {
    const sub = value["subgraph"];
    if (!isRecord(sub) || !Array.isArray(sub["nodes"]) || !Array.isArray(sub["edges"])) return;
    const paths = new Map(sub["nodes"].filter(isRecord).map((node) => [textOf(node, "id"), textOf(node, "file_path")]));
    firstFile ||= paths.values().next().value ?? "";
    for (const edge of sub["edges"].filter(isRecord).slice(0, MAX_SEEN))
      files.push({ from: paths.get(textOf(edge, "from")) ?? "", to: paths.get(textOf(edge, "to")) ?? "" });
  };
  for (const { data } of document.tool_results) visit(data, 0);
  // Arrows between files are less specific than arrows between symbols, and would only repeat them.
  const drawnFiles = new Set<string>();
  if (edges.size === 0)
    for (const { from, to } of files) {
      for (const path of [from, to]) {
        add(path, path === firstFile ? { role: "target" } : {});
        drawnFiles.add(path);
      }
      connect(from, to);
    }
  for (const { path, symbol, line, summary } of document.fused_context.for_model.structured.findings ?? []) {
    if (path === "") continue;
    // If arrows point to whole files, the file node lists the symbols found in it.
    const isFile = drawnFiles.has(path);
    const id = symbol === "" || isFile ? path : `${path}#${symbol}`;
    const known = nodes.get(id);
    const names = isFile && known !== undefined && symbol !== "" ? joinNames(known.symbol, symbol) : undefined;
    add(id, {
      role: known?.role === "target" ? "target" : "finding",
      line: (isFile ? known?.line : null) ?? line ?? known?.line ?? null,
      ...(known?.summary ? {} : { summary }),
      ...(names === undefined ? {} : { symbol: names }),
    });
  }
  return pick([...nodes.values()], [...edges.values()]);
}

function fromId(id: string): Draft {
  const at = id.indexOf("#");
  const path = at < 0 ? id : id.slice(0, at);
  return { id, path, symbol: at < 0 ? "" : id.slice(at + 1), line: null, summary: "", role: "other" };
}

function joinNames(known: string, name: string): string {
  const names = known === "" ? [] : known.split(", ");
  return names.includes(name) ? known : [...names, name].join(", ");
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

const RANKS = { target: 0, finding: 1, other: 2 } as const;

function pick(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): RunGraph {
  const degrees = new Map<string, number>();
  for (const { from, to } of edges) for (const id of [from, to]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const degreeOf = ({ id }: GraphNode) => degrees.get(id) ?? 0;
  const inOrder = nodes.toSorted(
    (a, b) => RANKS[a.role] - RANKS[b.role] || degreeOf(b) - degreeOf(a) || (a.id < b.id ? -1 : 1),
  );
  const kept = inOrder.slice(0, MAX_NODES);
  const ids = new Set(kept.map(({ id }) => id));
  return {
    nodes: kept,
    edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    left: nodes.length - kept.length,
  };
}
