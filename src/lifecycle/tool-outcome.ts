import * as z from "zod/mini";
import { guessFindings } from "../base/guess-findings.ts";
import type { Fault } from "../contract/faults.ts";
import type { Limit } from "../contract/limits.ts";
import type { Redaction, ToolResult } from "../contract/run-document.ts";
import type { ToolDeclaration, ToolFinding } from "../contract/tool.ts";
import { type HookVerdicts, NO_HOOK_RAN } from "../contract/tool-hooks.ts";
import type { Rejection } from "./clamp.ts";

/** Outcome of a call. */
export interface ToolOutcome {
  readonly result: ToolResult;
  readonly fault: Fault | null;
  /** Why the arguments were rejected; null if they were not. */
  readonly rejection: Rejection | null;
  /** Places that the data reports; null if it reports none. */
  readonly findings: readonly ToolFinding[] | null;
  readonly limits: readonly Limit[];
  /** Version reported with the findings. */
  readonly version: string;
  /** Verdicts of the hooks before and after the call. */
  readonly hooks: HookVerdicts;
}

interface OutcomeParts extends Omit<ToolOutcome, "result" | "rejection" | "findings" | "hooks"> {
  readonly tool: string;
  /** Derived from the fault unless given. */
  readonly status?: ToolResult["status"];
  readonly startedAt: string;
  readonly durationMs?: number;
  readonly summary: string;
  readonly data?: Record<string, unknown> | undefined;
  /** Message about the fault for the caller; the fault's own message unless given. */
  readonly message?: string;
  readonly redactions?: readonly Redaction[];
  readonly isCut?: boolean;
  readonly rejection?: Rejection | null;
  readonly findings?: readonly ToolFinding[] | null;
  readonly hooks?: HookVerdicts;
}

/** Builds an outcome; no other code does. Contract: the result has every required key, however the call ended. */
export function makeOutcome(parts: OutcomeParts): ToolOutcome {
  const { tool, fault, data, limits, version, rejection = null, findings = null, hooks = NO_HOOK_RAN } = parts;
  const result: ToolResult = {
    tool,
    status: parts.status ?? toStatus(fault),
    started_at: parts.startedAt,
    duration_ms: parts.durationMs ?? 0,
    summary: parts.summary,
    ...(data === undefined ? {} : { data }),
    error: { message: parts.message ?? fault?.message ?? "", ...(fault === null ? {} : { code: fault.code }) },
    redactions: [...(parts.redactions ?? [])],
    truncated: parts.isCut ?? false,
  };
  return { result, fault, rejection, findings, limits, version, hooks };
}

function toStatus(fault: Fault | null): ToolResult["status"] {
  if (fault === null) return "ok";
  if (fault.code === "E_TIMEOUT") return "timeout";
  return fault.code === "E_INVALID_ARGS" ? "skipped" : "error";
}

/** True for a limit that only repeats why the call failed: the fault of its tool, or else the hook that failed. */
export function repeatsFault({ code, tool }: Limit, { result, fault, limits }: ToolOutcome): boolean {
  if (fault === null || tool !== result.tool) return false;
  const isOwn = limits.some((limit) => limit.code === fault.code && limit.tool === result.tool);
  return code === fault.code || code === "notReadOnly" || (code === "hookFailed" && !isOwn);
}

/** True if data matches the output schema of the tool, if any; a program that replaces the tool may return anything. */
export function fitsOutput({ output }: ToolDeclaration, data: unknown): boolean {
  return output === undefined || z.safeParse(output(), data).success;
}

/**
 * Findings in data that does not come from the tool itself: read by the tool's `toFindings` if the data matches its
 * output schema, else guessed.
 */
export function readForeignData(
  tool: ToolDeclaration | undefined,
  data: Record<string, unknown>,
): readonly ToolFinding[] | null {
  const isOwn = tool?.output !== undefined && fitsOutput(tool, data);
  return isOwn ? tool.toFindings(data) : guessFindings(data);
}
