import { fstatSync, readSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Environment } from "../base/environment.ts";
import { ENDING_SIGNALS } from "../base/signals.ts";
import { startTimer } from "../base/timers.ts";

/** Root of this project; its `dist/` contains the bundles. */
export const projectRoot = join(__dirname, "..");

/** Folder to work in: `WORKING_DIRECTORY`, otherwise the current folder; empty if that no longer exists. */
export function workingFolder(): string {
  const named = process.env["WORKING_DIRECTORY"];
  if (named !== undefined && named !== "") return named;
  try {
    return process.cwd();
  } catch {
    return "";
  }
}

/** The folder that an option names, relative to the current folder; without one, the folder to work in. */
export function namedFolder(named: string | null | undefined): string {
  return named == null ? workingFolder() : resolve(named);
}

/** When this process was started, in milliseconds since the epoch. */
export function startedMs(): number {
  return Date.now() - process.uptime() * 1_000;
}

const STREAMS = { 0: "stdin", 1: "stdout", 2: "stderr" } as const;

/** True if the descriptor is a terminal. Asks the file system first, because loading the stream is slow. */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && process[STREAMS[descriptor]].isTTY === true;
  } catch {
    return false;
  }
}

const MAX_INPUT_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** A client that keeps its end open without writing must not delay the prompt. */
const INPUT_IDLE_MS = 3_000;

/**
 * Reads all of standard input as text. Contract: stops at end of input, at 64 MiB, or once `isComplete` says that
 * nothing can follow; never throws. Avoids Node's streams, because loading them would take a tenth of the hook's time.
 * A silent client that never closes its end is terminated by the shell script.
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
      // Concatenate the chunks only if this one ends like an object.
      if (/\}\s*$/.test(chunk.toString("latin1", Math.max(0, got - 16), got)) && isComplete(text())) break;
    }
    return text();
  } catch (thrown) {
    // A descriptor in non-blocking mode has to be read as a stream.
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

/** True if a person can be asked. */
export function canAsk(): boolean {
  return isTerminal(0) && isTerminal(2);
}

/** Asks for a confirmation on the terminal; the end of input counts as no. Ctrl-C ends the process. */
export async function confirm(question: string): Promise<boolean> {
  writeAll(2, `${question} [y/N] `);
  const line = await new Promise<string>((resolve) => {
    // Not the blocking read above: signals are not handled while it waits.
    process.stdin.once("data", (typed: Buffer) => resolve(typed.toString("utf8")));
    process.stdin.once("end", () => resolve("")).once("error", () => resolve(""));
  });
  return /^y(?:es)?$/i.test(line.trim());
}

/**
 * Writes all of a text. Contract: waits for a slow reader; returns false if the reader has gone away, which is not an
 * error, but makes further writes pointless.
 */
export function writeAll(descriptor: 1 | 2, text: string | Buffer): boolean {
  let bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (thrown) {
      if (!isTryAgain(thrown)) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return true;
}

/** Prints and exits; exit handlers stop the programs that the process started. */
export function printAndExit(text: string, exitCode: number): never {
  writeAll(1, text);
  process.exit(exitCode);
}

/**
 * Ends the process on a termination signal, and stops everything it started whenever it exits. Contract: the exit code
 * is that of the signal unless `toExitCode` maps it to another.
 */
export function endTogether(stopAll: () => void, toExitCode: (code: number) => number = (code) => code): void {
  process.once("exit", stopAll);
  for (const [signal, code] of ENDING_SIGNALS) process.once(signal, () => process.exit(toExitCode(code)));
}

/** Milliseconds after which an entry point gives up by itself, one second before its shell script would kill it. */
export function doorLimitMs(env: Environment = process.env): number {
  const wall = env["CI_AUTO_TOOLS_BUDGET_WALL_MS"] ?? "";
  return /^\d{1,5}$/.test(wall) ? Number(wall) + 6_000 : 16_000;
}

/** Resolves when this process receives a termination signal. A second signal exits at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const [signal, exitCode] of ENDING_SIGNALS) {
      // Replaces the default handlers, which exit at once.
      process.removeAllListeners(signal);
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(exitCode));
      });
    }
  });
}
