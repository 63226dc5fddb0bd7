import { type ChildProcess, spawn } from "node:child_process";
import { codeCache, hookDoor } from "./doors.ts";
import { watchMachine } from "./timed.ts";

/** How a door is to be started. */
export interface DoorCall {
  readonly cwd: string;
  /** The whole environment, but that no builder and no resident is left behind unless it says so. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** Standard input; null leaves the pipe open and empty. */
  readonly input?: string | Uint8Array | null;
  /** A shell script that starts `"$DOOR" "$@"` in its own way; without one the door is started as it is. */
  readonly script?: string;
  /** Is given the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** What a door left behind. */
export interface DoorAnswer {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Milliseconds until the door had ended and nobody held its output any more. */
  readonly ms: number;
  /** Milliseconds between its end and the end of its output. */
  readonly heldMs: number;
  /** At least 1: how many times slower than usual the machine was meanwhile. */
  readonly slowness: number;
}

/** Milliseconds that an answer may take: the budget of 5 s, and what starting costs; more where the machine is busy. */
export function answerLimitMs({ slowness }: DoorAnswer, usualMs = 7_000): number {
  return usualMs * slowness;
}

/** How long our output may stay open after our end, on a quiet machine: the client waits for it. */
export const HELD_MS = 500;

/** A door that is still running then hangs: its group is killed. */
const HARD_LIMIT_MS = 120_000;

/** Runs a door in a process group of its own. Contract: never throws; the group is gone or has been killed afterwards. */
export function runDoor(call: DoorCall): Promise<DoorAnswer> {
  const { cwd, env, args = [], input = "", script } = call;
  const [command, given] = script === undefined ? [hookDoor, args] : ["/bin/sh", ["-c", script, "sh", ...args]];
  const machine = watchMachine();
  const startMs = performance.now();
  const child = spawn(command, given, {
    cwd,
    env: { CI_AUTO_TOOLS_INDEX: "off", GROUNDWORK_RESIDENT: "off", ...codeCache, ...env, DOOR: hookDoor },
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

/** Sends a signal to a door and everything in its group. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

/** Runs `work` for every item, `width` of them at once. Contract: results stand in the order of the items. */
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
