/** Kinds of types, which can have members. */
const TYPE_KINDS = ["class", "interface", "struct", "enum", "trait", "type"] as const;
/** All kinds of definitions. */
export const SYMBOL_KINDS = [
  "function",
  "method",
  ...TYPE_KINDS,
  "module",
  "constant",
  "variable",
  "property",
] as const;
/** Kind of a definition. */
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

const TYPES: ReadonlySet<SymbolKind> = new Set(TYPE_KINDS);
/** Whether a symbol of this kind can have members. */
export const isTypeKind = (kind: SymbolKind): boolean => TYPES.has(kind);
/** Whether a symbol of this kind can be called. */
export const isFunctionKind = (kind: SymbolKind): boolean => kind === "function" || kind === "method";

/** Everyone who may see a symbol. */
export const VISIBILITIES = ["public", "protected", "private", "internal", "package"] as const;
/**
 * Who can see a symbol, in the terms of its language: `package` is everyone in the same package, `internal` everyone in
 * the same module or assembly.
 */
export type Visibility = (typeof VISIBILITIES)[number];

/** One definition. Lines count from 1. */
export interface SymbolFact {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Index of the symbol that contains or owns this one, if it is in the same file. */
  readonly parent: number | null;
  /**
   * The type that this one belongs to as written in the code, even if it is in another file; empty if there is none.
   */
  readonly owner: string;
  /** The declaration without its body, on one line of at most 200 characters. */
  readonly signature: string;
  /** Where the definition starts, without its comment, and without decorators that are outside its node. */
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  /** First paragraph of its comment, at most 300 characters. */
  readonly doc: string;
  readonly visibility: Visibility;
  /** Whether code in other files can refer to it. */
  readonly exported: boolean;
  /** Cyclomatic complexity of a function, at least 1; 0 for anything else, including mere declarations. */
  readonly cyclomatic: number;
  /** Cognitive complexity of a function: branches weighted by nesting depth. */
  readonly cognitive: number;
  /**
   * The return type of a function, or the type of a value or an alias: as written, or `=` and the expression that
   * determines it (`toChain`); empty if the code does not say.
   */
  readonly type: string;
}

/** A variable, parameter or field that is not a symbol itself. */
export interface VariableFact {
  readonly name: string;
  /** As in `SymbolFact.type`; a variable of unknown type still shadows outer names. */
  readonly type: string;
  /** Index of the symbol whose scope it is in (for a field, the type); null for the whole file. */
  readonly scope: number | null;
  readonly line: number;
}

/** Syntactic form of a call. */
export type CallKind = "call" | "new" | "macro" | "decorator";

/** One call. */
export interface CallFact {
  readonly callee: string;
  /**
   * The expression before the callee, as a chain (`toChain`) if it is one, otherwise as written; empty for a plain
   * call.
   */
  readonly receiver: string;
  /** Index of the innermost symbol that contains the call. */
  readonly from: number | null;
  readonly line: number;
  readonly kind: CallKind;
}

/** One name bound by an import. */
export interface ImportedName {
  /** The name in the source; `*` for the source as a whole, `default` for a default export. */
  readonly name: string;
  /** The name in this file; empty if `*` imports every name unchanged. */
  readonly alias: string;
}

/** One import, include, require or re-export. */
export interface ImportFact {
  /** Empty if the file exports its own names under other names. */
  readonly source: string;
  readonly names: readonly ImportedName[];
  readonly line: number;
}

/** A symbol that extends, implements or mixes in a named type. */
interface BaseFact {
  readonly symbol: number;
  readonly name: string;
}

/** The facts extracted from one file. */
export interface FileFacts {
  readonly symbols: readonly SymbolFact[];
  readonly calls: readonly CallFact[];
  readonly imports: readonly ImportFact[];
  readonly bases: readonly BaseFact[];
  /** Variables used in calls of this file, and fields whose type is known. */
  readonly variables: readonly VariableFact[];
  /** The package or namespace that the file declares; empty if none. */
  readonly namespace: string;
  /** False if only a part of the text could be parsed. */
  readonly complete: boolean;
}

/** The facts of a text that cannot be parsed as code. */
export const NO_FACTS: FileFacts = {
  symbols: [],
  calls: [],
  imports: [],
  bases: [],
  variables: [],
  namespace: "",
  complete: false,
};
