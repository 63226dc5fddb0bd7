import { getOrMake } from "../base/maps.ts";
import { type CodeGraph, keyOf, type Link, type Node } from "./graph/code-graph.ts";
import type { SymbolFact } from "./parse/facts.ts";
import type { Repository } from "./repository.ts";
import { hasTrait, TRAIT } from "./search/traits.ts";
import type { LazyEdges, StoredEdges, Target } from "./store/edges.ts";
import { filesNaming } from "./store/files-naming.ts";

/** Base types come from explicit declarations, so they are certain. */
const BASE_CONFIDENCE = 1;
const NO_EDGES: StoredEdges = { calls: [], bases: [], imports: [] };

/** Fresh facts of a file that changed since it was indexed. */
export interface FreshCode {
  readonly symbols: readonly SymbolFact[];
  readonly edges: StoredEdges;
}

/**
 * The call graph of an open repository. Contract: as `CodeGraph`; a file that changed since its edges were found has
 * neither symbols nor edges unless it is in `fresh`, because its line numbers may be wrong.
 */
export class StoredGraph implements CodeGraph {
  readonly #repository: Repository;
  readonly #isLate: () => boolean;
  readonly #fresh: ReadonlyMap<string, FreshCode>;
  readonly #symbols = new Map<number, readonly SymbolFact[]>();
  readonly #edges = new Map<number, LazyEdges | null>();
  readonly #linksTo = new Map<string, readonly Link[]>();

  constructor(repository: Repository, isLate: () => boolean, fresh: ReadonlyMap<string, FreshCode> = new Map()) {
    this.#repository = repository;
    this.#isLate = isLate;
    this.#fresh = fresh;
  }

  path(file: number): string {
    return this.#repository.index.pathOf(file);
  }

  symbols(file: number): readonly SymbolFact[] {
    return getOrMake(this.#symbols, file, () => {
      const path = this.path(file);
      return this.#fresh.get(path)?.symbols ?? this.#repository.symbolsOf(path);
    });
  }

  /** The qualified name of a symbol (`Parser.parse`), or the path of a file. */
  nameOf({ file, symbol }: Node): string {
    const own = symbol === null ? undefined : this.symbols(file)[symbol];
    if (own === undefined) return this.path(file);
    const around = own.parent === null ? own.owner : this.nameOf({ file, symbol: own.parent });
    return around === "" ? own.name : `${around}.${own.name}`;
  }

  linksFrom({ file, symbol }: Node): readonly Link[] {
    const { calls, bases } = this.#edgesOf(file);
    const links: Link[] = [];
    for (const { from, to, line, confidence } of calls) {
      const node = from === symbol ? this.#find(to) : null;
      if (node !== null) links.push({ node, kind: "call", confidence, line });
    }
    for (const base of bases) {
      const node = base.symbol === symbol ? this.#find(base.to) : null;
      if (node !== null)
        links.push({ node, kind: "base", confidence: BASE_CONFIDENCE, line: this.#lineOf(file, base.symbol) });
    }
    return links;
  }

  linksTo(node: Node): readonly Link[] {
    return getOrMake(this.#linksTo, keyOf(node), () => this.#findLinksTo(node));
  }

  importersOf(file: number): readonly number[] {
    return this.#repository.index.importersOf(file);
  }

  isTest(file: number): boolean {
    return hasTrait(this.#repository.index, file, TRAIT.test);
  }

  isLate(): boolean {
    return this.#isLate();
  }

  /** Every caller contains the name in its text, or imports the symbol under that name. */
  #findLinksTo({ file, symbol }: Node): Link[] {
    const name = symbol === null ? undefined : this.symbols(file)[symbol]?.name;
    if (name === undefined) return [];
    const path = this.path(file);
    const isHere = (to: Target) => to.name === name && to.path === path && this.#find(to)?.symbol === symbol;
    const links: Link[] = [];
    const { index } = this.#repository;
    for (const other of filesNaming(index, name)) {
      if (this.#isLate()) break;
      // Documents and data have no calls, and many of them contain the name.
      if (hasTrait(index, other, TRAIT.prose)) continue;
      const { calls, bases } = this.#edgesTo(other, { path, name });
      for (const { from, to, line, confidence } of calls) {
        if (isHere(to)) links.push({ node: { file: other, symbol: from }, kind: "call", confidence, line });
      }
      for (const base of bases) {
        if (!isHere(base.to)) continue;
        const line = this.#lineOf(other, base.symbol);
        links.push({ node: { file: other, symbol: base.symbol }, kind: "base", confidence: BASE_CONFIDENCE, line });
      }
    }
    return links;
  }

  #edgesOf(file: number): StoredEdges {
    return this.#fresh.get(this.path(file))?.edges ?? this.#packedOf(file)?.unpack() ?? NO_EDGES;
  }

  /** The edges of a file if one of them may lead to a symbol of that name in the file at that path. */
  #edgesTo(file: number, to: Pick<Target, "path" | "name">): StoredEdges {
    const fresh = this.#fresh.get(this.path(file))?.edges;
    if (fresh !== undefined) return fresh;
    const packed = this.#packedOf(file);
    return packed?.mayLeadTo(to) ? packed.unpack() : NO_EDGES;
  }

  #packedOf(file: number): LazyEdges | null {
    return getOrMake(this.#edges, file, () => this.#repository.edgesOf(this.path(file)));
  }

  #lineOf(file: number, symbol: number): number {
    return this.symbols(file)[symbol]?.nameLine ?? 1;
  }

  /** The symbol that an edge refers to now; null if it is gone. */
  #find({ path, nth, name }: Target): Node | null {
    const file = this.#repository.index.fileAt(path);
    if (file === undefined) return null;
    const symbols = this.symbols(file);
    const first = symbols.findIndex((own) => own.name === name);
    if (first < 0) return null;
    let found = first;
    for (let left = nth, at = first; left > 0 && at >= 0; left--) {
      at = symbols.findIndex((own, index) => index > at && own.name === name);
      if (at >= 0) found = at;
    }
    return { file, symbol: found };
  }
}
