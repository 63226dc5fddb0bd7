import type { CallKind } from "../parse/facts.ts";

/** A symbol of another file as an edge names it: by its place in the file when the edge was made, and by its name. */
export interface Target {
  readonly path: string;
  readonly symbol: number;
  readonly name: string;
}

/** Where what one file says leads to, by path and name, so that other files may change without these edges. */
export interface StoredEdges {
  readonly calls: readonly {
    /** The symbol that calls; null for the file itself. */
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

/** Packs the edges of a file; every path stands once. */
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

/** What `packEdges` packed. Contract: throws for anything else. */
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
