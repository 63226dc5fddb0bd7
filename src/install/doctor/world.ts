import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import type { InteractiveCall, OpenProgram } from "../../base/subprocess/open-program.ts";
import type { ProgramCall, ProgramResult } from "../../base/subprocess/run-program.ts";
import { isTimeUp, withTimeLimit } from "../../base/timers.ts";

/** Everything that the checks examine. Contract: they use nothing else. */
export interface World {
  /** The environment; its PATH contains no folder of the repository. */
  readonly env: Environment;
  readonly home: string | null;
  /** The user's numeric id; null on systems without one. */
  readonly uid: number | null;
  /** Working folder of the doctor command. */
  readonly folder: string;
  readonly projectRoot: string;
  /** Path of the node that runs this program. */
  readonly node: string;
  /** Our state folder; null if there is no location for it. */
  readonly stateFolder: string | null;
  readonly clock: Clock;
  /** PATH of a program that was not started from a terminal. */
  readonly thinPath: string;
  /** Time budget for answering a prompt, in milliseconds. */
  readonly budgetMs: number;
  readonly run: (call: ProgramCall) => Promise<ProgramResult>;
  readonly open: (call: InteractiveCall) => Promise<OpenProgram>;
  /** Free bytes on the disk of a folder; null if unknown. */
  readonly freeBytes: (folder: string) => number | null;
}

/** Result of a program that was run with a time limit. */
export interface Ran extends ProgramResult {
  readonly ms: number;
  /** True if it was ended because its time was up. */
  readonly isLate: boolean;
}

const MAX_OUTPUT_BYTES = 256 * 1024;

/** Runs a program with a time limit. Contract: never throws; leaves no process behind. */
export function runInTime(
  { run, clock }: Pick<World, "run" | "clock">,
  call: Pick<ProgramCall, "command" | "args" | "cwd" | "env" | "stdin">,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<Ran> {
  const startMs = clock.monotonicMs();
  return withTimeLimit(signal, limitMs, async (limited) => {
    const caps = { maxStdoutBytes: MAX_OUTPUT_BYTES, maxStderrBytes: MAX_OUTPUT_BYTES };
    const result = await run({ ...call, ...caps, signal: limited });
    const ms = Math.round(clock.monotonicMs() - startMs);
    return { ...result, ms, isLate: limited.aborted && isTimeUp(limited) };
  });
}

/** `0.4 s`. */
export function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
