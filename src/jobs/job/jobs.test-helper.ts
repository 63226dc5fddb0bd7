import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { endJobProcesses, findJobProcesses } from "../../base/subprocess/marks.ts";
import type { Outcome } from "../../contract/faults.ts";
import { makeJobDeps } from "../run/start-stub.test-helper.ts";
import { jobStatus, startJob, stopJob } from "./commands.ts";
import { supervisorMark } from "./store.ts";

/** Folder of the programs that stand in for ours. */
export const tools = makeFolder();
/** What jobs need from outside, with a stand-in for start.sh. */
export const deps = makeJobDeps(tools);
const used: string[] = [];

/** The value of an outcome; a fault fails the test. */
export function take<T>(given: Outcome<T>): T {
  if (!given.ok) throw new Error(given.fault.message);
  return given.value;
}

/** A folder whose jobs are ended when the tests are over. */
export function makeCwd(): string {
  const cwd = makeFolder();
  used.push(cwd);
  return cwd;
}

/** Starts a job. */
export const start = async (cwd: string, args: readonly string[], more: object = {}) =>
  take(await startJob({ cwd, tag: "", args, ...more }, deps));
/** The state of a job. */
export const status = async (cwd: string, id: string) => take(await jobStatus({ cwd, id }, deps));
/** Stops a job. */
export const stop = async (cwd: string, id: string, force = false) => take(await stopJob({ cwd, id, force }, deps));
/** Waits for a state of a job. */
export const waitFor = (cwd: string, id: string, state: string) =>
  expect.poll(async () => (await status(cwd, id)).state).toBe(state);
/** Where a job lies. */
export const folderOf = (cwd: string, id: string) => join(cwd, ".codex-father/sessions", id);
/** A file of a job. */
export const fileOf = (cwd: string, id: string, name: string) => readFileSync(join(folderOf(cwd, id), name), "utf8");
/** Waits until the process that stands for Codex is there. */
export const waitForCodex = (cwd: string, id: string) =>
  expect.poll(() => findJobProcesses(folderOf(cwd, id)).length).toBe(1);
/** Processes that a job has left. */
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
