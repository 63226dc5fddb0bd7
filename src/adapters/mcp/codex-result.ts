import { parseObject } from "../../base/text.ts";
import { toLimitsField, toLimitsText } from "../../contract/limits.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import type { ForegroundEnd } from "../../jobs/tools/foreground-run.ts";
import { CODEX_ERROR, toErrorCode } from "../../jobs/tools/texts.ts";
import { guardLimits } from "../../lifecycle/guard.ts";
import type { ToolOutcome } from "../../lifecycle/tool-outcome.ts";
import { sayInvalid } from "./invalid-args.ts";
import { type CallResult, sayMore } from "./tool-result.ts";

/**
 * Converts the outcome of a Codex tool to the format that scripts depend on. Contract: pure; the first text is the
 * answer alone; limits are in a separate text and in the data.
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

/** Makes an error result for people and scripts. */
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

/** Fields of a run's end that its text contains; Codex's own output is only in the data. */
const END_KEYS: readonly (keyof ForegroundEnd)[] = [
  "runId",
  "exitCode",
  "cwd",
  "logFile",
  "instructionsFile",
  "metaFile",
  "lastMessageFile",
  "tag",
  "processExit",
];

/**
 * Converts the tools' data for clients: the exact text that scripts depend on, and the same as data with additions for
 * models, null if it is not an object. Contract: pure; data in any other format is shown unchanged.
 */
function toShown(data: Readonly<Record<string, unknown>>) {
  const { printed, jobs, joined, count, totalLines } = data;
  if (typeof printed === "string") return { text: printed, structured: parseObject(printed) };
  if (Array.isArray(jobs)) return { text: JSON.stringify(jobs), structured: null };
  if (typeof joined === "string") {
    const lines = { lines: count === 0 ? [] : joined.split("\n"), totalLines };
    return { text: JSON.stringify(lines), structured: lines };
  }
  if (!END_KEYS.every((key) => key in data)) return { text: JSON.stringify(data), structured: data };
  // A refused run also includes the reason: many clients show only the text.
  const keys = "error" in data ? [...END_KEYS, "error"] : END_KEYS;
  return { text: JSON.stringify(Object.fromEntries(keys.map((key) => [key, data[key]]))), structured: data };
}
