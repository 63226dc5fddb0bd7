import { readdirSync, readFileSync } from "node:fs";
import { killQuietly } from "./kill.ts";

/** Names the call in the environment of every program we start, so that strays can be found whatever group they are in. */
export const CALL_MARK = "GROUNDWORK_CALL";

/** Names the job in the environment of everything that belongs to it, however deep. */
export const JOB_MARK = "GROUNDWORK_JOB";

/** Ends everything that carries a job's mark, whatever group it is in. Contract: never throws; Linux alone can tell. */
export function endJobProcesses(job: string): number {
  const found = findMarked(JOB_MARK, job);
  for (const pid of found) killQuietly(pid);
  return found.length;
}

/** The processes that carry a job's mark. Contract: never throws; none where the system is not Linux. */
export function findJobProcesses(job: string): readonly number[] {
  return findMarked(JOB_MARK, job);
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
    if (environment !== "" || Date.now() > endMs) return hasMark(environment ?? "", JOB_MARK, job);
  }
}

/** The processes, ours apart, whose environment has a variable with that value. Contract: none where the system is not Linux. */
export function findMarked(variable: string, mark: string): number[] {
  if (process.platform !== "linux") return [];
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
