import { killQuietly } from "./marks.ts";
import { ignore, notStarted, type ProgramEnd, type ProgramStart, type StartedProgram, startProgram } from "./spawn.ts";

/** How to run a program whose output is passed on as it arrives. */
interface StreamCall extends ProgramStart {
  readonly stdin: string;
  readonly onStdout: (chunk: Buffer) => void;
}

const streaming = new Set<StartedProgram["child"]>();
const asked = new WeakSet<StartedProgram["child"]>();

/** Passes a signal on to streamed programs, so that they can end in their own way. Returns their number. */
export function passOnSignal(signal: NodeJS.Signals): number {
  for (const child of streaming) {
    asked.add(child);
    if (child.pid !== undefined) killQuietly(-child.pid, signal);
  }
  return streaming.size;
}

/** Runs a program whose output is passed on as it arrives and whose stderr is ours. Contract: never throws. */
export async function streamProgram(call: StreamCall): Promise<ProgramEnd> {
  const program = await startProgram(call, { stderr: "inherit" });
  if (typeof program === "string") return notStarted(program);
  const { child, stop, release } = program;
  streaming.add(child);
  try {
    return await new Promise<ProgramEnd>((resolve) => {
      child.once("error", (error) => resolve(notStarted(error.message)));
      child.stdout?.on("data", call.onStdout).on("error", ignore);
      // Children that ignore the signal must not hold the output of a program that has ended.
      child.once("exit", () => asked.has(child) && stop());
      child.once("close", (exitCode, signal) => resolve({ exitCode, signal, startError: "" }));
      child.stdin?.on("error", ignore).end(call.stdin);
    });
  } finally {
    streaming.delete(child);
    stop();
    release();
  }
}
