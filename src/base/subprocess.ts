import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { toMessage } from "./text.ts";
import { startTimer } from "./timers.ts";

/** How a program is to be run. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: string;
  readonly signal: AbortSignal;
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
  /**
   * Set for a program that ends together with what it started: then only ending it early costs a look at every process of
   * the machine.
   */
  readonly isAlone?: true;
}

/** What a program left behind. */
export interface ProgramResult {
  /** Exit code; null where it did not start, was ended by a signal or was cancelled. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True where output beyond the caps was dropped. */
  readonly cut: boolean;
  /** Why it could not be started; empty otherwise. */
  readonly startError: string;
}

/** Names the run in the environment of every program we start, so that strays can be found whatever group they are in. */
const MARKER = "GROUNDWORK_CALL";
/** How long output may still trickle in after the program has ended. */
const CLOSE_GRACE_MS = 250;
let calls = 0;

/**
 * Runs a program to its end. Contract: never throws; ends at the signal; when it returns, nothing that the program
 * started is left alive and none of it holds our streams.
 */
export async function runProgram(call: ProgramCall): Promise<ProgramResult> {
  const marker = `${process.pid}-${++calls}`;
  const stdout = makeCollector(call.maxStdoutBytes);
  const stderr = makeCollector(call.maxStderrBytes);
  if (call.signal.aborted) return { exitCode: null, stdout: "", stderr: "", cut: false, startError: "cancelled" };
  const child = await start(call, marker);
  if (typeof child === "string") return { exitCode: null, stdout: "", stderr: "", cut: false, startError: child };
  const stop = () => killTree(child, call.isAlone && !call.signal.aborted ? null : marker);
  running.add(stop);
  call.signal.addEventListener("abort", stop, { once: true });
  try {
    return await new Promise<ProgramResult>((resolve) => {
      let startError = "";
      const finish = (exitCode: number | null) =>
        resolve({
          exitCode,
          stdout: stdout.text(),
          stderr: stderr.text(),
          cut: stdout.cut() || stderr.cut(),
          startError,
        });
      child.stdout?.on("data", stdout.take).on("error", ignoreError);
      child.stderr?.on("data", stderr.take).on("error", ignoreError);
      child.once("error", (error) => {
        startError = error.message;
        finish(null);
      });
      child.once("exit", (code) => {
        // What it left in the background goes now, or it would hold our end of the pipes open.
        stop();
        const end = () => finish(call.signal.aborted ? null : code);
        child.once("close", end);
        startTimer(CLOSE_GRACE_MS, end).unref();
      });
      // A program that does not read its input closes the pipe early; that is its right.
      child.stdin?.on("error", ignoreError).end(call.stdin);
    });
  } finally {
    call.signal.removeEventListener("abort", stop);
    running.delete(stop);
    stop();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }
}

/** Starts a program that carries the marker; a text is why it could not be started. */
async function start(
  { command, args, cwd, env }: Pick<ProgramCall, "command" | "args" | "cwd" | "env">,
  marker: string,
  stderr: "pipe" | "inherit" = "pipe",
): Promise<ChildProcess | string> {
  // Loaded here, because most prompts start no program.
  const { spawn } = await import("node:child_process");
  try {
    // A group of its own, so that one signal reaches the program and its children.
    return spawn(command, args, {
      cwd,
      env: { ...env, [MARKER]: marker },
      detached: true,
      stdio: ["pipe", "pipe", stderr],
    });
  } catch (thrown) {
    return toMessage(thrown);
  }
}

const running = new Set<() => void>();
const streaming = new Set<ChildProcess>();

/** Ends every program that is still running; for the moment before this process goes away. */
export function stopAllPrograms(): void {
  for (const stop of running) stop();
}

/** Passes a signal on to streamed programs, so that they can end in their own way. Returns how many there were. */
export function passOnSignal(signal: NodeJS.Signals): number {
  for (const { pid } of streaming) if (pid !== undefined) killQuietly(-pid, signal);
  return streaming.size;
}

