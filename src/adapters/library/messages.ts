import { isRecord, parseObject } from "../../base/text.ts";
import type { FunctionCall, FunctionOptions, FunctionResult } from "../../contract/library.ts";
import { toLimitsField } from "../../contract/limits.ts";
import type { AskUser } from "../../contract/tool.ts";
import { failureOf } from "../../contract/tool-hooks.ts";
import { toWarningText } from "../../lifecycle/tool-hooks.ts";
import type { ToolOutcome } from "../../lifecycle/tool-outcome.ts";

interface ReadCall {
  readonly id: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

/** Parses id, tool and arguments of a call. Contract: never throws, whatever a model wrote. */
export function readCall(call: FunctionCall): ReadCall {
  const { id, function: asked }: Record<string, unknown> = isRecord(call) ? call : {};
  const { name, arguments: text } = isRecord(asked) ? asked : {};
  return { id: String(id ?? ""), tool: String(name ?? ""), args: readArguments(String(text ?? "")) };
}

/** Parses the first JSON object in a text; no arguments if there is none. */
function readArguments(text: string): Record<string, unknown> {
  const whole = parseObject(text);
  if (whole !== null) return whole;
  let start = text.indexOf("{");
  for (let tries = 0; start >= 0 && tries < MOST_TRIES; tries++) {
    const end = endOfObject(text, start);
    const found = end < 0 ? null : parseObject(text.slice(start, end));
    if (found !== null) return found;
    start = text.indexOf("{", start + 1);
  }
  return {};
}

/** Maximum number of opening braces that are tried. */
const MOST_TRIES = 20;

/** Returns the end of the object that starts at `start`; -1 if it is unclosed. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === "\\") at++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return -1;
}

/** Converts an outcome to a model's message. Contract: limits are inside the JSON; only after hooks append text. */
export function toFunctionResult(id: string, { result, hooks, limits }: ToolOutcome): FunctionResult {
  const failure = failureOf(hooks);
  const found =
    result.data === undefined
      ? `Error: ${result.error.message}`
      : JSON.stringify({ ...result.data, ...toLimitsField(limits) });
  const warnings = hooks.before.warnings.map(({ command, output, error }) => ({ command, output, error }));
  return {
    tool_call_id: id,
    role: "tool",
    content: hooks.before.failure !== null ? "" : `${found}${hooks.after.warnings.map(toWarningText).join("")}`,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(failure === null
      ? {}
      : { hookFailed: true as const, hookErrorDetails: { type: "error" as const, ...failure } }),
  };
}

/** Result of a call that was not made because a hook stopped an earlier call on the same resource. */
export function toUnrun(call: FunctionCall): FunctionResult {
  return {
    tool_call_id: readCall(call).id,
    role: "tool",
    content: "Error: not run: a hook failed an earlier call on the same resource",
  };
}

/** Adapts the caller's function for asking the person. */
export function toAsker(ask: FunctionOptions["onUserInteractionNeeded"]): AskUser | null {
  if (ask === undefined) return null;
  return async ({ question, options, multiSelect }) => {
    const { selected, ...rest } = await ask(question, options, multiSelect);
    return { selected: typeof selected === "string" ? [selected] : [...selected], ...rest };
  };
}

const FILE_KEYS = ["filePath", "file", "file_path", "path"];

/**
 * Groups calls, by their indices, that must run sequentially: calls on the same file, and calls of tools that share a
 * resource. Contract: every index is in exactly one group; groups and indices are in order.
 */
export function groupByResource(
  calls: readonly FunctionCall[],
  resourceOf: (tool: string) => string | undefined,
): number[][] {
  const groups = new Map<string, number[]>();
  calls.forEach((call, at) => {
    const { tool, args } = readCall(call);
    const key = resourceOf(tool) ?? fileOf(args) ?? `#${at}`;
    groups.set(key, [...(groups.get(key) ?? []), at]);
  });
  return [...groups.values()];
}

function fileOf(args: Readonly<Record<string, unknown>>): string | null {
  const file = FILE_KEYS.map((key) => args[key]).find((value) => typeof value === "string");
  return typeof file === "string" ? `file:${file}` : null;
}
