import { startTimer } from "../timers.ts";
import { endJobProcesses, JOB_MARK, killQuietly } from "./marks.ts";
import type { OpenCall } from "./open-program.ts";
import { ignore, notStarted, type ProgramEnd, startProgram, waitForEnd } from "./spawn.ts";

/** How a program is run that may take hours and is ended gently. */
interface SupervisedCall extends OpenCall {
  readonly stdin: string;
  /** Asks it to end: first a signal that it can hear, then, after `graceMs`, one that it cannot. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
  /** The signal that it can hear; SIGTERM where nothing is said. */
  readonly askWith?: NodeJS.Signals;
  /** Marks it and everything that it starts, for `endJobProcesses`; without it, it is no job. */
  readonly job?: string;
}

/**
 * Runs a program in a group of its own to its end, its output passed on as it comes. Contract: never throws; when it
 * returns, nothing that it started is left alive; it does not outlive us where we end in order.
 */
export async function superviseProgram(call: SupervisedCall): Promise<ProgramEnd> {
  const { job, askWith = "SIGTERM" } = call;
  const program =
    job === undefined
      ? await startProgram(call)
      : await startProgram(
          { ...call, env: { ...call.env, [JOB_MARK]: job } },
          { alsoStop: () => endJobProcesses(job) },
        );
  if (typeof program === "string") return notStarted(program);
  const { child, stop, release } = program;
  let patience: NodeJS.Timeout | undefined;
  const ask = () => {
    if (child.pid !== undefined) killQuietly(-child.pid, askWith);
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
