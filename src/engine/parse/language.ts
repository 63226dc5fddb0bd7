import type { ImportedName, SymbolKind, Visibility } from "./facts.ts";

/** The content of an import statement, without its line. */
export interface Import {
  readonly source: string;
  readonly names: readonly ImportedName[];
}

/** What a language's rules are given about a symbol. */
export interface Declared {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Kind of the enclosing symbol; null at the top of a file. */
  readonly parentKind: SymbolKind | null;
  /** The type it belongs to; empty if there is none. */
  readonly owner: string;
  /** Everything before the name in the declaration, on one line. */
  readonly head: string;
  /** Visibility given by a label above it (`private:`); empty if there is none. */
  readonly section: string;
}

/**
 * Who can see a symbol; `exported` is for the symbol alone: members of an unexported symbol are not exported either.
 */
export interface Access {
  readonly visibility: Visibility;
  readonly exported: boolean;
}

/**
 * One language: maps the nodes of its grammar to the captures that the extractor understands.
 *
 * The captures of its rules (`pattern.ts`). If several patterns capture the same definition, call, type or complexity
 * node, the first one wins:
 * - `@def.<kind>`: a definition, with `@name` and, if it has one, `@owner` in the same pattern; `@own`: the anonymous
 *   function that it names. A function inside a type becomes a method, a variable in capitals a constant.
 * - `@type`: a block that adds members to the type named by `@owner` in the same pattern.
 * - `@call`, `@new`, `@macro`, `@decorator`: the name of what is called, with `@receiver` in the same pattern;
 *   `@mention`: a name that is a call unless it is a `@local` of the same symbol; `@skip`: not a call.
 * - `@import`: a statement for `readImport`, whose `@name` is not a definition; `@base`: the name of a base type;
 *   `@access`: a label for what follows in the type; `@export`: a name that is exported elsewhere than at its
 *   definition.
 * - `@typed`: a name whose type is given by `@written` or by `@value` (an expression), or is unknown; `@field`: a field
 *   of the enclosing type; `@part`: the part with that name of what `@written` or `@value` give; `@each`: an element of
 *   it; `@returned`: what a function returns; `@called`: the result of calling the enclosing type.
 * - `@package`: what the file belongs to; `@default`: the name of the default export; `@renamed`: the name under which
 *   `@name` is exported.
 * - `@branch`: one more path, weighted by depth, and one level deeper; `@elseif`: one more path on the same level;
 *   `@chained`: the `if` of an `else if` whose `else` is counted; `@else`, `@jump`: harder to follow, but no further
 *   path; `@case`: one more path; `@switch`: weighted by depth, but no path of its own; `@and`, `@or`: short-circuit
 *   operators; `@nest`: one level deeper; `@scope`: an anonymous function with paths of its own.
 *
 * A name that starts with `_` is only for the pattern's own conditions.
 */
export interface Language {
  /** As in `base/languages.ts`, which also defines its endings, its comments and the source of its grammar. */
  readonly id: string;
  readonly rules: string;
  /** Whether a string at the start of the body is the doc comment. */
  readonly docInBody?: boolean;
  /** Node types of bodies, if the grammar has no field for them. */
  readonly bodies?: ReadonlySet<string>;
  /** Whether a function without a body is complete rather than a mere declaration. */
  readonly emptyBodies?: boolean;
  /** Names that belong to the language if they have no receiver. */
  readonly ignoredCalls?: ReadonlySet<string>;
  readonly access: (declared: Declared) => Access;
  readonly readImport: (statement: string) => readonly Import[];
}
