import type { CallKind } from "../parse/facts.ts";

/** A symbol of another file as the target of an edge: its index in that file when the edge was made, and its name. */
export interface Target {
  readonly path: string;
  readonly symbol: number;
  readonly name: string;
}

/** Outgoing edges of one file, by path and name, so that they stay valid when other files change. */
export interface StoredEdges {
  readonly calls: readonly {
    /** The calling symbol; null for the file itself. */
    readonly from: number | null;
    readonly to: Target;
    readonly line: number;
    readonly confidence: number;
    readonly kind: CallKind;
  }[];
  readonly bases: readonly { readonly symbol: number; readonly to: Target }[];
  readonly imports: readonly string[];
}

interface Packed {
  readonly paths: readonly string[];
  readonly calls: readonly [number | null, number, number, string, number, number, CallKind][];
  readonly bases: readonly [number, number, number, string][];
  readonly imports: readonly number[];
}

/** Packs the edges of a file; each path is stored once. */
export function packEdges({ calls, bases, imports }: StoredEdges): string {
  const paths = new Map<string, number>();
  const numberOf = (path: string) => {
    const known = paths.get(path) ?? paths.size;
    paths.set(path, known);
    return known;
  };
  const packed: Omit<Packed, "paths"> = {
    calls: calls.map(({ from, to, line, confidence, kind }) => [
      from,
      numberOf(to.path),
      to.symbol,
      to.name,
      line,
      confidence,
      kind,
    ]),
    bases: bases.map(({ symbol, to }) => [symbol, numberOf(to.path), to.symbol, to.name]),
    imports: imports.map(numberOf),
  };
  return JSON.stringify({ paths: [...paths.keys()], ...packed } satisfies Packed);
}

/** Reverses `packEdges`. Contract: throws for any other input. */
export function unpackEdges(text: string): StoredEdges {
  const { paths, calls, bases, imports } = JSON.parse(text) as Packed;
  const pathOf = (at: number) => paths[at] ?? "";
  return {
    calls: calls.map(([from, path, symbol, name, line, confidence, kind]) => ({
      from,
      to: { path: pathOf(path), symbol, name },
      line,
      confidence,
      kind,
    })),
    bases: bases.map(([symbol, path, to, name]) => ({ symbol, to: { path: pathOf(path), symbol: to, name } })),
    imports: imports.map(pathOf),
  };
}
