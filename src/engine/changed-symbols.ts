import type { Node } from "./graph/code-graph.ts";
import { nodesOf } from "./graph/impact.ts";
import type { StoredGraph } from "./stored-graph.ts";

/**
 * Returns the innermost symbols of a file that changed, plus the file itself if a line outside all symbols is new or no
 * symbol changed. Contract: returns all symbols if the previous text is unknown; a symbol that was removed entirely
 * shows up only through the code that used it.
 */
export function findChangedSymbols(graph: StoredGraph, file: number, text: string, before: string | null): Node[] {
  if (before === null) return nodesOf(graph, file);
  const symbols = graph.symbols(file);
  const lines = linesOf(text);
  const old = linesOf(before);
  const oldText = `\n${old.join("\n")}\n`;
  const isNew = (from: number, to: number) => !oldText.includes(`\n${lines.slice(from - 1, to).join("\n")}\n`);
  const nodes = symbols.flatMap((_, symbol) => {
    const isChanged = ownRanges(symbols, symbol).some(([from, to]) => isNew(from, to));
    return isChanged ? [{ file, symbol }] : [];
  });
  const isInside = new Set<number>();
  for (const { parent, startLine, endLine } of symbols) {
    if (parent === null) for (let line = startLine; line <= endLine; line++) isInside.add(line);
  }
  const known = new Set(old);
  const isOutsideNew = lines.some((line, at) => !isInside.has(at + 1) && line.trim() !== "" && !known.has(line));
  return isOutsideNew || nodes.length === 0 ? [{ file, symbol: null }, ...nodes] : nodes;
}

/** Line ranges of a symbol, excluding its child symbols, which are checked on their own. */
function ownRanges(symbols: ReturnType<StoredGraph["symbols"]>, symbol: number): (readonly [number, number])[] {
  const own = symbols[symbol];
  if (own === undefined) return [];
  const parts = symbols.filter(({ parent }) => parent === symbol).sort((a, b) => a.startLine - b.startLine);
  const ranges: (readonly [number, number])[] = [];
  let from = own.startLine;
  for (const { startLine, endLine } of parts) {
    if (startLine > from) ranges.push([from, startLine - 1]);
    from = Math.max(from, endLine + 1);
  }
  return from <= own.endLine ? [...ranges, [from, own.endLine]] : ranges;
}

function linesOf(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split("\n");
}
