import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { endJobProcesses, findJobProcesses } from "../../base/subprocess/marks.ts";
import type { Outcome } from "../../contract/faults.ts";
import { makeJobDeps } from "../run/start-stub.test-helper.ts";
import { jobStatus, startJob, stopJob } from "./commands.ts";
import { supervisorMark } from "./store.ts";

/** Folder of the stub programs. */
export const tools = makeFolder();
/** Dependencies of jobs, with a stub for start.sh. */
export const deps = makeJobDeps(tools);
const used: string[] = [];

/** Returns the value of an outcome; a fault fails the test. */
export function take<T>(given: Outcome<T>): T {
  if (!given.ok) throw new Error(given.fault.message);
  return given.value;
}

/** Creates a folder whose jobs are ended after the tests. */
export function makeCwd(): string {
  const cwd = makeFolder();
  used.push(cwd);
  return cwd;
}

/** Starts a job. */
export const start = async (cwd: string, args: readonly string[], more: object = {}) =>
  take(await startJob({ cwd, tag: "", args, ...more }, deps));
/** Returns the state of a job. */
export const status = async (cwd: string, id: string) => take(await jobStatus({ cwd, id }, deps));
/** Stops a job. */
export const stop = async (cwd: string, id: string, force = false) => take(await stopJob({ cwd, id, force }, deps));
/** Waits until a job reaches a state. */
export const waitFor = (cwd: string, id: string, state: string) =>
  expect.poll(async () => (await status(cwd, id)).state).toBe(state);
/** Returns the folder of a job. */
export const folderOf = (cwd: string, id: string) => join(cwd, ".codex-father/sessions", id);
/** Reads a file of a job. */
export const fileOf = (cwd: string, id: string, name: string) => readFileSync(join(folderOf(cwd, id), name), "utf8");
/** Waits until the process that stands in for Codex exists. */
export const waitForCodex = (cwd: string, id: string) =>
  expect.poll(() => findJobProcesses(folderOf(cwd, id)).length).toBe(1);
/** Returns the processes that a job has left. */
export const leftOf = (cwd: string, id: string) => [
  ...findJobProcesses(folderOf(cwd, id)),
  ...findJobProcesses(supervisorMark(folderOf(cwd, id))),
];

afterAll(() => {
  for (const cwd of used) {
    const sessions = join(cwd, ".codex-father/sessions");
    for (const id of existsSync(sessions) ? readdirSync(sessions) : []) {
      endJobProcesses(supervisorMark(join(sessions, id)));
      endJobProcesses(join(sessions, id));
    }
  }
});
