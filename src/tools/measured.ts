import { type Outcome, succeed } from "../contract/faults.ts";
import type { ToolContext } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";
import type { Engine } from "../engine/engine.ts";
import type { SymbolFact } from "../engine/parse/facts.ts";
import type { Repository } from "../engine/repository.ts";
import { TRAIT } from "../engine/search/traits.ts";

/** A function and its measurements. */
export interface MeasuredFunction {
  readonly file: string;
  readonly line: number;
  readonly end_line: number;
  readonly symbol: string;
  readonly cyclomatic: number;
  readonly cognitive: number;
}

/** The functions of a file, in source order. */
export function measureFunctions(file: string, symbols: readonly SymbolFact[]): MeasuredFunction[] {
  const names: string[] = [];
  return symbols.flatMap(({ name, parent, owner, startLine, endLine, cyclomatic, cognitive }, at) => {
    const around = parent === null ? owner : (names[parent] ?? "");
    names[at] = around === "" ? name : `${around}.${name}`;
    if (cyclomatic === 0) return [];
    return [{ file, line: startLine, end_line: endLine, symbol: names[at], cyclomatic, cognitive }];
  });
}

/** Complexity of a file: the sum over all of its functions. */
export function sumComplexity(symbols: readonly SymbolFact[]): number {
  return symbols.reduce((sum, { cyclomatic }) => sum + cyclomatic, 0);
}

/**
 * Checks a path given by the caller. Contract: returns it relative to the root, empty for the root itself; a fault if
 * nothing may be reported about it.
 */
export function resolveScope(
  tool: string,
  { resolvePath }: Pick<Engine, "resolvePath">,
  written: string,
  { root, isExcluded }: ToolContext,
): Outcome<string> {
  const inside = resolvePath(root, written);
  if (!inside.ok) return inside;
  const path = inside.value;
  return path !== "" && isExcluded(path) ? TOOL_FAULTS.excluded(tool, written) : succeed(path);
}

/** Code files below a path; if there are none, the path itself, even if it is not indexed. */
export function codeBelow({ index }: Repository, path: string): string[] {
  const found: string[] = [];
  for (let file = 0; file < index.fileCount; file++) {
    const own = index.pathOf(file);
    const isBelow = path === "" || own.startsWith(`${path}/`);
    if (isBelow && ((index.traits[file] ?? 0) & (TRAIT.prose | TRAIT.generated)) === 0) found.push(own);
  }
  return found.length > 0 || path === "" ? found : [path];
}
