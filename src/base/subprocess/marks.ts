import { existsSync, readdirSync, readFileSync } from "node:fs";
import { once } from "../once.ts";

/** Names the call in the environment of every program we start, so that strays can be found whatever group they are in. */
export const CALL_MARK = "GROUNDWORK_CALL";

/** Names the job in the environment of everything that belongs to it, however deep. */
export const JOB_MARK = "GROUNDWORK_JOB";

/**
 * True if the system shows the environments of processes. Contract: Linux alone does, where /proc is there; without it only
 * groups can be ended, and what left its group is not found.
 */
export const showsMarks = once(() => process.platform === "linux" && existsSync("/proc/self/environ"));

/** Ends everything that carries a job's mark, whatever group it is in. Contract: never throws; see `showsMarks`. */
export function endJobProcesses(job: string): number {
  const found = findMarked(JOB_MARK, job);
  for (const pid of found) killQuietly(pid);
  return found.length;
}

/** The processes that carry a job's mark. Contract: never throws; none where the system does not show them. */
export function findJobProcesses(job: string): readonly number[] {
  return findMarked(JOB_MARK, job);
}

/** How long a process that is just being replaced by another program may seem to have no environment. */
const EXEC_MS = 200;

/**
 * True where a living process carries a job's mark. Contract: never throws; takes up to 200 ms; where the system does
 * not show it nobody can tell, and it counts as true.
 */
export function isJobProcess(pid: number, job: string): boolean {
  if (!showsMarks()) return true;
  for (const endMs = Date.now() + EXEC_MS; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)) {
    const environment = environmentOf(pid);
    if (environment !== "" || Date.now() > endMs) return hasMark(environment ?? "", JOB_MARK, job);
  }
}

/** The processes, ours apart, whose environment has a variable with that value. Contract: none where the system does not show them. */
export function findMarked(variable: string, mark: string): number[] {
  if (!showsMarks()) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && hasMark(environmentOf(pid) ?? "", variable, mark));
}

/** Null for another user's process, and for one that has just ended. */
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

/** Sends a signal. Contract: never throws; false where there was nobody any more. */
export function killQuietly(pid: number, signal: NodeJS.Signals = "SIGKILL"): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Sends a signal to the group that a process leads, or to the process where it leads none. Contract: never throws. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!killQuietly(-pid, signal)) killQuietly(pid, signal);
}
