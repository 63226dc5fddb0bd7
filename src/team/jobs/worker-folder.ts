import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { identifyProcess, isSameProcess } from "../../base/process-identity.ts";
import { makeStateFolder, readStateFile, replaceFile } from "../../base/state-files.ts";
import { parseObject, textOf, toMessage } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";

/** Folder of all workers of a machine, below the state folder. */
export const WORKERS_FOLDER = "workers";
/** Says whose folder it is. */
const OWNER_FILE = "worker.json";
const MAX_OWNER_BYTES = 4_096;

/** Ends what Codex runs in a clone may have left behind. */
export type EndRuns = (clone: string) => void;

/** Makes a folder for this worker, which a later one removes where this one cannot. */
export function makeWorkerFolder(workers: string): Outcome<string> {
  const folder = join(workers, randomUUID());
  try {
    makeStateFolder(workers);
    makeStateFolder(folder);
    if (replaceFile(folder, OWNER_FILE, JSON.stringify(identifyProcess(process.pid)))) return succeed(folder);
    return fail("E_CONFIG", `${folder} cannot be written to`);
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
    const folder = join(workers, name);
    if (!isOwned(folder)) removeWorkerFolder(folder, endRuns);
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

function isOwned(folder: string): boolean {
  const owner = parseObject(readStateFile(folder, OWNER_FILE, MAX_OWNER_BYTES) ?? "");
  const pid = owner?.["pid"];
  if (typeof pid !== "number") return false;
  return isSameProcess({ pid, startedAt: textOf(owner, "startedAt"), bootId: textOf(owner, "bootId") });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
