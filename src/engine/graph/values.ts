import { headOf } from "../parse/chain.ts";
import type { VariableFact } from "../parse/facts.ts";

/** What an expression is found to be, with how sure that is (`trust`, above 0, at most 1). */
export type Value =
  /** A definition itself: a class, a function, a variable. */
  | { readonly kind: "symbol"; readonly file: number; readonly symbol: number; readonly trust: number }
  /** Something of a type that is defined here. */
  | { readonly kind: "object"; readonly file: number; readonly symbol: number; readonly trust: number }
  /** An object of a type, seen as one of its bases. */
  | { readonly kind: "base"; readonly file: number; readonly symbol: number; readonly trust: number }
  /** A module: the names of some files. */
  | { readonly kind: "module"; readonly files: readonly number[]; readonly trust: number }
  /** A package whose files name it themselves. */
  | { readonly kind: "namespace"; readonly name: string; readonly family: string; readonly trust: number }
  /** Something of a type as it is written at a place. */
  | { readonly kind: "written"; readonly type: string; readonly where: Where; readonly trust: number }
  /** Something that is not defined in this repository. */
  | { readonly kind: "outside" }
  /** A variable that nothing is known of. */
  | { readonly kind: "unknown" };

/** A place in the code: what a name means depends on it. */
export interface Where {
  readonly file: number;
  /** The symbol that the code stands in; null for the top of the file. */
  readonly scope: number | null;
  readonly line: number;
}

/** Known, and known not to be here. */
export const OUTSIDE: Value = { kind: "outside" };

/** There, and not known. */
export const UNKNOWN: Value = { kind: "unknown" };

/** Whether a value leads anywhere. */
export const isKnown = (value: Value | undefined): value is Exclude<Value, { readonly kind: "outside" | "unknown" }> =>
  value !== undefined && value.kind !== "outside" && value.kind !== "unknown";

/** A value that is trusted less than it was. */
export function lessSure(value: Value, factor: number): Value {
  return !isKnown(value) ? value : { ...value, trust: value.trust * factor };
}

/** Where the value of a variable is read: one that is made of its own name means the one before it (`x = x.y`). */
export function beforeIt({ name, type, line }: VariableFact, where: Where): Where {
  const isOwn = type.startsWith("=") && headOf(type.slice(1)) === name;
  return { ...where, line: isOwn ? line - 1 : line };
}
