import type { SymbolFact } from "../parse/facts.ts";
import { isType } from "./file-view.ts";

/**
 * Traits checked for each symbol found by name, one bit each: cheap, because popular names have hundreds of
 * definitions.
 */
export const SYMBOL = {
  /** At the top level of its file, or of a module in it. */
  top: 1,
  /** Visible only in its own file. */
  private: 2,
  type: 4,
  module: 8,
  /** Has a body. */
  whole: 16,
} as const;

/** The traits of all symbols of a file. */
export function traitsOf(symbols: readonly SymbolFact[]): Uint8Array {
  return Uint8Array.from(symbols, (symbol) => {
    const { kind, parent, owner, visibility, cyclomatic } = symbol;
    const isModule = kind === "module";
    const isTop = parent === null ? owner === "" || isType(symbol) || isModule : symbols[parent]?.kind === "module";
    return (
      (isTop ? SYMBOL.top : 0) |
      (visibility === "private" ? SYMBOL.private : 0) |
      (isType(symbol) ? SYMBOL.type : 0) |
      (isModule ? SYMBOL.module : 0) |
      (cyclomatic > 0 ? SYMBOL.whole : 0)
    );
  });
}
