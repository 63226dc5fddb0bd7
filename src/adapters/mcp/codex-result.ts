import { toLimitsField, toLimitsText } from "../../contract/limits.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { toShown } from "../../jobs/tools/codex-answers.ts";
import { CODEX_ERROR, toErrorCode } from "../../jobs/tools/texts.ts";
import { guardLimits } from "../../lifecycle/guard.ts";
import type { ToolOutcome } from "../../lifecycle/tool-outcome.ts";
import { sayInvalid } from "./invalid-args.ts";
import { type CallResult, sayMore } from "./tool-result.ts";

/**
 * What became of a call about Codex, as scripts know it. Contract: pure; the first text is the answer alone, and limits
 * stand beside it, in a text and in the data.
 */
export function toCodexResult(tool: ToolDeclaration, outcome: ToolOutcome): CallResult {
  const { fault, result, rejection } = outcome;
  if (fault !== null) {
    const said = rejection === null ? fault.message : sayInvalid(tool, rejection);
    const message = [said, ...sayMore(outcome)].join("\n");
    return toCodexError({
      code: toErrorCode(fault),
      message,
      ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    });
  }
  const limits = guardLimits(outcome.limits);
  const { text, structured } = toShown(result.data ?? {});
  return {
    content: [text, toLimitsText(limits)]
      .filter((each, at) => at === 0 || each !== "")
      .map((each) => ({ type: "text", text: each })),
    ...(structured === null ? {} : { structuredContent: { ...structured, ...toLimitsField(limits) } }),
  };
}

/** An error, for people and for scripts. */
export function toCodexError(error: {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}): CallResult {
  const { message, hint } = error;
  return {
    content: [{ type: "text", text: CODEX_ERROR([message, hint].filter(Boolean).join("\n")) }],
    structuredContent: { error: { ...error } },
    isError: true,
  };
}
