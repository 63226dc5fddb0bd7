import { readFileSync } from "node:fs";
import { printToolOutcome } from "../adapters/cli/results.ts";
import { readToolCommand, type ToolCommand } from "../adapters/cli/tool-command.ts";
import { isRecord } from "../base/text.ts";
import { FAULTS } from "../contract/faults.ts";
import { toLimitsField, toLimitsText } from "../contract/limits.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { ToolOutcome } from "../lifecycle/tool-outcome.ts";
import { openCommandCalls } from "./call-deps.ts";
import { sayHelp } from "./help-command.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { readInput, writeAll } from "./process.ts";

/** Runs one tool from the command line: `groundwork search …`, `groundwork call-chain …`. */
export async function runToolCommand(
  tool: ToolDeclaration,
  name: string,
  tools: readonly ToolDeclaration[],
  argv: readonly string[],
): Promise<Printed> {
  const command = readToolCommand(tool, argv);
  if (!command.ok) return misuse(command.fault.message, name);
  const { args, help, repo, each, color } = command.value;
  if (help) return sayHelp([name], { tools, color: color ?? undefined });
  const calls = await openCommandCalls(repo, tools);
  if (!calls.ok) return failed(calls.fault);
  const call = (input: Readonly<Record<string, unknown>>) => calls.value(tool.name, input);
  if (each !== null) return runEach(each, args, call);
  return print(await call(await withInput(args)), command.value);
}

/** Replaces the argument `-` with standard input. */
async function withInput(args: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const piped = Object.entries(args).find(([, value]) => value === "-")?.[0];
  return piped === undefined ? args : { ...args, [piped]: (await readInput()).trim() };
}

function print(outcome: ToolOutcome, { json }: ToolCommand): Printed {
  if (outcome.fault !== null) return failed(outcome.fault);
  if (!json) return { text: printToolOutcome(outcome), exitCode: 0 };
  // Prints the data alone, so that it can be piped; limits go to standard error.
  if (outcome.limits.length > 0) writeAll(2, `${toLimitsText(outcome.limits)}\n`);
  return printedJson(outcome.result.data ?? {});
}

/**
 * Reads one call per line and prints one line of JSON each: `{id, ms, data}` or `{id, ms, error}`, with `limits` if
 * there are any.
 */
async function runEach(
  file: string,
  shared: Readonly<Record<string, unknown>>,
  call: (args: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>,
): Promise<Printed> {
  const text = file === "-" ? await readInput() : readFileSync(file, "utf8");
  let exitCode = 0;
  for (const line of text.split("\n").filter((own) => own.trim() !== "")) {
    const given: unknown = JSON.parse(line);
    if (!isRecord(given)) return misuse("--each takes one JSON object a line");
    const { id, ...args } = given;
    const startMs = performance.now();
    const { result, fault, limits } = await call({ ...shared, ...args });
    const ms = Math.round((performance.now() - startMs) * 10) / 10;
    if (fault !== null) exitCode = FAULTS[fault.code].exit;
    const came = fault === null ? { data: result.data } : { error: result.error };
    writeAll(1, `${JSON.stringify({ id, ms, ...came, ...toLimitsField(limits) })}\n`);
  }
  return { text: "", exitCode };
}
