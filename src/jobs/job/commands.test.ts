import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { toLines } from "../../contract/faults.ts";
import { cleanJobs, jobMetrics, listJobs, resumeJob, settle, startJob } from "./commands.ts";
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

describe("[CNI-11] a job", () => {
  it("starts, runs and completes", async () => {
    const cwd = makeCwd();
    const job = await start(cwd, ["--hold", "1"], { tag: "my job" });
    const folder = folderOf(cwd, job.jobId);
    expect(job).toEqual({
      jobId: expect.stringMatching(/^cdx-\d{8}_\d{6}-my-job$/),
      pid: expect.any(Number),
      cwd,
      logFile: join(folder, "job.log"),
      metaGlob: join(folder, "*.meta.json"),
      lastMessageGlob: join(folder, "*.last.txt"),
      tag: "my-job",
    });
    const running = await status(cwd, job.jobId);
    expect(running).toMatchObject({ state: "running", exit_code: null, pid: job.pid, classification: "" });
    expect(fileOf(cwd, job.jobId, "pid")).toBe(`${job.pid}\n`);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    await waitFor(cwd, job.jobId, "completed");
    const done = await status(cwd, job.jobId);
    expect(done).toMatchObject({ exit_code: 0, classification: "normal", tag: "my-job", pid: job.pid });
    expect(JSON.parse(fileOf(cwd, job.jobId, "state.json"))).toEqual(done);
    expect(Object.keys(done).sort()).toEqual(
      [
        ...["id", "pid", "state", "exit_code", "classification", "tokens_used", "cwd", "created_at", "updated_at"],
        ...["tag", "log_file", "meta_glob", "last_message_glob", "title"],
      ].sort(),
    );
    expect(take(await listJobs({ cwd }, deps))).toEqual([
      {
        id: job.jobId,
        state: "completed",
        createdAt: done.created_at,
        updatedAt: done.updated_at,
        tag: "my-job",
        title: "",
      },
    ]);
  });

  it("reports why it failed; its own record takes precedence", async () => {
    const cwd = makeCwd();
    const one = await start(cwd, ["--code", "3"]);
    const two = await start(cwd, ["--code", "4", "--reserve"]);
    await waitFor(cwd, one.jobId, "failed");
    await waitFor(cwd, two.jobId, "failed");
    expect(await status(cwd, one.jobId)).toMatchObject({ exit_code: 3, classification: "error" });
    expect(await status(cwd, two.jobId)).toMatchObject({
      exit_code: 4,
      classification: "tool_error",
      tokens_used: "5",
    });
  });

  it("fails on an invalid option, and without a log", async () => {
    const cwd = makeCwd();
    const { jobId } = await start(cwd, ["--bad"]);
    await waitFor(cwd, jobId, "failed");
    expect(await status(cwd, jobId)).toMatchObject({ exit_code: -1, classification: "error" });
    expect(fileOf(cwd, jobId, "bootstrap.err")).toContain("unknown option");
    expect(JSON.parse(fileOf(cwd, jobId, "job.meta.json"))).toMatchObject({ exit_code: -1, classification: "error" });
  });

  it("receives its standard input, which does not stay on disk", async () => {
    const cwd = makeCwd();
    const { jobId } = await start(cwd, [], { stdin: "a long prompt\n", maxParallel: 1 });
    await waitFor(cwd, jobId, "completed");
    expect(fileOf(cwd, jobId, "job.log")).toContain("a long prompt");
    expect(existsSync(join(folderOf(cwd, jobId), "stdin"))).toBe(false);
  });

  it("keeps its log in its folder, whatever the options say", async () => {
    const cwd = makeCwd();
    const { jobId } = await start(cwd, ["-l", "/nowhere/a.log", "--log-file=b.log", "--hold", "0"]);
    await waitFor(cwd, jobId, "completed");
    expect(existsSync(join(cwd, "b.log"))).toBe(false);
  });

  it("takes its title from the task, unless secrets must stay off the disk", async () => {
    const cwd = makeCwd();
    const open = await start(cwd, ["--task", "fix\nthe  bug", "--hold", "5"]);
    const hidden = await start(cwd, ["--redact", "--task", "my-secret-text", "--hold", "5"]);
    expect(await status(cwd, open.jobId)).toMatchObject({ title: "fix the bug" });
    expect(await status(cwd, hidden.jobId)).toMatchObject({ title: "" });
    for (const name of readdirSync(folderOf(cwd, hidden.jobId)))
      expect(fileOf(cwd, hidden.jobId, name)).not.toContain("my-secret-text");
    for (const { jobId } of [open, hidden]) await stop(cwd, jobId, true);
  });

  it("is refused if the folder is missing or read-only, or the program is missing", async () => {
    const cwd = makeCwd();
    const lines = async (more: object, with_ = deps) => {
      const answer = await startJob({ cwd, tag: "", args: [], ...more }, with_);
      return answer.ok ? [] : toLines(answer.fault);
    };
    expect(await lines({ cwd: join(cwd, "none") })).toEqual([expect.stringContaining("not a folder")]);
    expect(await lines({ maxParallel: 0 })).toEqual([expect.stringContaining("--max-parallel")]);
    expect(await lines({ priority: 1.5 })).toEqual([expect.stringContaining("--priority")]);
    const missing = { ...deps, startProgram: { command: "/nowhere/start", args: [] } };
    expect(await lines({}, missing)).toEqual([expect.stringContaining("/nowhere/start")]);
    expect(readdirSync(join(cwd, ".codex-father/sessions"))).toEqual([]);
  });
});

