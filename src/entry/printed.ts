import { toOneLine } from "../base/text.ts";
import { FAULTS, type Fault, sayFault } from "../contract/faults.ts";
import { guardOwn } from "../lifecycle/guard.ts";

/** What a command prints to standard output, and its exit code. */
export interface Printed {
  readonly text: string;
  readonly exitCode: number;
}

/** Prints data as one line of JSON. */
export function printedJson(data: unknown, exitCode = 0): Printed {
  return { text: `${JSON.stringify(data)}\n`, exitCode };
}

/** Reports a usage error: prints it to standard error, with a reference to the command's help; exit code 2. */
export function misuse(message: string, command = ""): Printed {
  const help = command === "" ? "groundwork --help" : `groundwork help ${command}`;
  process.stderr.write(`groundwork: ${message}${/[?]$/.test(message) ? " See" : "; see"} "${help}"\n`);
  return { text: "", exitCode: 2 };
}

/**
 * Reports a fault: prints it to standard error; the exit code is that of the fault. Contract: file content quoted in a
 * message cannot act on the terminal.
 */
export function failed(fault: Fault): Printed {
  process.stderr.write(`groundwork: ${toOneLine(guardOwn(sayFault(fault)))}\n`);
  return { text: "", exitCode: FAULTS[fault.code].exit };
}
