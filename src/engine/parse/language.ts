import type { ImportedName, SymbolKind, Visibility } from "./facts.ts";

/** What an import statement says, before its line is known. */
export interface Import {
  readonly source: string;
  readonly names: readonly ImportedName[];
}

/** What the rules of a language are asked about a symbol. */
export interface Declared {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Kind of the symbol around it, null at the top of a file. */
  readonly parentKind: SymbolKind | null;
  /** The type it belongs to, empty where there is none. */
  readonly owner: string;
  /** Everything that the code says before the name, on one line. */
  readonly head: string;
  /** Visibility said by a label above it (`private:`), empty where there is none. */
  readonly section: string;
}

/** Who sees a symbol; `exported` is said for the symbol alone, what is in an unexported one is not exported either. */
export interface Access {
  readonly visibility: Visibility;
  readonly exported: boolean;
}

/**
 * One language: what the nodes of its grammar mean in the words that the extractor knows.
 *
 * The captures of its rules (`pattern.ts`):
 * - `@def.<kind>` a definition, with `@name` and, where it has one, `@owner`, in the same pattern. Of several patterns
 *   for one name the first counts. A function inside a type is a method, a variable in capitals a constant.
 * - `@type` a block that adds members to a type named by `@owner` in the same pattern.
 * - `@call`, `@new`, `@macro`, `@decorator` the name of what is called, with `@receiver` in the same pattern; `@mention`
 *   a name that is a call unless it is a `@local` of the same symbol; `@skip` no call. Of several patterns for one name
 *   the first counts.
 * - `@import` a statement for `readImport`, whose `@name` is no definition; `@base` the name of a base type; `@access` a label for what follows in the
 *   type; `@export` a name that is exported somewhere else than at its definition.
 * - `@typed` a name of which the type is told by `@written` or by `@value` (an expression), or not at all; `@field`
 *   one of the type around it; `@part` the part of that name of what `@written` or `@value` say,
 *   `@each` an element of it; `@returned` what a function
 *   gives back. Of several patterns for one name the first counts. `@package` what the file belongs to; `@default` the
 *   name of what the file gives out without a name, `@renamed` the one that it gives `@name` out under; `@called` what a
 *   call of the type around gives.
 * - `@branch` one more way, weighed by depth, and one level deeper; `@elseif` one more way on the same level;
 *   `@chained` the `if` of an `else if` whose `else` is counted; `@else`, `@jump` harder to follow, no way more;
 *   `@case` one more way; `@switch` weighed by depth, no way of its own; `@and`, `@or` operators that may stop early;
 *   `@nest` one level deeper; `@scope` an unnamed function whose ways are its own. Of several for one node the first
 *   pattern counts.
 * A name that starts with `_` is for the query's own conditions.
 */
export interface Language {
  /** As in `base/languages.ts`, which has its endings, its comments and where its grammar comes from. */
  readonly id: string;
  readonly rules: string;
  /** Whether a text at the start of the body is the comment. */
  readonly docInBody?: boolean;
  /** Types of the children that are bodies, where the grammar has no field for them. */
  readonly bodies?: ReadonlySet<string>;
  /** Whether a function without a body is a whole one, and not only declared. */
  readonly emptyBodies?: boolean;
  /** Names that are part of the language where nothing stands before them. */
  readonly ignoredCalls?: ReadonlySet<string>;
  readonly access: (declared: Declared) => Access;
  readonly readImport: (statement: string) => readonly Import[];
}
