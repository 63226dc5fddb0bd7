import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

/** Exit code of a program, null if a signal ended it, and everything that it printed. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Collects what a process prints; the texts grow while it runs. */
export function collectOutput(child: ChildProcess): { readonly stdout: string; readonly stderr: string } {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  return printed;
}

/** Runs a program to its end, with `input` as its complete standard input; without it there is none. */
export function runProgram(
  command: string,
  args: readonly string[],
  { input, ...options }: Pick<SpawnOptions, "cwd" | "env"> & { readonly input?: string },
): Promise<Ended> {
  const child = spawn(command, args, { ...options, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
  const printed = collectOutput(child);
  // A program may end without reading its input.
  child.stdin?.on("error", () => {}).end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, ...printed }));
  });
}
