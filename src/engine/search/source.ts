/**
 * Where in a file a term can occur. `body` is the whole text, including `name` (the names of definitions) and `doc`
 * (comments and doc strings); `path` contains the file name twice, and the names of its three innermost folders.
 */
export type Field = "body" | "name" | "path" | "doc";

/** All fields, in storage order. */
export const FIELDS: readonly Field[] = ["body", "name", "path", "doc"];

/** Makes a value for each field. */
export function perField<T>(make: (field: Field) => T): Record<Field, T> {
  return { body: make("body"), name: make("name"), path: make("path"), doc: make("doc") };
}

/** The kind of a definition, as far as it matters for ranking. */
export type DefinitionKind = "type" | "function" | "value";

/** A definition with its place. */
export interface IndexedDefinition {
  readonly name: string;
  /** Name qualified by the enclosing types: `Parser.parse`. */
  readonly qualified: string;
  readonly kind: DefinitionKind;
  /** First and last line, 1-based, inclusive. */
  readonly line: number;
  readonly endLine: number;
}

/** The smallest definition that contains a line; null if there is none. */
export function innermost(definitions: readonly IndexedDefinition[], line: number): IndexedDefinition | null {
  let found: IndexedDefinition | null = null;
  for (const own of definitions) {
    const isAround = own.line <= line && line <= own.endLine;
    if (isAround && (found === null || own.endLine - own.line < found.endLine - found.line)) found = own;
  }
  return found;
}

/**
 * Occurrences of a term in the whole repository. Contract: `files` is ascending and contains every file that has the
 * term in any field; the columns of `counts` have the same length as `files`.
 */
export interface Postings {
  readonly files: ArrayLike<number>;
  /** Number of occurrences in each file, by field. */
  readonly counts: Readonly<Record<Field, ArrayLike<number>>>;
  /** Lines of `files[at]` that have the term in the body: 1-based, ascending, without duplicates. */
  readonly linesAt: (at: number) => ArrayLike<number>;
}

/** Number of files that contain a term, out of `of`. */
export interface Spread {
  readonly having: number;
  readonly of: number;
}

/** A definition and its file. */
export interface PlacedDefinition {
  readonly file: number;
  readonly definition: IndexedDefinition;
}

/**
 * Everything ranking needs from an index; files are numbered from 0. Contract: results are deterministic and must not
 * be modified by the caller; an unknown term, name or file yields an empty result.
 * Usage: columns (`traits`, `lines`, `lengths`) are read for all files; `postings` once per term, about fifty times per
 * question and 160 times per issue at most; `definitionsIn` for 60 files per question and 140 per issue; the rest for
 * fewer.
 */
export interface SearchIndex {
  readonly fileCount: number;
  /** `TRAIT` bits of each file. */
  readonly traits: ArrayLike<number>;
  /** Number of lines of each file. */
  readonly lines: ArrayLike<number>;
  /** Number of terms in a field of each file, duplicates included. */
  readonly lengths: Readonly<Record<Field, ArrayLike<number>>>;
  /** Mean of `lengths` over all files. */
  readonly meanLengths: Readonly<Record<Field, number>>;
  readonly pathOf: (file: number) => string;
  readonly postings: (term: string) => Postings;
  /** How common a term is; null unless the index contains only some of the files. */
  readonly spreadOf: (term: string) => Spread | null;
  /** Ordered by line. */
  readonly definitionsIn: (file: number) => readonly IndexedDefinition[];
  /** Definitions with this name, ignoring case, in file order. An index may stop at 200. */
  readonly definitionsNamed: (name: string) => readonly PlacedDefinition[];
  /** Files whose name without its last extension is `stem`, ignoring case; ascending. */
  readonly filesNamed: (stem: string) => readonly number[];
}