/** How an interactive or streaming program is to be run. */
export interface StreamCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: string;
  readonly onStdout: (chunk: Buffer) => void;
}

/** How a streamed program ended. */
export interface StreamResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly startError: string;
}

/** Runs a program whose output is passed on as it comes; its stderr is ours. Contract: never throws. */
export async function streamProgram(call: StreamCall): Promise<StreamResult> {
  const marker = `${process.pid}-${++calls}`;
  const child = await start(call, marker, "inherit");
  if (typeof child === "string") return { exitCode: null, signal: null, startError: child };
  const stop = () => killTree(child, marker);
  running.add(stop);
  streaming.add(child);
  try {
    return await new Promise<StreamResult>((resolve) => {
      child.once("error", (error) => resolve({ exitCode: null, signal: null, startError: error.message }));
      child.stdout?.on("data", call.onStdout).on("error", ignoreError);
      child.once("close", (exitCode, signal) => resolve({ exitCode, signal, startError: "" }));
      child.stdin?.on("error", ignoreError).end(call.stdin);
    });
  } finally {
    running.delete(stop);
    streaming.delete(child);
    stop();
  }
}

/** A program that is talked to while it runs. */
export interface OpenProgram {
  readonly write: (text: string) => void;
  /** Ends it together with everything that it started. */
  readonly stop: () => void;
  /** How it ended, once all its output has been heard. */
  readonly ended: Promise<StreamResult>;
}

/** How such a program is to be run. */
export interface OpenCall extends Omit<StreamCall, "stdin"> {
  readonly onStderr: (chunk: Buffer) => void;
}

/**
 * Starts a program that is talked to over its standard input and output. Contract: never throws; it does not keep this
 * process alive, and ends with it where `stopAllPrograms` is called at the end; when `ended` is settled, nothing that it
 * started is left.
 */
export async function openProgram(call: OpenCall): Promise<OpenProgram> {
  const marker = `${process.pid}-${++calls}`;
  const child = await start(call, marker);
  if (typeof child === "string")
    return {
      write: ignoreError,
      stop: ignoreError,
      ended: Promise.resolve({ exitCode: null, signal: null, startError: child }),
    };
  const stop = () => killTree(child, marker);
  running.add(stop);
  child.stdin?.on("error", ignoreError);
  child.stdout?.on("data", call.onStdout).on("error", ignoreError);
  child.stderr?.on("data", call.onStderr).on("error", ignoreError);
  for (const handle of [child, child.stdin, child.stdout, child.stderr])
    (handle as { unref?: () => void } | null)?.unref?.();
  const ended = endOf(child, stop).finally(() => {
    running.delete(stop);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  });
  return { write: (text) => child.stdin?.write(text), stop, ended };
}

/** A program that outlives us. */
export interface DetachedCall extends Pick<StreamCall, "cwd" | "env"> {
  /** Files that take its output; without them it goes nowhere. */
  readonly outputFiles?: { readonly stdout: string; readonly stderr: string };
  /** File that it reads as its input; without one there is none. */
  readonly inputFile?: string | undefined;
  /** Marks it, for `isJobProcess`, and frees it of the mark of the program that we may be part of. */
  readonly job?: string;
  /** What is started at the moment when it is gone, however it goes. */
  readonly heir?: { readonly command: string; readonly args: readonly string[] };
}

/**
 * Starts a program that outlives us: in a session of its own, holding none of our streams. Contract: never throws, and
 * does not wait for its end; null where it could not be started.
 */
