import { startTimer } from "../timers.ts";
import { killQuietly } from "./kill.ts";
import { endJobProcesses, JOB_MARK } from "./marks.ts";
import type { OpenCall } from "./open-program.ts";
import { ignore, notStarted, type ProgramEnd, startProgram, waitForEnd } from "./spawn.ts";

/** How a program is run that may take hours and is ended gently. */
export interface SupervisedCall extends OpenCall {
  readonly stdin: string;
  /** Asks it to end: first a signal that it can hear, then, after `graceMs`, one that it cannot. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
  /** Marks it and everything that it starts, for `endJobProcesses`. */
  readonly job: string;
}

/**
 * Runs a program in a group of its own to its end, its output passed on as it comes. Contract: never throws; when it
 * returns, nothing that it started is left alive; it does not outlive us where we end in order.
 */
export async function superviseProgram(call: SupervisedCall): Promise<ProgramEnd> {
  const program = await startProgram(
    { ...call, env: { ...call.env, [JOB_MARK]: call.job } },
    { alsoStop: () => endJobProcesses(call.job) },
  );
  if (typeof program === "string") return notStarted(program);
  const { child, stop, release } = program;
  let patience: NodeJS.Timeout | undefined;
  const ask = () => {
    if (child.pid !== undefined) killQuietly(-child.pid, "SIGTERM");
    patience ??= startTimer(call.graceMs, stop);
  };
  if (call.signal.aborted) ask();
  call.signal.addEventListener("abort", ask, { once: true });
  try {
    child.stdout?.on("data", call.onStdout).on("error", ignore);
    child.stderr?.on("data", call.onStderr).on("error", ignore);
    child.stdin?.on("error", ignore).end(call.stdin);
    return await waitForEnd(program);
  } finally {
    clearTimeout(patience);
    call.signal.removeEventListener("abort", ask);
    release();
  }
}
