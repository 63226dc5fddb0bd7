import type {
  BaseFact,
  CallFact,
  FileFacts,
  ImportedName,
  ImportFact,
  SymbolFact,
  VariableFact,
} from "../parse/facts.ts";

/** Keys of a fact in the order in which its values are kept: without the keys, facts are half as long. */
type Keys<T> = readonly (keyof T)[];

const SYMBOL: Keys<SymbolFact> = [
  ...(["name", "kind", "parent", "owner", "signature", "startLine", "endLine", "nameLine", "doc"] as const),
  ...(["visibility", "exported", "cyclomatic", "cognitive", "type"] as const),
];
const CALL: Keys<CallFact> = ["callee", "receiver", "from", "line", "kind"];
const IMPORT: Keys<ImportFact> = ["source", "names", "line"];
const NAME: Keys<ImportedName> = ["name", "alias"];
const BASE: Keys<BaseFact> = ["symbol", "name"];
const VARIABLE: Keys<VariableFact> = ["name", "type", "scope", "line"];

/** Facts as they are stored: what people ask for, and what only the graph is made of. */
export interface PackedFacts {
  readonly symbols: string;
  readonly references: string;
}

type Row = readonly unknown[];

interface References {
  readonly calls: readonly Row[];
  readonly imports: readonly Row[];
  readonly bases: readonly Row[];
  readonly variables: readonly Row[];
  readonly namespace: string;
  readonly complete: boolean;
}

/** Packs the facts of a file. */
export function packFacts({ symbols, calls, imports, bases, variables, namespace, complete }: FileFacts): PackedFacts {
  const references: References = {
    calls: toRows(calls, CALL),
    imports: imports.map(({ source, names, line }) => [source, toRows(names, NAME), line]),
    bases: toRows(bases, BASE),
    variables: toRows(variables, VARIABLE),
    namespace,
    complete,
  };
  return { symbols: JSON.stringify(toRows(symbols, SYMBOL)), references: JSON.stringify(references) };
}

/** The symbols of a file. Contract: throws for what `packFacts` did not pack. */
export function unpackSymbols(text: string): SymbolFact[] {
  return fromRows<SymbolFact>(JSON.parse(text) as Row[], SYMBOL);
}

/** All facts of a file. Contract: as `unpackSymbols`. */
export function unpackFacts({ symbols, references }: PackedFacts): FileFacts {
  const { calls, imports, bases, variables, namespace, complete } = JSON.parse(references) as References;
  return {
    symbols: unpackSymbols(symbols),
    calls: fromRows<CallFact>(calls, CALL),
    imports: fromRows<ImportFact>(imports, IMPORT).map((fact) => ({
      ...fact,
      names: fromRows<ImportedName>(fact.names as unknown as Row[], NAME),
    })),
    bases: fromRows<BaseFact>(bases, BASE),
    variables: fromRows<VariableFact>(variables, VARIABLE),
    namespace,
    complete,
  };
}

function toRows<T>(items: readonly T[], keys: Keys<T>): Row[] {
  return items.map((item) => keys.map((key) => item[key]));
}

function fromRows<T>(rows: readonly Row[], keys: Keys<T>): T[] {
  return rows.map((row) => {
    const item: Partial<T> = {};
    keys.forEach((key, at) => {
      item[key] = row[at] as T[keyof T];
    });
    return item as T;
  });
}
