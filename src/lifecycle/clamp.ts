import * as z from "zod/mini";
import { type Fault, type fail, type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { CallOrigin, ToolDeclaration } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";

// Each schema is used once or twice in a process: compiling it to code first would cost more than it saves.
z.config({ jitless: true });

/** Arguments that may be used, and what had to be lowered for it. */
interface ClampedArgs {
  readonly args: Readonly<Record<string, unknown>>;
  readonly limits: readonly Limit[];
}

/** Arguments that fit their schema, and what it makes of them: in range, and with all defaults. */
interface CheckedArgs extends ClampedArgs {
  readonly input: Record<string, unknown>;
}

/** What is wrong with arguments: the first thing that their schema has against them. */
export interface Rejection {
  readonly issue: z.core.$ZodIssue;
  readonly args: Readonly<Record<string, unknown>>;
}

type Checked =
  | { readonly ok: true; readonly value: CheckedArgs }
  | { readonly ok: false; readonly fault: Fault; readonly rejection?: Rejection };

/**
 * Brings arguments into their range. Contract: pure; a second application changes nothing; ceilings bite on automatic
 * calls only, the schema's ranges on all; what cannot be brought into range is rejected with the key's name.
 */
export function clampArgs(
  tool: ToolDeclaration,
  ceilings: Readonly<Record<string, number>>,
  given: Readonly<Record<string, unknown>>,
  origin: CallOrigin,
): Checked {
  const lowered = lowerArgs(tool, origin === "auto" ? ceilings : {}, given);
  if (!lowered.ok) return lowered;
  const { args } = lowered.value;
  const parsed = z.safeParse(tool.input(), args);
  // `args` stay as they are, so that hooks see what was asked for; only the tool sees its defaults.
  if (parsed.success) return succeed({ ...lowered.value, input: parsed.data });
  const [issue] = parsed.error.issues;
  const rejected = reject(tool, ...toReason(issue));
  return issue === undefined ? rejected : { ...rejected, rejection: { issue, args } };
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
function toReason(issue: z.core.$ZodIssue | undefined): [key: string, hint?: string] {
  const key = String(issue?.path[0] ?? "input");
  return issue === undefined || issue.message === UNTOLD ? [key] : [key, issue.message];
}

/** What the schemas of this library say where nobody wrote a sentence of their own. */
export const UNTOLD = "Invalid input";

function reject(tool: ToolDeclaration, key: string, hint?: string): ReturnType<typeof fail> {
  return TOOL_FAULTS.badInput(tool.name, labelOf(tool, key), hint);
}

function renameAliases(tool: ToolDeclaration, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [tool.aliases?.[key] ?? key, value]));
}

/** The word that people know an input by: its alias where it has one. */
function labelOf(tool: ToolDeclaration, key: string): string {
  return Object.entries(tool.aliases ?? {}).find(([, target]) => target === key)?.[0] ?? key;
}