export async function startDetached(
  command: string,
  args: readonly string[],
  { cwd, env, outputFiles, inputFile, job, heir }: DetachedCall,
): Promise<number | null> {
  const opened: number[] = [];
  let keeper: ChildProcess | null = null;
  try {
    const { spawn } = await import("node:child_process");
    if (outputFiles !== undefined)
      opened.push(openSync(outputFiles.stdout, "a", 0o600), openSync(outputFiles.stderr, "a", 0o600));
    const [stdout = "ignore", stderr = "ignore"] = opened;
    const stdin = inputFile === undefined ? "ignore" : openSync(inputFile, "r");
    if (typeof stdin === "number") opened.push(stdin);
    keeper = heir === undefined ? null : startHeir(spawn, heir.command, heir.args, { cwd, env });
    const child = spawn(command, args, {
      cwd,
      env: job === undefined ? { ...env } : { ...env, [MARKER]: undefined, [JOB_MARKER]: job },
      detached: true,
      // Node passes nothing but the first three on to what it starts: the pipe ends with the program alone.
      stdio: [stdin, stdout, stderr, ...(keeper?.stdin == null ? [] : [keeper.stdin])],
    });
    child.on("error", ignoreError).unref();
    if (child.pid === undefined && keeper?.pid !== undefined) killQuietly(-keeper.pid);
    return child.pid ?? null;
  } catch {
    if (keeper?.pid !== undefined) killQuietly(-keeper.pid);
    return null;
  } finally {
    keeper?.stdin?.destroy();
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Names the job in the environment of everything that belongs to it, however deep. */
const JOB_MARKER = "GROUNDWORK_JOB";

/** How a program is run that may take hours and is ended gently. */
export interface SupervisedCall extends OpenCall {
  readonly stdin: string;
  /** Asks it to end: first a signal that it can hear, then, after `graceMs`, one that it cannot. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
  /** Marks it and everything that it starts, for `endJobProcesses`. */
  readonly job: string;
}

/**
 * Runs a program in a group of its own to its end, its output passed on as it comes. Contract: never throws; when it
 * returns, nothing that it started is left alive; it does not outlive us where we end in order.
 */
export async function superviseProgram(call: SupervisedCall): Promise<StreamResult> {
  const marker = `${process.pid}-${++calls}`;
  const child = await start({ ...call, env: { ...call.env, [JOB_MARKER]: call.job } }, marker);
  if (typeof child === "string") return { exitCode: null, signal: null, startError: child };
  const stop = () => {
    killTree(child, marker);
    endJobProcesses(call.job);
  };
  let patience: NodeJS.Timeout | undefined;
  const ask = () => {
    if (child.pid !== undefined) killQuietly(-child.pid, "SIGTERM");
    patience ??= startTimer(call.graceMs, stop);
  };
  running.add(stop);
  if (call.signal.aborted) ask();
  call.signal.addEventListener("abort", ask, { once: true });
  try {
    child.stdout?.on("data", call.onStdout).on("error", ignoreError);
    child.stderr?.on("data", call.onStderr).on("error", ignoreError);
    child.stdin?.on("error", ignoreError).end(call.stdin);
    return await endOf(child, stop);
  } finally {
    clearTimeout(patience);
    call.signal.removeEventListener("abort", ask);
    running.delete(stop);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }
}

/**
 * Has a program started at the moment when this process is gone, however it goes: a shell waits for the end of a pipe that
 * only we hold. Contract: never throws; whoever ends in order dismisses it first.
 */
export async function leaveHeir(
  command: string,
  args: readonly string[],
  { cwd, env }: Pick<StreamCall, "cwd" | "env">,
): Promise<{ readonly dismiss: () => void }> {
  try {
    const { spawn } = await import("node:child_process");
    const { pid } = startHeir(spawn, command, args, { cwd, env });
    return { dismiss: () => pid !== undefined && killQuietly(-pid) };
  } catch {
    return { dismiss: ignoreError };
  }
}

/** A shell that waits for the end of its input. It carries no mark: whoever ends what is marked must not end it as well. */
function startHeir(
  spawn: typeof import("node:child_process").spawn,
  command: string,
  args: readonly string[],
  { cwd, env }: Pick<StreamCall, "cwd" | "env">,
): ChildProcess {
  const child = spawn("/bin/sh", ["-c", 'cat >/dev/null 2>&1; exec "$@"', "sh", command, ...args], {
    cwd,
    env: { ...env, [MARKER]: undefined, [JOB_MARKER]: undefined },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", ignoreError).unref();
  child.stdin.on("error", ignoreError);
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return child;
}

/** Sends a signal to the group that a process leads, or to the process where it leads none. Contract: never throws. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!killQuietly(-pid, signal)) killQuietly(pid, signal);
}

/** Ends everything that carries a job's mark, whatever group it is in. Contract: never throws; Linux alone can tell. */
export function endJobProcesses(job: string): number {
  const found = findMarked(JOB_MARKER, job);
  for (const pid of found) killQuietly(pid);
  return found.length;
}

/** The processes that carry a job's mark. Contract: never throws; none where the system is not Linux. */
export function findJobProcesses(job: string): readonly number[] {
  return findMarked(JOB_MARKER, job);
}

/** How long a process that is just being replaced by another program may seem to have no environment. */
const EXEC_MS = 200;

/**
 * True where a living process carries a job's mark. Contract: never throws; takes up to 200 ms; where the system is not
 * Linux nobody can tell, and it counts as true.
 */
export function isJobProcess(pid: number, job: string): boolean {
  if (process.platform !== "linux") return true;
  for (const endMs = Date.now() + EXEC_MS; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)) {
    const environment = environmentOf(pid);
    if (environment !== "" || Date.now() > endMs) return hasMark(environment ?? "", JOB_MARKER, job);
  }
}

/** How a program ends, once its output has been heard. */
function endOf(child: ChildProcess, stop: () => void): Promise<StreamResult> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ exitCode: null, signal: null, startError: error.message }));
    child.once("exit", (exitCode, signal) => {
      // What it left in the background goes now, or it would hold our end of the pipes open.
      stop();
      const end = () => resolve({ exitCode, signal, startError: "" });
      child.once("close", end);
      startTimer(CLOSE_GRACE_MS, end).unref();
    });
  });
}

