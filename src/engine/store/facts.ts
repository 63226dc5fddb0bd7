import type { CallKind, FileFacts, SymbolFact } from "../parse/facts.ts";

/** Facts as stored: symbols, which are queried directly, and references, which are only used to build the graph. */
export interface PackedFacts {
  readonly symbols: string;
  readonly references: string;
}

/** The values of a symbol without keys, which halves the size of the facts. */
type SymbolRow = readonly [
  ...[string, SymbolFact["kind"], number | null, string, string, number, number, number, string],
  ...[SymbolFact["visibility"], boolean, number, number, string],
];

interface References {
  readonly calls: readonly (readonly [string, string, number | null, number, CallKind])[];
  readonly imports: readonly (readonly [string, readonly (readonly [string, string])[], number])[];
  readonly bases: readonly (readonly [number, string])[];
  readonly variables: readonly (readonly [string, string, number | null, number])[];
  readonly namespace: string;
  readonly complete: boolean;
}

/** Packs the facts of a file for the database; `unpackFacts` reverses it. */
export function packFacts({ symbols, calls, imports, bases, variables, namespace, complete }: FileFacts): PackedFacts {
  const references: References = {
    calls: calls.map((fact) => [fact.callee, fact.receiver, fact.from, fact.line, fact.kind]),
    imports: imports.map(({ source, names, line }) => [source, names.map(({ name, alias }) => [name, alias]), line]),
    bases: bases.map(({ symbol, name }) => [symbol, name]),
    variables: variables.map(({ name, type, scope, line }) => [name, type, scope, line]),
    namespace,
    complete,
  };
  return { symbols: JSON.stringify(symbols.map(toRow)), references: JSON.stringify(references) };
}

function toRow(fact: SymbolFact): SymbolRow {
  return [
    fact.name,
    fact.kind,
    fact.parent,
    fact.owner,
    fact.signature,
    fact.startLine,
    fact.endLine,
    fact.nameLine,
    fact.doc,
    fact.visibility,
    fact.exported,
    fact.cyclomatic,
    fact.cognitive,
    fact.type,
  ];
}

/** The symbols of a file. Contract: throws for input that was not packed by `packFacts`. */
export function unpackSymbols(text: string): SymbolFact[] {
  return (JSON.parse(text) as SymbolRow[]).map((row) => ({
    name: row[0],
    kind: row[1],
    parent: row[2],
    owner: row[3],
    signature: row[4],
    startLine: row[5],
    endLine: row[6],
    nameLine: row[7],
    doc: row[8],
    visibility: row[9],
    exported: row[10],
    cyclomatic: row[11],
    cognitive: row[12],
    type: row[13],
  }));
}

/** False if no symbol of a packed list has that name. */
export function mayHaveSymbol(text: string, name: string): boolean {
  return text.includes(`[${JSON.stringify(name)},`);
}

/** All facts of a file. Contract: as `unpackSymbols`. */
export function unpackFacts({ symbols, references }: PackedFacts): FileFacts {
  const { calls, imports, bases, variables, namespace, complete } = JSON.parse(references) as References;
  return {
    symbols: unpackSymbols(symbols),
    calls: calls.map(([callee, receiver, from, line, kind]) => ({ callee, receiver, from, line, kind })),
    imports: imports.map(([source, names, line]) => ({
      source,
      names: names.map(([name, alias]) => ({ name, alias })),
      line,
    })),
    bases: bases.map(([symbol, name]) => ({ symbol, name })),
    variables: variables.map(([name, type, scope, line]) => ({ name, type, scope, line })),
    namespace,
    complete,
  };
}
