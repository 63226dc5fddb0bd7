/** What a symbol is. */
export type SymbolKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "struct"
  | "enum"
  | "trait"
  | "type"
  | "module"
  | "constant"
  | "variable"
  | "property";

/** Who may see a symbol, in the words of its language; `package` is Java's and Go's own package, `internal` C#'s, Kotlin's and Swift's module. */
export type Visibility = "public" | "protected" | "private" | "internal" | "package";

/** One definition. Lines count from 1. */
export interface SymbolFact {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Index of the symbol that this one is defined in or belongs to, where that is in the same file. */
  readonly parent: number | null;
  /** The type that this one belongs to as the code writes it, also where that is in another file; empty where there is none. */
  readonly owner: string;
  /** The declaration without its body, on one line of at most 200 characters. */
  readonly signature: string;
  /** Where the definition starts, without its comment and its decorators where they stand outside of it. */
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  /** First paragraph of its comment, at most 300 characters. */
  readonly doc: string;
  readonly visibility: Visibility;
  /** Whether code in other files can name it. */
  readonly exported: boolean;
  /** Ways through a function, 1 and up; 0 for what is not a function or only declares one. */
  readonly cyclomatic: number;
  /** How hard a function is to follow: branches weighed by their depth. */
  readonly cognitive: number;
  /**
   * What a function returns, or what a value or an alias is: the type as it is written, or `=` and the expression that
   * tells it (`toChain`); empty where the code does not say.
   */
  readonly type: string;
}

/** A variable, parameter or field that is no symbol itself. */
export interface VariableFact {
  readonly name: string;
  /** As in `SymbolFact.type`; a variable of unknown type still hides what is named alike outside of it. */
  readonly type: string;
  /** Index of the symbol that it is known in, the type for a field; null for the whole file. */
  readonly scope: number | null;
  readonly line: number;
}

/** How something is called. */
export type CallKind = "call" | "new" | "macro" | "decorator";

/** One call. */
export interface CallFact {
  readonly callee: string;
  /** What stands before the callee, as a chain (`toChain`) where it is one, else as it is written; empty for a plain call. */
  readonly receiver: string;
  /** Index of the innermost symbol that the call stands in. */
  readonly from: number | null;
  readonly line: number;
  readonly kind: CallKind;
}

/** One name that an import brings. */
export interface ImportedName {
  /** The name in the source; `*` for the source as a whole, `default` for a default export. */
  readonly name: string;
  /** The name in this file; empty where `*` brings in every name as it is. */
  readonly alias: string;
}

/** One import, include, require or re-export. */
export interface ImportFact {
  /** Empty where names of this file itself are given out under other names. */
  readonly source: string;
  readonly names: readonly ImportedName[];
  readonly line: number;
}

/** A symbol that extends, implements or mixes in something named. */
interface BaseFact {
  readonly symbol: number;
  readonly name: string;
}

/** What one file says about itself. */
export interface FileFacts {
  readonly symbols: readonly SymbolFact[];
  readonly calls: readonly CallFact[];
  readonly imports: readonly ImportFact[];
  readonly bases: readonly BaseFact[];
  /** Variables that calls of this file are made on or with, and fields whose type is told. */
  readonly variables: readonly VariableFact[];
  /** The package or namespace that the file says it belongs to; empty where it says none. */
  readonly namespace: string;
  /** False where only a part of the text could be read. */
  readonly complete: boolean;
}

/** What is known of a text that cannot be read as code. */
export const NO_FACTS: FileFacts = {
  symbols: [],
  calls: [],
  imports: [],
  bases: [],
  variables: [],
  namespace: "",
  complete: false,
};
