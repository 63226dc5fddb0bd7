import type { CallKind, FileFacts } from "../parse/facts.ts";

/** A symbol of a file. */
export interface Place {
  readonly file: number;
  readonly symbol: number;
}

/**
 * What resolution asks of all files, which are numbers from 0.
 *
 * Contract: answers do not change while a resolver is in use.
 */
export interface Definitions {
  readonly fileCount: number;
  /** From the root, with slashes. */
  path(file: number): string;
  /** Id of the language, empty for a file that is only text. */
  language(file: number): string;
  facts(file: number): FileFacts;
  /** Every symbol of that name, in a fixed order. */
  named(name: string): readonly Place[];
  fileAt(path: string): number | undefined;
  /** The text of a settings file (`package.json`, `go.mod`), undefined where it is not to be had. */
  text(file: number): string | undefined;
}

/** A call whose target is known. */
export interface CallEdge {
  /** The symbol that calls; null for the file itself. */
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

/** Where what one file says leads to. */
export interface FileEdges {
  readonly calls: readonly CallEdge[];
  readonly bases: readonly BaseEdge[];
  /** Files that it imports from, each once. */
  readonly imports: readonly number[];
}
