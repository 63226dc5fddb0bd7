import type { ChildProcess, SpawnOptions } from "node:child_process";
import type { Environment } from "../environment.ts";
import { toMessage } from "../text.ts";
import { startTimer } from "../timers.ts";
import { CALL_MARK, findMarked, killQuietly } from "./marks.ts";

/** What every kind of run is told. */
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
  /** Why it could not be started; empty otherwise. */
  readonly startError: string;
}

/** A program of ours that runs. */
export interface StartedProgram {
  readonly child: ChildProcess;
  /** Ends it and everything that it started. */
  readonly stop: () => void;
  /** Lets go of it. Contract: to be called once it has ended. */
  readonly release: () => void;
}

/** How long output may still trickle in after a program has ended. */
const CLOSE_GRACE_MS = 250;
const running = new Set<() => void>();
/**
 * Tells the calls of this copy of the module from those of others in the same process: each bundle has its own, and a mark
 * that two calls share would end both with the first.
 */
const copy = process.hrtime.bigint().toString(36);
let calls = 0;

/** Ends every program that is still running; for the moment before this process goes away. */
export function stopAllPrograms(): void {
  for (const stop of running) stop();
}

/** Starts a process that nobody waits for, before the next line. Contract: as `spawnProcess`. */
export function spawnNow(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return process.getBuiltinModule("node:child_process").spawn(command, args, options);
}

/** Starts a process: with `spawnNow` the only place that does. Contract: throws what the system throws. */
export async function spawnProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  // Loaded here, because most prompts start no program.
  const { spawn } = await import("node:child_process");
  return spawn(command, args, options);
}

/**
 * Starts a program that carries our mark and ends with us. Contract: never throws; a text is why it could not be started.
 * `alsoStop` is done with every stop; `isAlone` says at that moment that nobody can have left the program's group.
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
    // A group of its own, so that one signal reaches the program and its children.
    child = await spawnProcess(command, args, {
      cwd,
      env: { ...env, [CALL_MARK]: mark },
      detached: true,
      stdio: ["pipe", "pipe", stderr],
    });
  } catch (thrown) {
    return toMessage(thrown);
  }
  const stop = () => {
    if (child.pid !== undefined) {
      killQuietly(-child.pid);
      // On Linux, whatever left the group but still carries the mark goes, too.
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

/** The end of a program that could not be started. */
export function notStarted(startError: string): ProgramEnd {
  return { exitCode: null, signal: null, startError };
}

/** How a program ends, once its output has been heard. Contract: what it left in the background is ended then. */
export function waitForEnd({ child, stop }: StartedProgram): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(notStarted(error.message)));
    child.once("exit", (exitCode, signal) => {
      // What it left in the background goes now, or it would hold our end of the pipes open.
      stop();
      const end = () => resolve({ exitCode, signal, startError: "" });
      child.once("close", end);
      startTimer(CLOSE_GRACE_MS, end).unref();
    });
  });
}

/** For whatever a stream or process reports that nobody needs to hear. */
export function ignore(): void {}
