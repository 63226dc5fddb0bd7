import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { identifyProcess, isSameProcess } from "../../base/process-identity.ts";
import { makeStateFolder } from "../../base/state-files.ts";
import { toMessage } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";

/** Folder of all workers of a machine, below the state folder. */
export const WORKERS_FOLDER = "workers";

/** Ends what Codex runs in a clone may have left behind. */
export type EndRuns = (clone: string) => void;

/** Makes a folder for this worker, which a later one removes where this one cannot. Contract: its name says whose it is, from the first moment on. */
export function makeWorkerFolder(workers: string): Outcome<string> {
  const own = identifyProcess(process.pid);
  const folder = join(workers, [own?.pid, own?.startedAt, own?.bootId].join("_"));
  try {
    makeStateFolder(workers);
    makeStateFolder(folder);
    return succeed(folder);
  } catch (thrown) {
    return fail("E_CONFIG", `${folder} cannot be made: ${toMessage(thrown)}`);
  }
}

/** Makes a folder for one attempt below a worker's. */
export function makeAttemptFolder(worker: string, name: string): string {
  const folder = join(worker, name);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Ends and removes all that workers have left that are gone. Contract: never throws; those that live keep theirs. */
export function removeLeftovers(workers: string, endRuns: EndRuns): void {
  for (const name of namesIn(workers)) {
    if (!isOwned(name)) removeWorkerFolder(join(workers, name), endRuns);
  }
}

/** Ends what is left of a worker's runs and removes its folder. Contract: never throws. */
export function removeWorkerFolder(folder: string, endRuns: EndRuns): void {
  for (const name of namesIn(folder)) removeAttemptFolder(join(folder, name), endRuns);
  removeFolder(folder);
}

/** The same for one attempt. */
export function removeAttemptFolder(folder: string, endRuns: EndRuns): void {
  endRuns(join(folder, "repo"));
  removeFolder(folder);
}

function removeFolder(folder: string): void {
  try {
    // Whoever was just ended may still write a last file.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // What cannot be removed stays, and the next worker tries again.
  }
}

function isOwned(name: string): boolean {
  const [pid = "", startedAt = "", bootId = ""] = name.split("_");
  return isSameProcess({ pid: Number(pid), startedAt, bootId });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
