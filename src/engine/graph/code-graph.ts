import { isTypeKind, type SymbolFact } from "../parse/facts.ts";

/** A symbol of a file; null stands for the code outside all functions and types. */
export interface Node {
  readonly file: number;
  readonly symbol: number | null;
}

/** How one node depends on another. */
type LinkKind = "call" | "base";

/** An edge, seen from one of its ends. */
export interface Link {
  /** The other end. */
  readonly node: Node;
  readonly kind: LinkKind;
  /** Above 0, at most 1. */
  readonly confidence: number;
  /** Line of the call or base clause, in the file of the calling or extending code. */
  readonly line: number;
}

/** The part of a symbol that queries need. */
type GraphSymbol = Pick<SymbolFact, "name" | "kind" | "parent" | "startLine" | "endLine" | "nameLine">;

/**
 * The graph as a store provides it: files are numbers, and symbols are numbered within each file.
 *
 * Contract: answers are in a fixed order and do not change during a query.
 */
export interface CodeGraph {
  path(file: number): string;
  symbols(file: number): readonly GraphSymbol[];
  /** What a node calls and extends. */
  linksFrom(node: Node): readonly Link[];
  /** What calls and extends a node. */
  linksTo(node: Node): readonly Link[];
  /** Files that import a file. */
  importersOf(file: number): readonly number[];
  isTest(file: number): boolean;
  /** Whether the time is up; queries then return what they have. */
  isLate(): boolean;
}

/** A unique key for a node. */
export const keyOf = ({ file, symbol }: Node): string => `${file}:${symbol ?? ""}`;

/** Default order of nodes. */
export const byPlace = (one: Node, other: Node): number =>
  one.file - other.file || (one.symbol ?? -1) - (other.symbol ?? -1);

/** The direct members of a type; empty for functions, whose inner definitions are private to them. */
export function membersOf(graph: CodeGraph, { file, symbol }: Node): Node[] {
  if (symbol === null) return [];
  const symbols = graph.symbols(file);
  const kind = symbols[symbol]?.kind;
  if (kind === undefined || !(isTypeKind(kind) || kind === "module")) return [];
  return symbols.flatMap(({ parent }, index) => (parent === symbol ? [{ file, symbol: index }] : []));
}

/** The innermost symbol that contains a line, or the file itself. */
export function nodeAt(graph: CodeGraph, file: number, line: number): Node {
  let found: number | null = null;
  let size = Number.POSITIVE_INFINITY;
  for (const [index, { startLine, endLine }] of graph.symbols(file).entries()) {
    const lines = endLine - startLine;
    if (startLine <= line && line <= endLine && lines <= size) {
      found = index;
      size = lines;
    }
  }
  return { file, symbol: found };
}
