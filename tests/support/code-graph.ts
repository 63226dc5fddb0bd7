import type { CodeGraph, Link, Node } from "../../src/engine/graph/code-graph.ts";
import { keyOf } from "../../src/engine/graph/code-graph.ts";
import type { Definitions, FileEdges, SymbolPlace } from "../../src/engine/graph/definitions.ts";
import { makeResolver } from "../../src/engine/graph/resolver.ts";
import { traitsOf } from "../../src/engine/graph/symbol-traits.ts";
import { type FileFacts, NO_FACTS } from "../../src/engine/parse/facts.ts";
import type { FileParser } from "../../src/engine/parse/file-parser.ts";
import { languageOf } from "../../src/engine/parse/languages/table.ts";

/** A small repository in memory, parsed and resolved. */
export interface TestRepository {
  readonly paths: readonly string[];
  readonly definitions: Definitions;
  readonly edges: readonly FileEdges[];
  readonly graph: CodeGraph;
  /** Returns the node of `path name` or `path Owner.name`; for a path alone, that of the file. */
  node(written: string): Node;
  /** Returns a node in the form that `node` reads. */
  write(node: Node): string;
  /** Returns the calls as `path caller → path callee`, sorted. */
  calls(): string[];
}

/** Parses and resolves files. */
export async function makeRepository(
  parser: FileParser,
  files: Readonly<Record<string, string>>,
): Promise<TestRepository> {
  const paths = Object.keys(files);
  const facts: FileFacts[] = [];
  for (const path of paths) {
    const language = languageOf(path, files[path] ?? "");
    facts.push(language ? await parser.parse(language, files[path] ?? "") : NO_FACTS);
  }
  const definitions = makeDefinitions(paths, facts, files);
  const resolver = makeResolver(definitions);
  const edges = paths.map((_, file) => resolver.resolve(file));
  const symbolName = (file: number, symbol: number) => {
    const { name, parent, owner } = facts[file]?.symbols[symbol] ?? { name: "?", parent: null, owner: "" };
    const above = parent === null ? owner : (facts[file]?.symbols[parent]?.name ?? owner);
    return above === "" ? name : `${above}.${name}`;
  };
  const write = ({ file, symbol }: Node) =>
    symbol === null ? `${paths[file]}` : `${paths[file]} ${symbolName(file, symbol)}`;
  return {
    paths,
    definitions,
    edges,
    graph: makeGraph(paths, facts, edges),
    write,
    node: (written) => {
      const [path = "", name] = written.split(" ");
      const file = paths.indexOf(path);
      if (name === undefined) return { file, symbol: null };
      const symbol = (facts[file]?.symbols ?? []).findIndex(
        (one, index) => one.name === name || symbolName(file, index) === name,
      );
      if (symbol < 0) throw new Error(`no symbol ${written}`);
      return { file, symbol };
    },
    calls: () =>
      edges
        .flatMap(({ calls }, file) =>
          calls.map(
            (call) => `${write({ file, symbol: call.from })} → ${write({ file: call.toFile, symbol: call.toSymbol })}`,
          ),
        )
        .sort(),
  };
}

function makeDefinitions(
  paths: readonly string[],
  facts: readonly FileFacts[],
  files: Readonly<Record<string, string>>,
): Definitions {
  const named = new Map<string, SymbolPlace[]>();
  for (const [file, { symbols }] of facts.entries()) {
    for (const [symbol, { name }] of symbols.entries()) named.set(name, [...(named.get(name) ?? []), { file, symbol }]);
  }
  return {
    fileCount: paths.length,
    path: (file) => paths[file] ?? "",
    language: (file) => languageOf(paths[file] ?? "", files[paths[file] ?? ""] ?? "")?.id ?? "",
    facts: (file) => facts[file] ?? NO_FACTS,
    traits: (file) => traitsOf((facts[file] ?? NO_FACTS).symbols),
    named: (name) => named.get(name) ?? [],
    fileAt: (path) => (paths.includes(path) ? paths.indexOf(path) : undefined),
    text: (file) => files[paths[file] ?? ""],
  };
}

function makeGraph(paths: readonly string[], facts: readonly FileFacts[], edges: readonly FileEdges[]): CodeGraph {
  const from = new Map<string, Link[]>();
  const to = new Map<string, Link[]>();
  const connect = (one: Node, other: Node, link: Omit<Link, "node">) => {
    from.set(keyOf(one), [...(from.get(keyOf(one)) ?? []), { ...link, node: other }]);
    to.set(keyOf(other), [...(to.get(keyOf(other)) ?? []), { ...link, node: one }]);
  };
  for (const [file, { calls, bases }] of edges.entries()) {
    for (const { from: symbol, toFile, toSymbol, confidence, line } of calls) {
      connect({ file, symbol }, { file: toFile, symbol: toSymbol }, { kind: "call", confidence, line });
    }
    for (const { symbol, toFile, toSymbol } of bases) {
      const line = facts[file]?.symbols[symbol]?.startLine ?? 0;
      connect({ file, symbol }, { file: toFile, symbol: toSymbol }, { kind: "base", confidence: 1, line });
    }
  }
  return {
    path: (file) => paths[file] ?? "",
    symbols: (file) => facts[file]?.symbols ?? [],
    linksFrom: (node) => from.get(keyOf(node)) ?? [],
    linksTo: (node) => to.get(keyOf(node)) ?? [],
    importersOf: (file) => edges.flatMap(({ imports }, other) => (imports.includes(file) ? [other] : [])),
    isTest: (file) => /(?:^|\/)tests?\/|[._]test\.|(?:^|\/)test_/.test(paths[file] ?? ""),
    isLate: () => false,
  };
}
