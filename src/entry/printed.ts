import { toOneLine } from "../base/text.ts";
import { FAULTS, type Fault } from "../contract/faults.ts";
import { guardOwn } from "../lifecycle/guard.ts";

/** What a command prints to standard output, and its exit code. */
export interface Printed {
  readonly text: string;
  readonly exitCode: number;
}

/** A usage error: printed to standard error, with where to read about the command, exit code 2. */
export function misuse(message: string, command = ""): Printed {
  const help = command === "" ? "groundwork --help" : `groundwork help ${command}`;
  process.stderr.write(`groundwork: ${message}${/[?]$/.test(message) ? " See" : "; see"} "${help}"\n`);
  return { text: "", exitCode: 2 };
}

/**
 * A fault: printed to standard error, with the exit code of the fault. Contract: file content quoted in a message
 * cannot act on the terminal.
 */
export function failed(fault: Fault): Printed {
  const told = [fault.message, fault.hint].filter(Boolean).join("; ");
  process.stderr.write(`groundwork: ${toOneLine(guardOwn(told))}\n`);
  return { text: "", exitCode: FAULTS[fault.code].exit };
}
