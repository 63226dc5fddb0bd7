import { existsSync, readdirSync, readFileSync } from "node:fs";
import { once } from "../once.ts";

/**
 * Environment variable with the id of a call, set for every program we start, so that stray processes are found
 * whatever group they are in.
 */
export const CALL_MARK = "GROUNDWORK_CALL";

/** Environment variable with the id of a job, inherited by everything that belongs to the job. */
export const JOB_MARK = "GROUNDWORK_JOB";

/**
 * True if the environments of processes can be read. Contract: only on Linux with /proc; elsewhere only process groups
 * can be killed, and processes that left their group are not found.
 */
export const showsMarks = once(() => process.platform === "linux" && existsSync("/proc/self/environ"));

/**
 * Kills every process that carries a job's mark, whatever group it is in. Returns their number. Contract: never throws;
 * see `showsMarks`.
 */
export function endJobProcesses(job: string): number {
  const found = findMarked(JOB_MARK, job);
  for (const pid of found) killQuietly(pid);
  return found.length;
}

/** Processes that carry a job's mark. Contract: never throws; empty if environments cannot be read. */
export function findJobProcesses(job: string): readonly number[] {
  return findMarked(JOB_MARK, job);
}

/** How long the environment of a process may appear empty during `exec`. */
const EXEC_MS = 200;

/**
 * True if a living process carries a job's mark. Contract: never throws; takes up to 200 ms; true if environments
 * cannot be read, because it cannot be determined.
 */
export function isJobProcess(pid: number, job: string): boolean {
  if (!showsMarks()) return true;
  for (const endMs = Date.now() + EXEC_MS; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)) {
    const environment = environmentOf(pid);
    if (environment !== "" || Date.now() > endMs) return hasMark(environment ?? "", JOB_MARK, job);
  }
}

/**
 * Processes, except ours, whose environment has a variable with this value. Contract: empty if environments cannot be
 * read.
 */
export function findMarked(variable: string, mark: string): number[] {
  if (!showsMarks()) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && hasMark(environmentOf(pid) ?? "", variable, mark));
}

/** Environment of a process; null for another user's process, and for one that has just ended. */
function environmentOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return null;
  }
}

function hasMark(environment: string, variable: string, mark: string): boolean {
  return `\0${environment}`.includes(`\0${variable}=${Buffer.from(mark, "utf8").toString("latin1")}\0`);
}

/** Sends a signal. Contract: never throws; false if it could not be sent, usually because the process is gone. */
export function killQuietly(pid: number, signal: NodeJS.Signals = "SIGKILL"): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Sends a signal to the group that a process leads, or to the process if it leads none. Contract: never throws. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!killQuietly(-pid, signal)) killQuietly(pid, signal);
}
