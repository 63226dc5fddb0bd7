import { wholeLength } from "../text.ts";
import { ignore, type ProgramStart, startProgram, waitForEnd } from "./spawn.ts";

/** How to run a program whose output is collected. */
export interface ProgramCall extends ProgramStart {
  readonly stdin: string;
  readonly signal: AbortSignal;
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
  /**
   * Set for a program that ends together with everything it started: then only a premature stop has to scan all
   * processes of the machine.
   */
  readonly isAlone?: true;
}

/** Result of a program. */
export interface ProgramResult {
  /** Exit code; null if it did not start, was killed by a signal or was cancelled. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True if output beyond the limits was dropped. */
  readonly cut: boolean;
  /** Reason why it could not be started; empty otherwise. */
  readonly startError: string;
}

/**
 * Runs a program to its end. Contract: never throws; ends at the signal; when it returns, nothing that the program
 * started is left alive and none of it holds our streams.
 */
export async function runProgram(call: ProgramCall): Promise<ProgramResult> {
  const { signal } = call;
  const nothing = { exitCode: null, stdout: "", stderr: "", cut: false };
  if (signal.aborted) return { ...nothing, startError: "cancelled" };
  const program = await startProgram(call, { isAlone: () => call.isAlone === true && !signal.aborted });
  if (typeof program === "string") return { ...nothing, startError: program };
  const { child, stop, release } = program;
  const stdout = makeCollector(call.maxStdoutBytes);
  const stderr = makeCollector(call.maxStderrBytes);
  signal.addEventListener("abort", stop, { once: true });
  try {
    child.stdout?.on("data", stdout.take).on("error", ignore);
    child.stderr?.on("data", stderr.take).on("error", ignore);
    // A program that does not read its input closes the pipe early, which is not an error.
    child.stdin?.on("error", ignore).end(call.stdin);
    const { exitCode, startError } = await waitForEnd(program);
    return {
      exitCode: signal.aborted ? null : exitCode,
      stdout: stdout.text(),
      stderr: stderr.text(),
      cut: stdout.cut() || stderr.cut(),
      startError,
    };
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
    release();
  }
}

function makeCollector(maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let dropped = false;
  return {
    take: (chunk: Buffer) => {
      const room = maxBytes - size;
      if (chunk.length > room) dropped = true;
      if (room <= 0) return;
      chunks.push(chunk.subarray(0, room));
      size += Math.min(room, chunk.length);
    },
    text: () => {
      const bytes = Buffer.concat(chunks);
      return bytes.toString("utf8", 0, dropped ? wholeLength(bytes) : bytes.length);
    },
    cut: () => dropped,
  };
}
