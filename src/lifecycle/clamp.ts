import * as z from "zod/mini";
import { type Fault, type fail, type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { CallOrigin, ToolDeclaration } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";

// Each schema is used once or twice in a process: compiling it to code first would cost more than it saves.
z.config({ jitless: true });

/** Arguments lowered to their ceilings, with a limit for each lowered value. */
interface ClampedArgs {
  readonly args: Readonly<Record<string, unknown>>;
  readonly limits: readonly Limit[];
}

/** Arguments that match their schema, with the parsed input: in range, and with all defaults filled in. */
interface CheckedArgs extends ClampedArgs {
  readonly input: Record<string, unknown>;
}

/** Why arguments were rejected: the first issue that their schema reports. */
export interface Rejection {
  readonly issue: z.core.$ZodIssue;
  readonly args: Readonly<Record<string, unknown>>;
}

type Checked =
  | { readonly ok: true; readonly value: CheckedArgs }
  | { readonly ok: false; readonly fault: Fault; readonly rejection?: Rejection };

/**
 * Lowers arguments to their ceilings and checks them against their schema. Contract: pure; idempotent; ceilings apply
 * to automatic calls only, schema ranges to all calls; arguments that cannot be clamped are rejected with the key's
 * name.
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
  // `args` keeps no defaults, so that hooks see the requested arguments; only the tool sees its defaults.
  if (parsed.success) return succeed({ ...lowered.value, input: parsed.data });
  const [issue] = parsed.error.issues;
  const rejected = reject(tool, ...toReason(issue));
  return issue === undefined ? rejected : { ...rejected, rejection: { issue, args } };
}

/**
 * Lowers arguments to their ceilings and ignores all other errors. Contract: as `clampArgs`, but without the schema.
 */
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

/** The invalid key, and the tool's own message about it if there is one. */
function toReason(issue: z.core.$ZodIssue | undefined): [key: string, hint?: string] {
  const key = String(issue?.path[0] ?? "input");
  return issue === undefined || issue.message === UNTOLD ? [key] : [key, issue.message];
}

/** Message of the schema library for an issue whose schema defines no message of its own. */
export const UNTOLD = "Invalid input";

function reject(tool: ToolDeclaration, key: string, hint?: string): ReturnType<typeof fail> {
  return TOOL_FAULTS.badInput(tool.name, labelOf(tool, key), hint);
}

function renameAliases(tool: ToolDeclaration, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [tool.aliases?.[key] ?? key, value]));
}

/** Name by which users know an input: its alias if it has one. */
function labelOf(tool: ToolDeclaration, key: string): string {
  return Object.entries(tool.aliases ?? {}).find(([, target]) => target === key)?.[0] ?? key;
}
