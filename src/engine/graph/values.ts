import { headOf } from "../parse/chain.ts";
import type { VariableFact } from "../parse/facts.ts";

/** What an expression evaluates to, with the confidence (`trust`, above 0, at most 1). */
export type Value =
  | SymbolValue
  /** A module: the names of some files. */
  | { readonly kind: "module"; readonly files: readonly number[]; readonly trust: number }
  /** A package that its files declare by name. */
  | { readonly kind: "namespace"; readonly name: string; readonly family: string; readonly trust: number }
  /** An instance of a type, as the type is written at a place. */
  | { readonly kind: "written"; readonly type: string; readonly where: Where; readonly trust: number }
  /** Something that is not defined in this repository. */
  | { readonly kind: "outside" }
  /** A variable about which nothing is known. */
  | { readonly kind: "unknown" };

/** Something that is defined here. */
export interface SymbolValue {
  /**
   * `symbol`: the definition itself, of a class, a function, a variable; `object`: an instance of a type; `base`: an
   * instance of a type, seen as one of its bases.
   */
  readonly kind: "symbol" | "object" | "base";
  readonly file: number;
  readonly symbol: number;
  readonly trust: number;
}

/** A place in the code, which determines what a name refers to. */
export interface Where {
  readonly file: number;
  /** The enclosing symbol; null for the top of the file. */
  readonly scope: number | null;
  readonly line: number;
}

/** Known not to be defined here. */
export const OUTSIDE: Value = { kind: "outside" };

/** Exists, but its value is not known. */
export const UNKNOWN: Value = { kind: "unknown" };

/** Whether a value can be followed further. */
export const isKnown = (value: Value | undefined): value is Exclude<Value, { readonly kind: "outside" | "unknown" }> =>
  value !== undefined && value.kind !== "outside" && value.kind !== "unknown";

/** Reduces the trust of a value. */
export function lessSure(value: Value, factor: number): Value {
  return !isKnown(value) ? value : { ...value, trust: value.trust * factor };
}

/**
 * Where the value of a variable is evaluated: if it is defined by its own name (`x = x.y`), the previous definition is
 * meant.
 */
export function beforeIt({ name, type, line }: VariableFact, where: Where): Where {
  const isOwn = type.startsWith("=") && headOf(type.slice(1)) === name;
  return { ...where, line: isOwn ? line - 1 : line };
}
