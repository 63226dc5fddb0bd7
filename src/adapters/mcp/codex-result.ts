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

/** What a client reads of an answer. */
interface ShownAnswer {
  /** Exactly what scripts know: JSON, or the words of a program. */
  readonly text: string;
  /** The same as data, with more where that helps a model; null for what is no object. */
  readonly structured: Readonly<Record<string, unknown>> | null;
}

/** The fields of a run's end that its text has; what Codex said is beside them. */
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

/** An answer of the tools, as clients read it. Contract: pure; data of another shape is shown as it is. */
function toShown(data: Readonly<Record<string, unknown>>): ShownAnswer {
  const { printed, jobs, joined, count, totalLines } = data;
  if (typeof printed === "string") return { text: printed, structured: parseObject(printed) };
  if (Array.isArray(jobs)) return { text: JSON.stringify(jobs), structured: null };
  if (typeof joined === "string") {
    const lines = { lines: count === 0 ? [] : joined.split("\n"), totalLines };
    return { text: JSON.stringify(lines), structured: lines };
  }
  const isEnd = END_KEYS.every((key) => key in data);
  const known = isEnd ? Object.fromEntries(shownKeys(data).map((key) => [key, data[key]])) : data;
  return { text: JSON.stringify(known), structured: data };
}

/** A run that was refused also says why: many clients show the text alone. */
function shownKeys(data: Readonly<Record<string, unknown>>): readonly string[] {
  return "error" in data ? [...END_KEYS, "error"] : END_KEYS;
}
