import { ignore, notStarted, type ProgramEnd, type ProgramStart, startProgram, waitForEnd } from "./spawn.ts";

/** How a program is to be run that is talked to while it runs. */
export interface OpenCall extends ProgramStart {
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

/** A program that is talked to while it runs. */
export interface OpenProgram {
  readonly write: (text: string) => void;
  /** Ends it together with everything that it started. */
  readonly stop: () => void;
  /** How it ended, once all its output has been heard. */
  readonly ended: Promise<ProgramEnd>;
}

/**
 * Starts a program that is talked to over its standard input and output. Contract: never throws; it does not keep this
 * process alive, and ends with it where `stopAllPrograms` is called at the end; when `ended` is settled, nothing that it
 * started is left.
 */
export async function openProgram(call: OpenCall): Promise<OpenProgram> {
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
