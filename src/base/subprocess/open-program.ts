import { ignore, notStarted, type ProgramEnd, type ProgramStart, startProgram, waitForEnd } from "./spawn.ts";

/** How to run an interactive program. */
export interface InteractiveCall extends ProgramStart {
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

/** A running interactive program. */
export interface OpenProgram {
  readonly write: (text: string) => void;
  /** Kills it together with everything that it started. */
  readonly stop: () => void;
  /** Resolves once it has ended and all its output has arrived. */
  readonly ended: Promise<ProgramEnd>;
}

/**
 * Starts a program to communicate with over its standard input and output. Contract: never throws; does not keep this
 * process alive, and ends with it if `stopAllPrograms` is called on exit; when `ended` resolves, nothing that it
 * started is left alive.
 */
export async function openProgram(call: InteractiveCall): Promise<OpenProgram> {
  const program = await startProgram(call);
  if (typeof program === "string") return { write: ignore, stop: ignore, ended: Promise.resolve(notStarted(program)) };
  const { child, stop, release } = program;
  child.stdin?.on("error", ignore);
  child.stdout?.on("data", call.onStdout).on("error", ignore);
  child.stderr?.on("data", call.onStderr).on("error", ignore);
  for (const handle of [child, child.stdin, child.stdout, child.stderr])
    (handle as { unref?: () => void } | null)?.unref?.();
  const ended = waitForEnd(program).finally(release);
  return { write: (text) => child.stdin?.write(text), stop, ended };
}