describe("[CNI-11] two jobs", () => {
  it("never share an id when started at the same time", async () => {
    const cwd = makeCwd();
    const [program, bundle = ""] = [process.execPath, deps.settleProgram.args[0]];
    const script = `i=0; while [ $i -lt 20 ]; do "$0" "$1" start --cwd "$2" --tag t --json & i=$((i+1)); done; wait`;
    const env = { ...deps.env, CODEX_START_SH: deps.startProgram.command };
    const printed = execFileSync("/bin/sh", ["-c", script, program, bundle, cwd], { env, encoding: "utf8" });
    const ids = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).jobId as string);
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) await waitFor(cwd, id, "completed");
  });
});

describe("[CNI-11] stopping a job", () => {
  it("asks the supervisor, which ends Codex and records it", async () => {
    const cwd = makeCwd();
    const { jobId } = await start(cwd, ["--hold", "60"]);
    await waitForCodex(cwd, jobId);
    expect(await stop(cwd, jobId)).toEqual({ message: expect.stringContaining("143"), isOver: true });
    expect(leftOf(cwd, jobId)).toEqual([]);
    expect(await status(cwd, jobId)).toMatchObject({
      state: "failed",
      exit_code: 143,
      classification: "user_cancelled",
    });
    expect(await stop(cwd, jobId)).toEqual({ message: expect.stringContaining("already over"), isOver: true });
  });

  it("kills everything at once if forced", async () => {
    const cwd = makeCwd();
    const { jobId } = await start(cwd, ["--hold", "60", "--deaf"]);
    await waitForCodex(cwd, jobId);
    expect(await stop(cwd, jobId, true)).toMatchObject({ isOver: true });
    expect(leftOf(cwd, jobId)).toEqual([]);
    // The settle program may run only now and must not change the result.
    await sleep(500);
    expect(await status(cwd, jobId)).toMatchObject({
      state: "failed",
      exit_code: 137,
      classification: "user_cancelled",
    });
  });

  it("reports a job that does not react", async () => {
    const cwd = makeCwd();
    const { jobId } = await start(cwd, ["--hold", "60", "--deaf"]);
    await waitForCodex(cwd, jobId);
    expect(await stop(cwd, jobId)).toEqual({ message: expect.stringContaining("--force"), isOver: false });
    await stop(cwd, jobId, true);
  });

  it("takes a job out of the queue", async () => {
    const cwd = makeCwd();
    const first = await start(cwd, ["--hold", "60"], { maxParallel: 1 });
    const second = await start(cwd, [], { maxParallel: 1 });
    expect(await stop(cwd, second.jobId)).toMatchObject({ message: expect.stringContaining("queue"), isOver: true });
    expect(await status(cwd, second.jobId)).toMatchObject({ state: "failed", exit_code: -1, pid: expect.any(Number) });
    await stop(cwd, first.jobId, true);
    expect(await status(cwd, second.jobId)).toMatchObject({ state: "failed", classification: "user_cancelled" });
  });
});

