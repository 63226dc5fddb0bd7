import { toLimitsField, toLimitsText } from "../../contract/limits.ts";
import { CALL_ERRORS } from "../../contract/mcp.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { failureOf } from "../../contract/tool-hooks.ts";
import { guardLimits, guardOwn } from "../../lifecycle/guard.ts";
import { fitsOutput, repeatsFault, type ToolOutcome } from "../../lifecycle/tool-outcome.ts";
import { sayInvalid } from "./invalid-args.ts";

/** What a call is answered with. */
export type CallResult = {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

/** What a tool may be called; anything else is not repeated. */
const NAME = /^[A-Za-z][\w.-]{0,63}$/;

/** An error as a result. */
export function toErrorResult(text: string): CallResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** What a client is told who asks for a tool that is not there. */
export function sayUnknownTool(name: string): string {
  return CALL_ERRORS.unknownTool(NAME.test(name) ? guardOwn(name) : "?");
}

/** What became of a call, as MCP tells it. Contract: pure; every limit is told, in the text and beside the data. */
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

/** What there is to say of a call that failed besides why: all of the hook that failed it, and other limits. */
export function sayMore(outcome: ToolOutcome): string[] {
  const failure = failureOf(outcome.hooks);
  const hook =
    failure === null ? "" : CALL_ERRORS.hookFailed(failure.command, failure.exitCode, failure.output, failure.error);
  // The fault itself is among the limits too; said once is enough.
  const others = outcome.limits.filter((limit) => !repeatsFault(limit, outcome));
  return [hook, toLimitsText(guardLimits(others))].filter(Boolean);
}
