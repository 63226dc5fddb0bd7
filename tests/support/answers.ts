import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { RunDocument } from "../../src/contract/run-document.ts";
import { projectRoot } from "./doors.ts";
import type { DoorAnswer } from "./run-door.ts";

/** Output format of a door. */
export type Format = "hook" | "json" | "text";

/** All formats of the hook's door. */
export const FORMATS: readonly Format[] = ["hook", "json", "text"];

const EXIT_CODES = [0, 10, 20, 30, 40, 50];
const MAX_HOOK_CHARS = 9_500;
const MAX_JSON_CHARS = 12_000;
const STACK_TRACE = /^\s+at .*:\d+|^node:internal|^Node\.js v\d/m;
const CONTROL = /(?![\t\n])\p{Cc}/u;

const schemaText = readFileSync(resolve(projectRoot, "schema/run-document-1.0.json"), "utf8");
const validate = new Ajv2020().compile(JSON.parse(schemaText));

/** Describes every violation of the contract by an answer; empty for a good answer. */
export function findProblems(format: Format, answer: DoorAnswer): string[] {
  const problems: string[] = [];
  const allowed = format === "hook" ? [0] : EXIT_CODES;
  if (!allowed.includes(answer.code ?? -1)) problems.push(`exit code ${answer.code}, signal ${answer.signal}`);
  let text = "";
  try {
    text = new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(answer.stdout);
  } catch {
    problems.push("output is no UTF-8");
  }
  if (STACK_TRACE.test(text)) problems.push("stack trace on stdout");
  if (format === "text") return CONTROL.test(text) ? [...problems, "control character"] : problems;
  try {
    const value: unknown = JSON.parse(text);
    problems.push(...(format === "hook" ? envelopeProblems(value) : documentProblems(value)));
    // Codex parses with serde, which refuses a lone surrogate even if it is escaped.
    if (hasString(value, (string) => !string.isWellFormed())) problems.push("lone surrogate in the output");
  } catch {
    problems.push("output is no JSON");
  }
  return problems;
}

/** The same, for a door that had no reason to print to stderr. */
export function findQuietProblems(format: Format, answer: DoorAnswer): string[] {
  const said = answer.stderr === "" ? [] : [`stderr: ${answer.stderr.slice(0, 500)}`];
  return [...findProblems(format, answer), ...said];
}

function envelopeProblems(value: unknown): string[] {
  const envelope = value as { hookSpecificOutput?: Record<string, unknown>; systemMessage?: unknown };
  const output = envelope.hookSpecificOutput ?? {};
  const problems: string[] = [];
  const keys = Object.keys(envelope).filter((key) => key !== "systemMessage");
  if (keys.join() !== "hookSpecificOutput") problems.push(`keys ${Object.keys(envelope)}`);
  if (Object.keys(output).sort().join() !== "additionalContext,hookEventName")
    problems.push(`keys ${Object.keys(output)}`);
  if (output["hookEventName"] !== "UserPromptSubmit") problems.push("hookEventName");
  if (envelope.systemMessage !== undefined && typeof envelope.systemMessage !== "string")
    problems.push("systemMessage");
  const context = output["additionalContext"];
  if (typeof context !== "string") problems.push("additionalContext is no string");
  else if (context.length > MAX_HOOK_CHARS) problems.push(`additionalContext has ${context.length} characters`);
  if (hasString(envelope, (string) => CONTROL.test(string))) problems.push("control character");
  return problems;
}

function documentProblems(value: unknown): string[] {
  if (!validate(value)) return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  const { for_model, for_user } = (value as RunDocument).fused_context;
  const problems: string[] = [];
  const { length } = for_model.additional_context;
  if (length > MAX_JSON_CHARS) problems.push(`additional_context has ${length} characters`);
  if (hasString([for_model, for_user], (string) => CONTROL.test(string))) problems.push("control character");
  if (!/^(?:$|\[Limits\] )/.test(for_user.limits_text)) problems.push("limits_text does not begin with [Limits]");
  return problems;
}

/** Returns the run document of an answer in json format. */
export function toDocument(answer: DoorAnswer): RunDocument {
  return JSON.parse(answer.stdout.toString("utf8")) as RunDocument;
}

/** Returns the injected text of an answer in hook format. */
export function toContext(answer: DoorAnswer): string {
  return JSON.parse(answer.stdout.toString("utf8")).hookSpecificOutput.additionalContext;
}

/** True if any string of a value, including keys, passes the test. */
export function hasString(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, item]) => test(key) || hasString(item, test));
}

/** Returns the text of an answer without what differs from run to run: ids, times and durations. */
export function withoutTimes(answer: DoorAnswer): string {
  return (
    answer.stdout
      .toString("utf8")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time>")
      // The tools of one answer may start in different seconds.
      .replace(/<time>(?:, <time>)+/g, "<time>")
      .replace(/\d{8}-\d{6}-[0-9a-f]{6}/g, "<run>")
      .replace(/"(duration_ms|latency_ms)":\d+/g, '"$1":0')
      .replace(/\d+(?:\.\d)? m?s, /g, "<duration>, ")
  );
}
