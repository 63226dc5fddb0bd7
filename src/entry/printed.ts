import { toOneLine } from "../base/text.ts";
import { FAULTS, type Fault } from "../contract/faults.ts";
import { guardOwn } from "../lifecycle/guard.ts";

/** What a command prints on standard output, and its exit code. */
export interface Printed {
  readonly text: string;
  readonly exitCode: number;
}

/** A wrong command line: said on standard error, exit 2. */
export function misuse(message: string): Printed {
  process.stderr.write(`groundwork: ${message}; see "groundwork --help"\n`);
  return { text: "", exitCode: 2 };
}

/** A fault: said on standard error, exit by its code. Contract: what a message quotes of a file cannot act. */
export function failed(fault: Fault): Printed {
  const told = [fault.message, fault.hint].filter(Boolean).join("; ");
  process.stderr.write(`groundwork: ${toOneLine(guardOwn(told))}\n`);
  return { text: "", exitCode: FAULTS[fault.code].exit };
}
