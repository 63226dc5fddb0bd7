import { graphlib, layout } from "@dagrejs/dagre";
import { nameOf } from "./format.ts";
import type { GraphEdge, GraphNode, RunGraph } from "./graph-data.ts";

/** A node and its position in the drawing. */
export interface PlacedNode extends GraphNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Its two lines of text, truncated to its width. */
  readonly title: string;
  readonly under: string;
}

/** An edge and its path in the drawing. */
interface PlacedEdge extends GraphEdge {
  /** The `d` of an SVG path. */
  readonly way: string;
}

/** A complete drawing. */
export interface Drawing {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

const HEIGHT = 40;
const CHAR = 6.6;
const MAX_CHARS = 30;

/** Space between neighbouring nodes and between rows, then the minimum width of a row. */
const GAP = 12;
const MIN_ROW = 640;

/** Places nodes in columns, callers left of callees; nodes without calls are placed in rows below. */
export function layOut({ nodes, edges }: RunGraph): Drawing {
  const tied = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const boxes = new Map(nodes.map((node) => [node.id, toBox(node)]));
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: GAP, ranksep: 64, marginx: 16, marginy: 16, acyclicer: "greedy" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, { width }] of boxes) if (tied.has(id)) graph.setNode(id, { width, height: HEIGHT });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const size = graph.graph() as { readonly width?: number; readonly height?: number };
  // An empty graph has no size.
  const isTied = tied.size > 0;
  let width = isTied ? (size.width ?? 0) : 0;
  const row = { x: 16, y: (isTied ? (size.height ?? 0) : 0) + 16, end: Math.max(width, MIN_ROW) };
  const placed = nodes.map((node): PlacedNode => {
    const box = boxes.get(node.id) ?? toBox(node);
    const at = graph.node(node.id) as Point | undefined;
    if (at !== undefined) return { ...node, ...box, x: at.x - box.width / 2, y: at.y - HEIGHT / 2 };
    if (row.x > 16 && row.x + box.width > row.end - 16) {
      row.x = 16;
      row.y += HEIGHT + GAP;
    }
    const own = { ...node, ...box, x: row.x, y: row.y };
    row.x += box.width + GAP;
    width = Math.max(width, row.x + 4);
    return own;
  });
  const byId = new Map(placed.map((node) => [node.id, node]));
  return {
    width,
    height: Math.max(...placed.map(({ y }) => y + HEIGHT), 0) + 16,
    nodes: placed,
    edges: edges.map(({ from, to }) => ({ from, to, way: toWay(byId.get(from), byId.get(to)) })),
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * A curve from the right side of one node to the left side of the other; it loops back if the other is further left.
 */
function toWay(from: PlacedNode | undefined, to: PlacedNode | undefined): string {
  if (from === undefined || to === undefined) return "";
  const start: Point = { x: from.x + from.width, y: from.y + HEIGHT / 2 };
  const end: Point = { x: to.x, y: to.y + HEIGHT / 2 };
  const bend = Math.max(36, Math.abs(end.x - start.x) / 2);
  const write = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${write(start.x, start.y)}C${write(start.x + bend, start.y)} ${write(end.x - bend, end.y)} ${write(end.x, end.y)}`;
}

function toBox(node: GraphNode): Pick<PlacedNode, "title" | "under" | "width" | "height"> {
  const { title, under } = textsOf(node);
  const chars = Math.max(title.length, under.length * 0.92);
  return { title, under, width: Math.max(90, chars * CHAR + 24), height: HEIGHT };
}

function textsOf({ path, symbol, line }: GraphNode): { readonly title: string; readonly under: string } {
  const name = nameOf(path);
  const place = line === null ? name : `${name}:${line}`;
  if (symbol === "") return { title: cutEnd(name), under: cutStart(path.slice(0, -name.length - 1)) };
  return { title: cutEnd(symbol), under: cutStart(place) };
}

function cutEnd(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}

function cutStart(text: string): string {
  return text.length <= MAX_CHARS ? text : `…${text.slice(-MAX_CHARS + 1)}`;
}
