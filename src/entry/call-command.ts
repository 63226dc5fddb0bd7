import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { printToolOutcome } from "../adapters/cli/results.ts";
import { isRecord, toMessage } from "../base/text.ts";
import { FAULTS } from "../contract/faults.ts";
import { toLimitTexts } from "../contract/limits.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { failureOf } from "../contract/tool-hooks.ts";
import type { ToolOutcome } from "../lifecycle/tool-outcome.ts";
import { openCommandCalls } from "./call-deps.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { readInput } from "./process.ts";

/** `groundwork call <tool> '<json arguments>'`: runs one call through the whole lifecycle, for scripts. */
export async function callByName(
  words: readonly string[],
  { repo, json = false }: OptionsOf<"call">,
  tools: readonly ToolDeclaration[],
): Promise<Printed> {
  const [name, given = "{}", ...more] = words;
  if (name === undefined || more.length > 0)
    return misuse("call takes a tool and its arguments as one JSON object", "call");
  const args = readObject(given === "-" ? await readInput() : given);
  if (typeof args === "string") return misuse(args, "call");
  const call = await openCommandCalls(repo, tools);
  if (!call.ok) return failed(call.fault);
  const outcome = await call.value(name, args);
  const exitCode = outcome.fault === null ? 0 : FAULTS[outcome.fault.code].exit;
  if (json) return printedJson(toDocument(outcome), exitCode);
  sayHooks(outcome);
  if (outcome.fault !== null) return failed(outcome.fault);
  return { text: printToolOutcome(outcome), exitCode };
}

function readObject(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : "the arguments must be a JSON object";
  } catch (thrown) {
    return `the arguments are not valid JSON: ${toMessage(thrown)}`;
  }
}

function toDocument({ result, limits, hooks }: ToolOutcome) {
  const failure = failureOf(hooks);
  return {
    ...result,
    limits: toLimitTexts(limits),
    hook_warnings: [...hooks.before.warnings, ...hooks.after.warnings],
    ...(failure === null ? {} : { hookFailed: true, hookErrorDetails: { type: "error", ...failure } }),
  };
}

/** Prints hook messages to standard error, so that the result on standard output can be piped. */
function sayHooks({ hooks }: ToolOutcome): void {
  const failure = failureOf(hooks);
  const runs = [...hooks.before.warnings, ...hooks.after.warnings, ...(failure === null ? [] : [failure])];
  const said = runs.map(
    ({ command, exitCode, output, error }) => `hook ${command} (exit ${exitCode})\n${output}${error}`,
  );
  if (said.length > 0) process.stderr.write(`${said.map((text) => text.trimEnd()).join("\n")}\n`);
}
