import type { Environment } from "../../base/environment.ts";
import { runProgram } from "../../base/subprocess/run-program.ts";
import { sliceWhole, toOneLine } from "../../base/text.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import { readTyped } from "../run/start-option-table.ts";
import { CODEX_FAULTS } from "./texts.ts";

/** A program that the user's environment substitutes for one of ours. */
export interface StandIn {
  readonly variable: "CODEX_START_SH" | "CODEX_JOB_SH";
  readonly program: string;
}

const MAX_STDOUT_BYTES = 1024 * 1024;
const MAX_STDERR_BYTES = 64 * 1024;
const MAX_SAID_CHARS = 500;

/**
 * Runs such a program to completion. Contract: never throws; returns its output, or why it failed; ends at the signal.
 */
export async function runStandIn(
  { variable, program }: StandIn,
  args: readonly string[],
  call: {
    readonly cwd: string;
    readonly env: Environment;
    readonly signal: AbortSignal;
  },
): Promise<Outcome<string>> {
  const done = await runProgram({
    command: program,
    args,
    ...call,
    stdin: "",
    maxStdoutBytes: MAX_STDOUT_BYTES,
    maxStderrBytes: MAX_STDERR_BYTES,
    // A process that it leaves in a session of its own is a job, and continues.
    isAlone: true,
  });
  if (done.startError !== "") return CODEX_FAULTS.noProgram(variable, program);
  if (done.exitCode === 0) return succeed(done.stdout.trim());
  const how = done.exitCode === null ? "a signal" : `exit code ${done.exitCode}`;
  return CODEX_FAULTS.ended(program, how, sliceWhole(toOneLine(done.stderr), MAX_SAID_CHARS));
}

/** Returns the value of `--log-file` among arguments; null if it is absent. */
export function findLogFile(args: readonly string[]): string | null {
  const { typed } = readTyped(args);
  return typed.find(({ name }) => name === "--log-file" || name === "-l")?.values[0] ?? null;
}
