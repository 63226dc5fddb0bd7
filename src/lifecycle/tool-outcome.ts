import * as z from "zod/mini";
import { guessFindings } from "../base/guess-findings.ts";
import type { Fault } from "../contract/faults.ts";
import type { Limit } from "../contract/limits.ts";
import type { Redaction, ToolResult } from "../contract/run-document.ts";
import type { ToolDeclaration, ToolFinding } from "../contract/tool.ts";
import { type HookVerdicts, NO_HOOK_RAN } from "../contract/tool-hooks.ts";
import type { Rejection } from "./clamp.ts";

/** What a call came to. */
export interface ToolOutcome {
  readonly result: ToolResult;
  readonly fault: Fault | null;
  /** What is wrong with the arguments; null where they were not refused. */
  readonly rejection: Rejection | null;
  /** The places that the data tells of; null where it tells of none. */
  readonly findings: readonly ToolFinding[] | null;
  readonly limits: readonly Limit[];
  /** Version told with its findings. */
  readonly version: string;
  /** What the hooks before and after it came to. */
  readonly hooks: HookVerdicts;
}

interface OutcomeParts extends Omit<ToolOutcome, "result" | "rejection" | "findings" | "hooks"> {
  readonly tool: string;
  /** As the fault says, unless given. */
  readonly status?: ToolResult["status"];
  readonly startedAt: string;
  readonly durationMs?: number;
  readonly summary: string;
  readonly data?: Record<string, unknown> | undefined;
  /** What whoever asked is told of the fault; its own message, unless given. */
  readonly message?: string;
  readonly redactions?: readonly Redaction[];
  readonly isCut?: boolean;
  readonly rejection?: Rejection | null;
  readonly findings?: readonly ToolFinding[] | null;
  readonly hooks?: HookVerdicts;
}

/** Makes an outcome: the only place that does. Contract: every key of a result is there, whatever became of the call. */
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

/** True for a limit that only repeats why the call failed: that its tool did, or else that a hook did. */
export function repeatsFault({ code, tool }: Limit, { result, fault, limits }: ToolOutcome): boolean {
  if (fault === null || tool !== result.tool) return false;
  const isOwn = limits.some((limit) => limit.code === fault.code && limit.tool === result.tool);
  return code === fault.code || code === "notReadOnly" || (code === "hookFailed" && !isOwn);
}

/** Whether data is what the tool promises: a program that stands in for it may answer with anything. */
export function fitsOutput({ output }: ToolDeclaration, data: unknown): boolean {
  return output === undefined || z.safeParse(output(), data).success;
}

/** The findings of data that did not come from the tool itself: its own reading where the shape is its own, else a guess. */
export function readForeignData(
  tool: ToolDeclaration | undefined,
  data: Record<string, unknown>,
): readonly ToolFinding[] | null {
  const isOwn = tool?.output !== undefined && fitsOutput(tool, data);
  return isOwn ? tool.toFindings(data) : guessFindings(data);
}
