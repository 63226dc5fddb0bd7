import type { CallKind, FileFacts } from "../parse/facts.ts";

/** A symbol of a file. */
export interface SymbolPlace {
  readonly file: number;
  readonly symbol: number;
}

/**
 * What resolution needs from all files, which are numbered from 0.
 *
 * Contract: answers do not change while a resolver is in use.
 */
export interface Definitions {
  readonly fileCount: number;
  /** Relative to the root, with slashes. */
  path(file: number): string;
  /** Id of the language; empty for a plain text file. */
  language(file: number): string;
  facts(file: number): FileFacts;
  /** For each symbol of a file, its traits (`symbol-traits.ts`): costs far less than its facts. */
  traits(file: number): Uint8Array;
  /** Every symbol with that name, in a fixed order. */
  named(name: string): readonly SymbolPlace[];
  fileAt(path: string): number | undefined;
  /** The text of a settings file (`package.json`, `go.mod`); undefined if it is not available. */
  text(file: number): string | undefined;
}

/** A call whose target is known. */
export interface CallEdge {
  /** The calling symbol; null for the file itself. */
  readonly from: number | null;
  readonly toFile: number;
  readonly toSymbol: number;
  readonly line: number;
  /** Above 0, at most 1. */
  readonly confidence: number;
  readonly kind: CallKind;
}

/** A symbol that extends, implements or mixes in another. */
export interface BaseEdge {
  readonly symbol: number;
  readonly toFile: number;
  readonly toSymbol: number;
}

/** All edges that start in one file. */
export interface FileEdges {
  readonly calls: readonly CallEdge[];
  readonly bases: readonly BaseEdge[];
  /** Files that it imports from, each once. */
  readonly imports: readonly number[];
}
