import { join } from "node:path";
import { stopAllPrograms } from "../base/subprocess.ts";

/** Root of this project: bundles lie in its `dist/`. */
export const projectRoot = join(__dirname, "..");

/** Folder to work in: `WORKING_DIRECTORY`, else the current one; empty where that is gone. */
export function workingFolder(): string {
  const named = process.env["WORKING_DIRECTORY"];
  if (named !== undefined && named !== "") return named;
  try {
    return process.cwd();
  } catch {
    return "";
  }
}

const MAX_INPUT_BYTES = 64 * 1024 * 1024;
/** A client that keeps its end open without writing must not hold up the prompt. */
const INPUT_IDLE_MS = 3_000;

/** All of standard input as text. Contract: ends at its end, when nothing comes for 3 s, or at 64 MiB; never throws. */
export function readInput(): Promise<string> {
  if (process.stdin.isTTY) return Promise.resolve("");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => {
      clearTimeout(timer);
      process.stdin.destroy();
      resolve(Buffer.concat(chunks).toString("utf8"));
    };
    const timer = setTimeout(finish, INPUT_IDLE_MS);
    process.stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      timer.refresh();
      if (size > MAX_INPUT_BYTES) finish();
    });
    process.stdin.once("end", finish).once("error", finish);
  });
}

/** Prints and ends the process. Contract: whole output or none is left behind; a reader that went away is no error. */
export function printAndExit(text: string, exitCode: number): void {
  const end = () => {
    stopAllPrograms();
    process.exit(exitCode);
  };
  process.stdout.once("error", end);
  if (text === "") end();
  else process.stdout.write(text, end);
}

/** Ends the process with everything it started when somebody asks it to go. */
export function endOnSignals(exitCodeOf: (signal: NodeJS.Signals) => number): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(signal, () => {
      stopAllPrograms();
      process.exit(exitCodeOf(signal));
    });
  }
}

/** Milliseconds after which a door gives up by itself, a second before its shell would end it. */
export function doorLimitMs(): number {
  const wall = process.env["CI_AUTO_TOOLS_BUDGET_WALL_MS"] ?? "";
  return /^\d{1,5}$/.test(wall) ? Number(wall) + 6_000 : 16_000;
}
