import type { CallKind } from "../parse/facts.ts";

/** A symbol as the target of an edge: its file, its name, and its position among the symbols of that name. */
export interface Target {
  readonly path: string;
  /** Number of symbols with the same name before it in the file. */
  readonly nth: number;
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
      to.nth,
      to.name,
      line,
      confidence,
      kind,
    ]),
    bases: bases.map(({ symbol, to }) => [symbol, numberOf(to.path), to.nth, to.name]),
    imports: imports.map(numberOf),
  };
  return JSON.stringify({ paths: [...paths.keys()], ...packed } satisfies Packed);
}

/** Edges of one file, independent of how they are stored. */
export interface LazyEdges {
  /** False if no edge leads to a symbol of that name in the file at that path. */
  mayLeadTo(to: Pick<Target, "path" | "name">): boolean;
  unpack(): StoredEdges;
}

/** Edges of one file as stored. Unpacking them costs far more than checking that none leads to a name. */
export class PackedEdges implements LazyEdges {
  /** The result of `packEdges`. */
  readonly text: string;
  #unpacked: StoredEdges | undefined;

  /** Contract: throws for anything but the result of `packEdges`, possibly only when it is unpacked. */
  constructor(text: string) {
    this.text = text;
  }

  mayLeadTo({ path, name }: Pick<Target, "path" | "name">): boolean {
    return this.text.includes(JSON.stringify(name)) && this.text.includes(JSON.stringify(path));
  }

  unpack(): StoredEdges {
    this.#unpacked ??= unpackEdges(this.text);
    return this.#unpacked;
  }
}

/** Reads rows by index: array destructuring takes several times as long in unoptimised code. */
function unpackEdges(text: string): StoredEdges {
  const { paths, calls, bases, imports } = JSON.parse(text) as Packed;
  const pathOf = (at: number) => paths[at] ?? "";
  return {
    calls: calls.map((row) => ({
      from: row[0],
      to: { path: pathOf(row[1]), nth: row[2], name: row[3] },
      line: row[4],
      confidence: row[5],
      kind: row[6],
    })),
    bases: bases.map((row) => ({ symbol: row[0], to: { path: pathOf(row[1]), nth: row[2], name: row[3] } })),
    imports: imports.map(pathOf),
  };
}
