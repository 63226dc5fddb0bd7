import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { toMessage } from "./text.ts";

/** How to run a program. */
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
   * Set for a program that leaves no processes behind when it ends: then all processes of the machine are scanned only
   * if it is cancelled.
   */
  readonly isAlone?: true;
}

/** Result of a program. */
export interface ProgramResult {
  /** Exit code; null if it did not start, was killed by a signal or was cancelled. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True if output beyond the limits was dropped. */
  readonly cut: boolean;
  /** Why it could not be started; empty otherwise. */
  readonly startError: string;
}

/** Environment variable that identifies the call, so that stray processes are found in any process group. */
const MARKER = "GROUNDWORK_CALL";
/** How long to wait for remaining output after the program has ended. */
const CLOSE_GRACE_MS = 250;
let calls = 0;

/**
 * Runs a program to its end. Contract: never throws; ends when the signal aborts; when it returns, no process started
 * by the program is alive or holds our streams.
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
        // Kill background processes now, or they would keep our pipes open.
        stop();
        const end = () => finish(call.signal.aborted ? null : code);
        child.once("close", end);
        setTimeout(end, CLOSE_GRACE_MS).unref();
      });
      // A program that does not read its input closes the pipe early, which is fine.
      child.stdin?.on("error", ignoreError).end(call.stdin);
    });
  } finally {
    call.signal.removeEventListener("abort", stop);
    running.delete(stop);
    stop();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }
}

/** Starts a program with the marker in its environment; returns a string with the reason if it could not be started. */
async function start(
  { command, args, cwd, env }: Pick<ProgramCall, "command" | "args" | "cwd" | "env">,
  marker: string,
  stderr: "pipe" | "inherit" = "pipe",
): Promise<ChildProcess | string> {
  // Loaded lazily, because most prompts start no program.
  const { spawn } = await import("node:child_process");
  try {
    // A process group of its own, so that one signal reaches the program and its children.
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

/** Kills every program that is still running; called just before this process exits. */
export function stopAllPrograms(): void {
  for (const stop of running) stop();
}

/** Forwards a signal to streamed programs, so that they can shut down by themselves. Returns how many there were. */
export function passOnSignal(signal: NodeJS.Signals): number {
  for (const { pid } of streaming) if (pid !== undefined) killQuietly(-pid, signal);
  return streaming.size;
}

/** How to run an interactive or streaming program. */
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

/** Runs a program and forwards its stdout as it arrives; stderr is inherited. Contract: never throws. */
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

/** A running program that we exchange messages with. */
export interface OpenProgram {
  readonly write: (text: string) => void;
  /** Kills it together with everything that it started. */
  readonly stop: () => void;
  /** How it ended; settled after its output has been received. */
  readonly ended: Promise<StreamResult>;
}

/** How to run such a program. */
export interface OpenCall extends Omit<StreamCall, "stdin"> {
  readonly onStderr: (chunk: Buffer) => void;
}

/**
 * Starts a program that communicates over stdin and stdout. Contract: never throws; it does not keep this process
 * alive, and ends with it if `stopAllPrograms` is called at exit; when `ended` settles, nothing that it started is
 * left.
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

/** How to run a program that outlives this process. */
export interface DetachedCall extends Pick<StreamCall, "cwd" | "env"> {
  /** Files that its output is appended to; without them it is discarded. */
  readonly outputFiles?: { readonly stdout: string; readonly stderr: string };
  /** File to use as its stdin; without one, stdin is empty. */
  readonly inputFile?: string | undefined;
  /** Marks the process for `isJobProcess`, and removes the marker of the call that we may belong to ourselves. */
  readonly job?: string;
  /** Program to start as soon as this one has ended, however it ends. */
  readonly heir?: { readonly command: string; readonly args: readonly string[] };
}

/**
 * Starts a program that outlives this process: in a session of its own, without any of our streams. Contract: never
 * throws and does not wait for the program to end; returns its PID, or null if it could not be started.
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
      // Processes that the program starts from Node inherit only the first three descriptors, so the keeper's pipe
      // closes when the program itself ends.
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

/** Environment variable that identifies the job in all its processes, at any depth. */
const JOB_MARKER = "GROUNDWORK_JOB";

/** How to run a program that may take hours and is terminated gracefully. */
export interface SupervisedCall extends OpenCall {
  readonly stdin: string;
  /** Requests termination: first SIGTERM, then SIGKILL after `graceMs`. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
  /** Marks the program and everything that it starts, for `endJobProcesses`. */
  readonly job: string;
}

/**
 * Runs a program in its own process group to its end and forwards its output as it arrives. Contract: never throws;
 * when it returns, nothing that it started is alive; it does not outlive this process if that exits in an orderly way.
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
    patience ??= setTimeout(stop, call.graceMs);
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
 * Arranges for a program to start as soon as this process ends, however it ends: a shell waits for EOF on a pipe that
 * only we hold. Contract: never throws; on an orderly exit, the caller dismisses it first.
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

/** A shell that waits for EOF on its stdin. It carries no marker, so that killing marked processes does not kill it. */
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

/** Signals the process group led by a PID, or only the process if it leads none. Contract: never throws. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!killQuietly(-pid, signal)) killQuietly(pid, signal);
}

/** Kills everything that carries a job's marker, in any process group. Contract: never throws; works only on Linux. */
export function endJobProcesses(job: string): number {
  const found = findMarked(JOB_MARKER, job);
  for (const pid of found) killQuietly(pid);
  return found.length;
}

/** PIDs of the processes that carry a job's marker. Contract: never throws; empty on systems other than Linux. */
export function findJobProcesses(job: string): readonly number[] {
  return findMarked(JOB_MARKER, job);
}

/** How long a process may appear to have no environment during `exec`. */
const EXEC_MS = 200;

/**
 * True if a living process carries a job's marker. Contract: never throws; takes up to 200 ms; always true on systems
 * other than Linux, where it cannot be determined.
 */
export function isJobProcess(pid: number, job: string): boolean {
  if (process.platform !== "linux") return true;
  for (const endMs = Date.now() + EXEC_MS; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)) {
    const environment = environmentOf(pid);
    if (environment !== "" || Date.now() > endMs) return hasMark(environment ?? "", JOB_MARKER, job);
  }
}

/** Resolves when a program has ended and its output has been received. */
function endOf(child: ChildProcess, stop: () => void): Promise<StreamResult> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ exitCode: null, signal: null, startError: error.message }));
    child.once("exit", (exitCode, signal) => {
      // Kill background processes now, or they would keep our pipes open.
      stop();
      const end = () => resolve({ exitCode, signal, startError: "" });
      child.once("close", end);
      setTimeout(end, CLOSE_GRACE_MS).unref();
    });
  });
}

function ignoreError(): void {}

/** Kills the program's process group and, on Linux, everything that left the group but still carries the marker. */
function killTree(child: ChildProcess, marker: string | null): void {
  if (child.pid === undefined) return;
  killQuietly(-child.pid);
  if (marker === null) return;
  for (const pid of findMarked(MARKER, marker)) killQuietly(pid);
}

/** False if the process no longer exists. */
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

/** End of the last complete UTF-8 character: the output may have been cut inside one. */
function endOfWhole(bytes: Buffer): number {
  // A character has at most four bytes, and all but the first start with the bits 10.
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
