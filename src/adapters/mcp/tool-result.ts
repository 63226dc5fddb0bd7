import { toLimitsField, toLimitsText } from "../../contract/limits.ts";
import { CALL_ERRORS } from "../../contract/mcp.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { failureOf } from "../../contract/tool-hooks.ts";
import { guardLimits } from "../../lifecycle/guard.ts";
import { fitsOutput, repeatsFault, type ToolOutcome } from "../../lifecycle/tool-outcome.ts";
import { sayInvalid, showName } from "./invalid-args.ts";

/** The result of a call. */
export type CallResult = {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

/** Makes an error result. */
export function toErrorResult(text: string): CallResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Message for a client that calls an unknown tool. */
export function sayUnknownTool(name: string): string {
  return CALL_ERRORS.unknownTool(showName(name));
}

/** Converts an outcome to an MCP result. Contract: pure; every limit is in both the text and the structured data. */
export function toCallResult(tool: ToolDeclaration, outcome: ToolOutcome): CallResult {
  const { result, fault, rejection } = outcome;
  if (fault !== null) {
    const said = CALL_ERRORS.failed(rejection === null ? result.error.message : sayInvalid(tool, rejection));
    return toErrorResult([said, ...sayMore(outcome)].join("\n"));
  }
  const limits = guardLimits(outcome.limits);
  const data = result.data ?? {};
  const structured = { ...(fitsOutput(tool, data) ? data : { data }), ...toLimitsField(limits) };
  const own = data["text"];
  const text = typeof own === "string" ? [own, toLimitsText(limits)].filter(Boolean).join("\n\n") : null;
  return {
    content: [{ type: "text", text: text ?? JSON.stringify(structured) }],
    structuredContent: structured,
  };
}

/** Further information on a failed call: the full output of the hook that failed it, and other limits. */
export function sayMore(outcome: ToolOutcome): string[] {
  const failure = failureOf(outcome.hooks);
  const hook =
    failure === null ? "" : CALL_ERRORS.hookFailed(failure.command, failure.exitCode, failure.output, failure.error);
  // The fault is also among the limits, and must not be repeated.
  const others = outcome.limits.filter((limit) => !repeatsFault(limit, outcome));
  return [hook, toLimitsText(guardLimits(others))].filter(Boolean);
}
