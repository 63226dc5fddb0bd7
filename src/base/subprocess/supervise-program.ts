import { startTimer } from "../timers.ts";
import { endJobProcesses, JOB_MARK, killQuietly } from "./marks.ts";
import type { InteractiveCall } from "./open-program.ts";
import { hasEnded, ignore, notStarted, type ProgramEnd, startProgram, waitForEnd } from "./spawn.ts";

/** How to run a program that may take hours and is ended gracefully. */
interface SupervisedCall extends InteractiveCall {
  readonly stdin: string;
  /** Asks it to end: first with `askWith`, then, after `graceMs`, with SIGKILL. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
  /** Signal that it can handle; SIGTERM by default. */
  readonly askWith?: NodeJS.Signals;
  /**
   * Id of its job: marks the program and everything that it starts, for `endJobProcesses`; absent if it is not a job.
   */
  readonly job?: string;
}

/**
 * Runs a program in its own process group to its end, passing its output on as it arrives. Contract: never throws; when
 * it returns, nothing that the program started is left alive; it does not outlive us if we exit regularly.
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
    if (child.pid !== undefined && !hasEnded(child)) killQuietly(-child.pid, askWith);
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
