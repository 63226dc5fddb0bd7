/**
 * Where in a file a term can stand. `body` is the whole text, so that it has what `name` (the names of definitions) and
 * `doc` (comments and doc strings) have; `path` is the file's name, twice, and those of its three innermost folders.
 */
export type Field = "body" | "name" | "path" | "doc";

/** All fields, in the order in which they are kept. */
export const FIELDS: readonly Field[] = ["body", "name", "path", "doc"];

/** What a definition is, as far as ranking cares. */
export type DefinitionKind = "type" | "function" | "value";

/** A definition with its place. */
export interface IndexedDefinition {
  readonly name: string;
  /** Name with those of the types around it: `Parser.parse`. */
  readonly qualified: string;
  readonly kind: DefinitionKind;
  /** First and last line, 1-based, both included. */
  readonly line: number;
  readonly endLine: number;
}

/**
 * Where a term stands in the whole repository. Contract: `files` ascending, every file that has the term in any field;
 * the columns of `counts` are as long as `files`.
 */
export interface Postings {
  readonly files: ArrayLike<number>;
  /** How often each of the files has the term in a field. */
  readonly counts: Readonly<Record<Field, ArrayLike<number>>>;
  /** Lines of `files[at]` that have the term in the body: 1-based, ascending, without doubles. */
  readonly linesAt: (at: number) => ArrayLike<number>;
}

/** A definition and the file it stands in. */
export interface PlacedDefinition {
  readonly file: number;
  readonly definition: IndexedDefinition;
}

/**
 * All that ranking asks of an index; files are numbered from 0 in the order of their paths. Contract: answers are the same
 * every time and are not changed by the caller; an unknown term, name or file has an empty answer.
 *
 * Columns (`traits`, `lines`, `lengths`) are read for all files; `postings` once a term, at most about fifty times a
 * question and 160 times an issue; `definitionsIn` for 60 files a question and 140 an issue; the rest for fewer.
 */
export interface SearchIndex {
  readonly fileCount: number;
  /** Bits of `TRAIT`, a file. */
  readonly traits: ArrayLike<number>;
  /** Lines, a file. */
  readonly lines: ArrayLike<number>;
  /** Terms that a file has in a field, doubles included. */
  readonly lengths: Readonly<Record<Field, ArrayLike<number>>>;
  /** Mean of `lengths` over all files. */
  readonly meanLengths: Readonly<Record<Field, number>>;
  readonly pathOf: (file: number) => string;
  readonly postings: (term: string) => Postings;
  /** How many files have a term, of how many, where the index holds only some of the files; null where it holds all. */
  readonly spreadOf: (term: string) => { readonly having: number; readonly of: number } | null;
  /** In the order of their lines. */
  readonly definitionsIn: (file: number) => readonly IndexedDefinition[];
  /** Definitions of this name, whatever the case of its letters, in the order of their files. An index may stop at 200. */
  readonly definitionsNamed: (name: string) => readonly PlacedDefinition[];
  /** Files whose name without its last ending is this, whatever the case of its letters; ascending. */
  readonly filesNamed: (stem: string) => readonly number[];
}