describe("[CNI-11] listing, removing and resuming jobs", () => {
  it("lists the jobs that match a filter", async () => {
    const cwd = makeCwd();
    const ids: string[] = [];
    for (const tag of ["a1", "b", "a2"]) ids.push((await start(cwd, [], { tag })).jobId);
    for (const id of ids) await waitFor(cwd, id, "completed");
    const list = async (filter: object) => take(await listJobs({ cwd, ...filter }, deps)).map(({ tag }) => tag);
    expect((await list({ tagContains: "a" })).sort()).toEqual(["a1", "a2"]);
    expect(await list({ state: "running" })).toEqual([]);
    expect(await list({ limit: 1 })).toHaveLength(1);
    expect(await list({ limit: 5, offset: 2 })).toHaveLength(1);
    expect(take(await jobMetrics({ cwd }, deps))).toMatchObject({
      total: 3,
      states: { queued: 0, running: 0, completed: 3, failed: 0 },
      classifications: { normal: 3 },
    });
  });

  it("removes finished jobs only", async () => {
    const cwd = makeCwd();
    const over = await start(cwd, []);
    const runs = await start(cwd, ["--hold", "60"]);
    await waitFor(cwd, over.jobId, "completed");
    const clean = async (more: object) =>
      take(await cleanJobs({ cwd, olderThanHours: 0, dryRun: false, ...more }, deps));
    expect((await clean({ olderThanHours: 1 })).removed).toEqual([]);
    expect((await clean({ dryRun: true })).removed).toEqual([over.jobId]);
    expect((await clean({ state: "failed" })).removed).toEqual([]);
    expect((await clean({ state: "running" })).removed).toEqual([]);
    expect((await clean({})).removed).toEqual([over.jobId]);
    expect(readdirSync(join(cwd, ".codex-father/sessions"))).toEqual([runs.jobId]);
    await stop(cwd, runs.jobId, true);
  });

  it("resumes a finished job in its Codex session", async () => {
    const cwd = makeCwd();
    const old = await start(cwd, ["--task", "one", "--hold", "0", "--", "--model", "x"], { tag: "t" });
    await waitFor(cwd, old.jobId, "completed");
    const event = { type: "thread.started", thread_id: "0190-abc" };
    writeFileSync(join(folderOf(cwd, old.jobId), "job.events.jsonl"), `nonsense\n${JSON.stringify(event)}\n{}\n`);
    const args = async (more: object) => {
      const job = take(await resumeJob({ cwd, id: old.jobId, args: ["--task", "two"], ...more }, deps));
      expect(job.tag).toBe("t");
      return JSON.parse(fileOf(cwd, job.jobId, "request.json")).args;
    };
    const first = ["--task", "one", "--hold", "0"];
    expect(await args({})).toEqual([...first, "--resume-thread", "0190-abc", "--task", "two", "--", "--model", "x"]);
    expect(await args({ isFresh: true })).toEqual([...first, "--task", "two", "--", "--model", "x"]);
    const changed = JSON.parse(fileOf(cwd, old.jobId, "request.json"));
    writeFileSync(join(folderOf(cwd, old.jobId), "request.json"), JSON.stringify({ ...changed, args: ["--yolo"] }));
    expect(await resumeJob({ cwd, id: old.jobId, args: [] }, deps)).toMatchObject({ ok: false });
  });

  it("does not resume a job whose standard input is gone, unless it is replaced", async () => {
    const cwd = makeCwd();
    const resume = async (args: readonly string[], more: readonly string[]) => {
      const { jobId: id } = await start(cwd, args, { stdin: "a long prompt\n" });
      await waitFor(cwd, id, "completed");
      return resumeJob({ cwd, id, args: more, stdin: "another prompt\n" }, deps);
    };
    const gone = { ok: false, fault: { lines: [expect.stringContaining("standard input, which was not kept")] } };
    expect(await resume(["-f", "-"], [])).toMatchObject(gone);
    expect(await resume(["-f", "-"], ["-f", "-"])).toMatchObject(gone);
    expect(await resume(["-F", "-"], ["--task", "x"])).toMatchObject(gone);
    for (const more of [
      ["-F", "-"],
      ["-F", "base.md"],
    ])
      expect((await resume(["-F", "-"], more)).ok).toBe(true);
  });

  it("does not resume a running job, or one without options", async () => {
    const cwd = makeCwd();
    const { jobId } = await start(cwd, ["--redact", "--hold", "60"]);
    expect(await resumeJob({ cwd, id: jobId, args: [] }, deps)).toMatchObject({ ok: false });
    await stop(cwd, jobId, true);
    const kept = await resumeJob({ cwd, id: jobId, args: [] }, deps);
    expect(kept).toMatchObject({ ok: false, fault: { lines: [expect.stringContaining("kept no options")] } });
    expect(await resumeJob({ cwd, id: jobId, args: ["--hold", "0"] }, deps)).toMatchObject({ ok: true });
  });
});

describe("[CNI-11] a run that was not started as a job", () => {
  it.each([
    [
      "in a folder of its own",
      "exec-20260101_000000-t",
      "exec-20260101_000000-t/job",
      "exec-20260101_000000-t/outcome.json",
    ],
    ["among others", "codex-20260101_000000-t", "codex-20260101_000000-t", "codex-20260101_000000-t.outcome.json"],
  ])("%s is settled", async (_, mark, base, outcome) => {
    const cwd = makeFolder({ [`${base}.log`]: "===== Codex Run Start\n", [outcome]: "    \n" });
    await settle({ mark: join(cwd, mark), cwd }, deps);
    expect(JSON.parse(readFileSync(join(cwd, outcome), "utf8"))).toMatchObject({ exit_code: -1 });
    expect(JSON.parse(readFileSync(join(cwd, `${base}.meta.json`), "utf8"))).toMatchObject({
      id: "codex-20260101_000000-t",
      exit_code: -1,
      cwd,
    });
    const before = readdirSync(cwd, { recursive: true });
    await settle({ mark: join(cwd, "nothing"), cwd }, deps);
    expect(readdirSync(cwd, { recursive: true })).toEqual(before);
  });
});
