import { type ChildProcess, spawn } from "node:child_process";
import { hookDoor, QUIET } from "./doors.ts";
import { watchMachine } from "./timed.ts";

/** How to start a door. */
export interface DoorCall {
  readonly cwd: string;
  /** The complete environment; unless it says otherwise, no builder and no resident is started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** Standard input; null leaves the pipe open and empty. */
  readonly input?: string | Uint8Array | null;
  /** A shell script that starts `"$DOOR" "$@"`; without one the door is started directly. */
  readonly script?: string;
  /** Called with the process once it is started. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Result of running a door. */
export interface DoorAnswer {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Milliseconds until the door had ended and no process held its output open. */
  readonly ms: number;
  /** Milliseconds between the exit of the door and the end of its output. */
  readonly heldMs: number;
  /** How many times slower than usual the machine was; at least 1. */
  readonly slowness: number;
}

/** Time limit of an answer in milliseconds: the budget of 5 s plus the start; more on a busy machine. */
export function answerLimitMs({ slowness }: DoorAnswer, usualMs = 7_000): number {
  return usualMs * slowness;
}

/** How long the output may stay open after the exit, on a quiet machine: the client waits for its end. */
export const HELD_MS = 500;

/** A door that runs longer hangs: its process group is killed. */
const HARD_LIMIT_MS = 120_000;

/** Runs a door in its own process group. Contract: never throws; a door that hangs is killed with its group. */
export function runDoor(call: DoorCall): Promise<DoorAnswer> {
  const { cwd, env, args = [], input = "", script } = call;
  const [command, given] = script === undefined ? [hookDoor, args] : ["/bin/sh", ["-c", script, "sh", ...args]];
  const machine = watchMachine();
  const startMs = performance.now();
  const child = spawn(command, given, {
    cwd,
    env: { ...QUIET, ...env, DOOR: hookDoor },
    detached: true,
    stdio: "pipe",
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk)).on("error", () => {});
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk)).on("error", () => {});
  // A door may end without reading its input.
  child.stdin.on("error", () => {});
  if (input !== null) child.stdin.end(input);
  call.onStart?.(child);
  const limit = setTimeout(() => killGroup(child, "SIGKILL"), HARD_LIMIT_MS);
  return new Promise((resolve) => {
    let exitMs = startMs;
    child.once("exit", () => {
      exitMs = performance.now();
    });
    child.once("error", (error) => stderr.push(Buffer.from(error.message)));
    child.once("close", async (code, signal) => {
      clearTimeout(limit);
      const endMs = performance.now();
      if (endMs - exitMs > HELD_MS) await machine.look();
      machine.stop();
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString("utf8"),
        ms: Math.round(endMs - startMs),
        heldMs: Math.round(endMs - exitMs),
        slowness: machine.slowness(),
      });
    });
  });
}

/** Sends a signal to a door and everything in its group, unless it has ended: a stranger may have its number then. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

/** Runs `work` for every item, `width` of them at once. Contract: results are in the order of the items. */
export async function runPool<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
