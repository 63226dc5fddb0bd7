import type { IndexedDefinition } from "./search/source.ts";

/** The smallest definition that contains a line; null if there is none. */
export function innermost(definitions: readonly IndexedDefinition[], line: number): IndexedDefinition | null {
  let found: IndexedDefinition | null = null;
  for (const own of definitions) {
    const isAround = own.line <= line && line <= own.endLine;
    if (isAround && (found === null || own.endLine - own.line < found.endLine - found.line)) found = own;
  }
  return found;
}
