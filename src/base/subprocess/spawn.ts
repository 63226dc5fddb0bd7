import type { ChildProcess, SpawnOptions } from "node:child_process";
import type { Environment } from "../environment.ts";
import { toMessage } from "../text.ts";
import { startTimer } from "../timers.ts";
import { CALL_MARK, findMarked, killQuietly } from "./marks.ts";

/** How to start a program, common to all kinds of runs. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/** How a program ended. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Reason why it could not be started; empty otherwise. */
  readonly startError: string;
}

/** A running program that we started. */
export interface StartedProgram {
  readonly child: ChildProcess;
  /** Kills it and everything that it started. */
  readonly stop: () => void;
  /** Releases its streams. Contract: must be called once it has ended. */
  readonly release: () => void;
}

/** How long output may still arrive after a program has ended. */
const CLOSE_GRACE_MS = 250;
const running = new Set<() => void>();
/**
 * Identifies this copy of the module among others in the same process: each bundle has its own, and calls with a shared
 * mark would all be ended with the first.
 */
const copy = process.hrtime.bigint().toString(36);
let calls = 0;

/** Kills every program that is still running; called right before this process exits. */
export function stopAllPrograms(): void {
  for (const stop of running) stop();
}

/** Starts a process synchronously, without waiting for it. Contract: as `spawnProcess`. */
export function spawnNow(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return process.getBuiltinModule("node:child_process").spawn(command, args, options);
}

/** Starts a process; only this and `spawnNow` do. Contract: throws the system's errors. */
export async function spawnProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  // Loaded lazily, because most prompts start no program.
  const { spawn } = await import("node:child_process");
  return spawn(command, args, options);
}

/**
 * Starts a program that carries our mark and ends with us. Contract: never throws; returns a text with the reason if it
 * could not be started. Every stop also calls `alsoStop`; `isAlone` is asked then, and true means that no process can
 * have left the program's group.
 */
export async function startProgram(
  { command, args, cwd, env }: ProgramStart,
  {
    stderr = "pipe",
    alsoStop = ignore,
    isAlone = () => false,
  }: {
    readonly stderr?: "pipe" | "inherit";
    readonly alsoStop?: () => void;
    readonly isAlone?: () => boolean;
  } = {},
): Promise<StartedProgram | string> {
  const mark = `${process.pid}-${copy}-${++calls}`;
  let child: ChildProcess;
  try {
    // In its own process group, so that one signal reaches the program and its children.
    child = await spawnProcess(command, args, {
      cwd,
      env: { ...env, [CALL_MARK]: mark },
      detached: true,
      stdio: ["pipe", "pipe", stderr],
    });
  } catch (thrown) {
    return toMessage(thrown);
  }
  let isGroupDone = false;
  const stop = () => {
    if (child.pid !== undefined) {
      // Once the program has ended and its group was killed, a stranger may get the group's number.
      if (!isGroupDone) killQuietly(-child.pid);
      isGroupDone = hasEnded(child);
      // On Linux, also kills processes that left the group but still carry the mark.
      if (!isAlone()) for (const pid of findMarked(CALL_MARK, mark)) killQuietly(pid);
    }
    alsoStop();
  };
  running.add(stop);
  const release = () => {
    running.delete(stop);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  };
  return { child, stop, release };
}

/** True once a program has ended: from then on its number may be that of another one. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** End of a program that could not be started. */
export function notStarted(startError: string): ProgramEnd {
  return { exitCode: null, signal: null, startError };
}

/**
 * Waits until a program has ended and its output has arrived. Contract: processes that it left in the background are
 * killed then.
 */
export function waitForEnd({ child, stop }: StartedProgram): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(notStarted(error.message)));
    child.once("exit", (exitCode, signal) => {
      // Background processes are killed now, or they would hold our end of the pipes open.
      stop();
      const end = () => resolve({ exitCode, signal, startError: "" });
      child.once("close", end);
      // On a busy machine this timer may be due before output that is there already was read: the event loop gets to it
      // before it runs an immediate.
      startTimer(CLOSE_GRACE_MS, () => setImmediate(end)).unref();
    });
  });
}

/** Listener for events that need no handling. */
export function ignore(): void {}
