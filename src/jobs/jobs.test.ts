import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import type { OrRefusal } from "../contract/codex-jobs.ts";
import { jobStatus, listJobs, startJob } from "./jobs.ts";
import { makeStub } from "./start-stub.test-helper.ts";

const tools = makeFolder();
const deps = {
  env: { PATH: process.env["PATH"], HOME: tools },
  clock: systemClock,
  startProgram: makeStub(tools),
  settleProgram: { command: "/bin/true", args: [] },
};

function take<T>(given: OrRefusal<T>): T {
  if (!given.ok) throw new Error(given.refusal.lines.join("\n"));
  return given.value;
}

const start = async (cwd: string, args: readonly string[], more: object = {}) =>
  take(await startJob({ cwd, tag: "", args, ...more }, deps));
const status = async (cwd: string, id: string) => take(await jobStatus({ cwd, id }, deps));
const waitFor = (cwd: string, id: string, state: string) =>
  expect.poll(async () => (await status(cwd, id)).state, { timeout: 20_000 }).toBe(state);

describe("[CNI-11] a job", () => {
  it("is started, runs and is completed", async () => {
    const cwd = makeFolder();
    const job = await start(cwd, ["--hold", "1"], { tag: "my job" });
    expect(job.jobId).toMatch(/^cdx-\d{8}_\d{6}-my-job$/);
    expect(await status(cwd, job.jobId)).toMatchObject({ state: "running", exit_code: null, pid: job.pid });
    await waitFor(cwd, job.jobId, "completed");
    const done = await status(cwd, job.jobId);
    expect(done).toMatchObject({ exit_code: 0, classification: "normal", tag: "my-job" });
    expect(JSON.parse(readFileSync(join(cwd, ".codex-father/sessions", job.jobId, "state.json"), "utf8"))).toEqual(
      done,
    );
    expect(take(await listJobs({ cwd }, deps))).toMatchObject([{ id: job.jobId, state: "completed" }]);
  });

  it("waits for its turn", async () => {
    const cwd = makeFolder();
    const one = await start(cwd, ["--hold", "1"], { maxParallel: 1 });
    const two = await start(cwd, ["--hold", "0"], { maxParallel: 1 });
    expect(await status(cwd, one.jobId)).toMatchObject({ state: "running" });
    expect(await status(cwd, two.jobId)).toMatchObject({ state: "queued", pid: 0 });
    await waitFor(cwd, two.jobId, "completed");
  });
});
