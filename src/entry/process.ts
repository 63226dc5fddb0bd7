import { fstatSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ENDING_SIGNALS } from "../base/signals.ts";
import { startTimer } from "../base/timers.ts";

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

/** True where a person sits at the other end. Asks the file system first: the stream behind it is slow to load. */
export function isTerminal(descriptor: 0 | 2): boolean {
  try {
    return (
      fstatSync(descriptor).isCharacterDevice() &&
      (descriptor === 0 ? process.stdin.isTTY : process.stderr.isTTY) === true
    );
  } catch {
    return false;
  }
}

const MAX_INPUT_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** A client that keeps its end open without writing must not hold up the prompt. */
const INPUT_IDLE_MS = 3_000;

/**
 * All of standard input as text. Contract: ends at its end, at 64 MiB, or once `isComplete` says that nothing can
 * follow; never throws. Reads without the stream machinery, whose loading alone would cost a tenth of the hook's time;
 * a silent client that never closes its end is the shell door's to end.
 */
export async function readInput(isComplete: (text: string) => boolean = () => false): Promise<string> {
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString("utf8");
  try {
    if (isTerminal(0)) return "";
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let size = 0; size < MAX_INPUT_BYTES; ) {
      const got = readSync(0, chunk);
      if (got === 0) break;
      size += got;
      chunks.push(Buffer.from(chunk.subarray(0, got)));
      // Only a chunk that ends like an object is worth putting everything together for.
      if (/\}\s*$/.test(chunk.toString("latin1", Math.max(0, got - 16), got)) && isComplete(text())) break;
    }
    return text();
  } catch (thrown) {
    // A descriptor that somebody made non-blocking has to be waited for.
    return isTryAgain(thrown) ? text() + (await readStream()) : text();
  }
}

function readStream(): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = () => {
      clearTimeout(timer);
      process.stdin.destroy();
      resolve(Buffer.concat(chunks).toString("utf8"));
    };
    const timer = startTimer(INPUT_IDLE_MS, finish);
    process.stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      timer.refresh();
    });
    process.stdin.once("end", finish).once("error", finish);
  });
}

function isTryAgain(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "EAGAIN";
}

/** Asks on the terminal and gives the line that was typed; empty at the end of input. Ctrl-C ends the process. */
export function askTerminal(question: string): Promise<string> {
  writeAll(2, question);
  return new Promise((resolve) => {
    // Not the blocking read of above: while it waits, no signal would be heard.
    process.stdin.once("data", (line: Buffer) => resolve(line.toString("utf8").trim()));
    process.stdin.once("end", () => resolve("")).once("error", () => resolve(""));
  });
}

/** Writes all of a text. Contract: waits for a slow reader; a reader that went away is no error. */
export function writeAll(descriptor: 1 | 2, text: string | Buffer): void {
  let bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (thrown) {
      if (!isTryAgain(thrown)) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/** Prints and ends the process, with everything that it started. */
export function printAndExit(text: string, exitCode: number): never {
  writeAll(1, text);
  process.exit(exitCode);
}

/**
 * Ends the process when somebody asks it to go, and at every end whatever it started. Contract: the exit code tells of the
 * signal, unless `toExitCode` has another.
 */
export function endTogether(stopAll: () => void, toExitCode: (code: number) => number = (code) => code): void {
  process.once("exit", stopAll);
  for (const [signal, code] of ENDING_SIGNALS) process.once(signal, () => process.exit(toExitCode(code)));
}

/** Milliseconds after which a door gives up by itself, a second before its shell would end it. */
export function doorLimitMs(): number {
  const wall = process.env["CI_AUTO_TOOLS_BUDGET_WALL_MS"] ?? "";
  return /^\d{1,5}$/.test(wall) ? Number(wall) + 6_000 : 16_000;
}
