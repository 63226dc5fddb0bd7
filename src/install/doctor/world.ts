import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import type { OpenCall, OpenProgram } from "../../base/subprocess/open-program.ts";
import type { ProgramCall, ProgramResult } from "../../base/subprocess/run-program.ts";
import { isTimeUp, withTimeLimit } from "../../base/timers.ts";

/** What the checks look at. Contract: they look nowhere else. */
export interface World {
  /** The environment; its PATH holds nothing of the repository. */
  readonly env: Environment;
  readonly home: string | null;
  /** The user's number; null where the system has none. */
  readonly uid: number | null;
  /** The folder that the doctor was called in. */
  readonly folder: string;
  readonly projectRoot: string;
  /** The node that runs this. */
  readonly node: string;
  /** Folder of our state; null where there is no place for it. */
  readonly stateFolder: string | null;
  readonly clock: Clock;
  /** The PATH of a program that was not started from a terminal. */
  readonly thinPath: string;
  /** Most milliseconds that answering a prompt takes. */
  readonly budgetMs: number;
  readonly run: (call: ProgramCall) => Promise<ProgramResult>;
  readonly open: (call: OpenCall) => Promise<OpenProgram>;
  /** Free bytes on the disk of a folder; null where that cannot be told. */
  readonly freeBytes: (folder: string) => number | null;
}

/** What became of a program that had a time limit. */
export interface Ran extends ProgramResult {
  readonly ms: number;
  /** True where it was ended, because its time was up. */
  readonly isLate: boolean;
}

const MAX_OUTPUT_BYTES = 256 * 1024;

/** Runs a program that must end in time. Contract: never throws; nothing of it is left afterwards. */
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
