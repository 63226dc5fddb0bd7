import * as z from "zod/mini";
import { type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { CallOrigin, ToolDeclaration } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";

// Each schema is used once or twice in a process: compiling it to code first would cost more than it saves.
z.config({ jitless: true });

/** Arguments that may be used, and what had to be lowered for it. */
export interface ClampedArgs {
  readonly args: Readonly<Record<string, unknown>>;
  readonly limits: readonly Limit[];
}

/**
 * Brings arguments into their range. Contract: pure; a second application changes nothing; ceilings bite on automatic
 * calls only, the schema's ranges on all; what cannot be brought into range is rejected with the key's name.
 */
export function clampArgs(
  tool: ToolDeclaration,
  ceilings: Readonly<Record<string, number>>,
  given: Readonly<Record<string, unknown>>,
  origin: CallOrigin,
): Outcome<ClampedArgs> {
  const lowered = lowerArgs(tool, origin === "auto" ? ceilings : {}, given);
  if (!lowered.ok) return lowered;
  const parsed = z.safeParse(tool.input(), lowered.value.args);
  if (!parsed.success) return reject(tool, ...toRejection(parsed.error.issues[0]));
  // Not what was parsed: what the caller left out is the tool's to fill in, so that hooks see what was asked for.
  return lowered;
}

/** Brings arguments under their ceilings, whatever else may be wrong with them. Contract: as `clampArgs`, no schema. */
export function lowerArgs(
  tool: ToolDeclaration,
  ceilings: Readonly<Record<string, number>>,
  given: Readonly<Record<string, unknown>>,
): Outcome<ClampedArgs> {
  const args = renameAliases(tool, given);
  const limits: Limit[] = [];
  for (const [key, ceiling] of Object.entries(ceilings)) {
    const value = args[key];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isFinite(value)) return reject(tool, key);
    if (value > ceiling) {
      args[key] = ceiling;
      limits.push(LIMITS.clamped(tool.name, labelOf(tool, key), ceiling));
    }
  }
  return succeed({ args, limits });
}

/** The key that is wrong, and what the tool itself says of it. */
function toRejection(issue: z.core.$ZodIssue | undefined): [key: string, hint?: string] {
  const key = String(issue?.path[0] ?? "input");
  return issue === undefined || issue.message === UNTOLD ? [key] : [key, issue.message];
}

/** What the schemas of this library say where nobody wrote a sentence of their own. */
export const UNTOLD = "Invalid input";

function reject(tool: ToolDeclaration, key: string, hint?: string): Outcome<never> {
  return TOOL_FAULTS.badInput(tool.name, labelOf(tool, key), hint);
}

function renameAliases(tool: ToolDeclaration, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [tool.aliases?.[key] ?? key, value]));
}

/** The word that people know an input by: its alias where it has one. */
function labelOf(tool: ToolDeclaration, key: string): string {
  return Object.entries(tool.aliases ?? {}).find(([, target]) => target === key)?.[0] ?? key;
}
