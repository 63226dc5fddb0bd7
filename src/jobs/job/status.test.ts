import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { identifyProcess } from "../../base/process-identity.ts";
import { endJobProcesses } from "../../base/subprocess/marks.ts";
import { listJobs } from "./commands.ts";
import {
  deps,
  fileOf,
  folderOf,
  leftOf,
  makeCwd,
  start,
  status,
  stop,
  take,
  waitFor,
  waitForCodex,
} from "./jobs.test-helper.ts";

describe("[CNI-11] the status of a job is correct", () => {
  it.each(["with", "without"])("after kill -9 of the supervisor (%s an outcome of its own)", async (how) => {
    const cwd = makeCwd();
    const { jobId, pid } = await start(cwd, ["--hold", "60", ...(how === "with" ? ["--reserve"] : [])]);
    await waitForCodex(cwd, jobId);
    process.kill(pid, "SIGKILL");
    // No status call: the leftovers are ended without one.
    await expect.poll(() => leftOf(cwd, jobId)).toEqual([]);
    await expect.poll(() => JSON.parse(fileOf(cwd, jobId, "state.json")).state).toBe("failed");
    expect(await status(cwd, jobId)).toMatchObject({ exit_code: -1, classification: "error" });
    expect(fileOf(cwd, jobId, "job.log")).toMatch(/\n\[trap\] .*Exit Code: -1\n$/);
    const meta = JSON.parse(fileOf(cwd, jobId, "job.meta.json"));
    expect(Object.keys(meta)).toEqual(
      "id timestamp tag classification control_flag reason tokens_used cwd log_file instructions_file exit_code title".split(
        " ",
      ),
    );
  });

  it("after kill -9 of Codex, and of both processes", async () => {
    const cwd = makeCwd();
    const one = await start(cwd, ["--hold", "60"]);
    const both = await start(cwd, ["--hold", "60"]);
    await waitForCodex(cwd, one.jobId);
    await waitForCodex(cwd, both.jobId);
    endJobProcesses(folderOf(cwd, one.jobId));
    await waitFor(cwd, one.jobId, "completed");
    process.kill(both.pid, "SIGKILL");
    endJobProcesses(folderOf(cwd, both.jobId));
    await waitFor(cwd, both.jobId, "failed");
  });

  it("even if Codex prints an exit code", async () => {
    const cwd = makeCwd();
    const { jobId, pid } = await start(cwd, ["--hold", "60", "--say", "Exit Code: 0"]);
    await waitForCodex(cwd, jobId);
    process.kill(pid, "SIGKILL");
    await waitFor(cwd, jobId, "failed");
  });

  it("after a restart of the machine, and if another process has its pid", async () => {
    const self = identifyProcess(process.pid);
    for (const other of [{ ...self, bootId: "another" }, { ...self, startedAt: "1" }, self]) {
      const cwd = makeCwd();
      mkdirSync(folderOf(cwd, "cdx-20260101_000000"), { recursive: true });
      const write = (name: string, text: string) =>
        writeFileSync(join(folderOf(cwd, "cdx-20260101_000000"), name), text);
      write("process.json", JSON.stringify(other));
      write("request.json", JSON.stringify({ created_ms: Date.now(), tag: "", starter: null }));
      write("job.log", "===== Codex Run Start\n");
      expect(await status(cwd, "cdx-20260101_000000")).toMatchObject({ state: "failed", exit_code: -1 });
    }
  });

  it.each(["", "{", "[]", '{"pid":"x"}', "null"])("with %j in place of its records", async (text) => {
    const cwd = makeCwd();
    const { jobId, pid } = await start(cwd, ["--hold", "60"], { tag: "t" });
    await waitForCodex(cwd, jobId);
    const folder = folderOf(cwd, jobId);
    for (const name of ["state.json", "process.json"]) writeFileSync(join(folder, name), text);
    expect(await status(cwd, jobId)).toMatchObject({ state: "running", pid, tag: "t" });
    for (const name of ["state.json", "request.json", "outcome.json"]) writeFileSync(join(folder, name), text);
    expect(await status(cwd, jobId)).toMatchObject({ state: "running", pid });
    process.kill(pid, "SIGKILL");
    await waitFor(cwd, jobId, "failed");
    expect(leftOf(cwd, jobId)).toEqual([]);
  });

  it("with a single record left", async () => {
    const cwd = makeCwd();
    const { jobId, pid } = await start(cwd, ["--hold", "60"]);
    await waitForCodex(cwd, jobId);
    for (const name of ["state.json", "process.json", "pid"]) rmSync(join(folderOf(cwd, jobId), name));
    expect(await status(cwd, jobId)).toMatchObject({ state: "running", pid });
    await stop(cwd, jobId, true);
    rmSync(join(folderOf(cwd, jobId), "request.json"));
    expect(await status(cwd, jobId)).toMatchObject({ state: "failed", exit_code: 137 });
  });

  it("if it cannot be written", async () => {
    const cwd = makeCwd();
    const { jobId } = await start(cwd, ["--code", "2"]);
    await waitFor(cwd, jobId, "failed");
    const folder = folderOf(cwd, jobId);
    // A file cannot be renamed onto a folder, which simulates a full disk. The end of a job is known before its last
    // file is written; that write may fall between removing and creating, hence the retries.
    const block = (path: string) => {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path);
    };
    for (const name of ["state.json", "outcome.json"])
      await vi.waitFor(() => block(join(folder, name)), { timeout: 60_000 });
    expect(await status(cwd, jobId)).toMatchObject({ state: "failed", exit_code: 2 });
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("while it is being created: an empty folder is not a job yet", async () => {
    const cwd = makeCwd();
    mkdirSync(folderOf(cwd, "cdx-20260101_000000"), { recursive: true });
    expect(take(await listJobs({ cwd }, deps))).toEqual([]);
    const request = { created_ms: Date.now(), tag: "", starter: identifyProcess(process.pid) };
    writeFileSync(join(folderOf(cwd, "cdx-20260101_000000"), "request.json"), JSON.stringify(request));
    expect(await status(cwd, "cdx-20260101_000000")).toMatchObject({ state: "running", pid: 0 });
    const killed = { ...request, starter: { pid: 1, startedAt: "0", bootId: "" } };
    writeFileSync(join(folderOf(cwd, "cdx-20260101_000000"), "request.json"), JSON.stringify(killed));
    expect(await status(cwd, "cdx-20260101_000000")).toMatchObject({ state: "failed", exit_code: -1 });
  });
});
