import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listFolder } from "../../base/file-facts.ts";
import { identifyProcess, isSameProcess } from "../../base/process-identity.ts";
import { makeStateFolder } from "../../base/state-files.ts";
import { toMessage } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";

/** Folder of all workers of a machine, inside the state folder. */
export const WORKERS_FOLDER = "workers";

/** Ends processes that Codex may have left running in a clone. */
export type EndRuns = (clone: string) => void;

/**
 * Creates a folder for this worker; if this worker cannot remove it, a later one does. Contract: its name identifies
 * its owner from the moment of its creation.
 */
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

/** Creates a folder for one attempt inside a worker's folder. */
export function makeAttemptFolder(worker: string, name: string): string {
  const folder = join(worker, name);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/**
 * Removes the folders of workers that are gone and ends their runs. Contract: never throws; folders of live workers are
 * kept.
 */
export function removeLeftovers(workers: string, endRuns: EndRuns): void {
  for (const name of listFolder(workers)) {
    if (!isOwned(name)) removeWorkerFolder(join(workers, name), endRuns);
  }
}

/** Ends what remains of a worker's runs and removes its folder. Contract: never throws. */
export function removeWorkerFolder(folder: string, endRuns: EndRuns): void {
  for (const name of listFolder(folder)) removeAttemptFolder(join(folder, name), endRuns);
  removeFolder(folder);
}

/** Ends what remains of one attempt's run and removes its folder. */
export function removeAttemptFolder(folder: string, endRuns: EndRuns): void {
  endRuns(join(folder, "repo"));
  removeFolder(folder);
}

function removeFolder(folder: string): void {
  try {
    // Retries: a process that was just ended may still write a last file.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A folder that cannot be removed stays until the next worker tries again.
  }
}

function isOwned(name: string): boolean {
  const [pid = "", startedAt = "", bootId = ""] = name.split("_");
  return isSameProcess({ pid: Number(pid), startedAt, bootId });
}