function ignoreError(): void {}

/** Ends the program's group and, on Linux, whatever left the group but still carries the marker. */
function killTree(child: ChildProcess, marker: string | null): void {
  if (child.pid === undefined) return;
  killQuietly(-child.pid);
  if (marker === null) return;
  for (const pid of findMarked(MARKER, marker)) killQuietly(pid);
}

/** False where there was nobody any more. */
function killQuietly(pid: number, signal: NodeJS.Signals = "SIGKILL"): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function findMarked(variable: string, marker: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && hasMark(environmentOf(pid) ?? "", variable, marker));
}

/** Null for another user's process, and for one that has just ended. */
function environmentOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return null;
  }
}

function hasMark(environment: string, variable: string, marker: string): boolean {
  return `\0${environment}`.includes(`\0${variable}=${Buffer.from(marker, "utf8").toString("latin1")}\0`);
}

/** Where the last character ends that is whole: a cut may have fallen inside one. */
function endOfWhole(bytes: Buffer): number {
  // A character has four bytes at the most, and all but the first begin with the bits 10.
  for (let start = bytes.length - 1; start >= 0 && start >= bytes.length - 4; start--) {
    const byte = bytes[start] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return start + length > bytes.length ? start : bytes.length;
  }
  return bytes.length;
}

function makeCollector(maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let dropped = false;
  return {
    take: (chunk: Buffer) => {
      const room = maxBytes - size;
      if (chunk.length > room) dropped = true;
      if (room <= 0) return;
      chunks.push(chunk.subarray(0, room));
      size += Math.min(room, chunk.length);
    },
    text: () => {
      const bytes = Buffer.concat(chunks);
      return bytes.toString("utf8", 0, dropped ? endOfWhole(bytes) : bytes.length);
    },
    cut: () => dropped,
  };
}
