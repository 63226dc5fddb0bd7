import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { countUsualMs } from "../../../tests/support/timed.ts";
import { endJobProcesses } from "../../base/subprocess/marks.ts";
import { listJobs, startJob } from "./commands.ts";
import {
  deps,
  fileOf,
  folderOf,
  makeCwd,
  start,
  status,
  take,
  tools,
  waitFor,
  waitForCodex,
} from "./jobs.test-helper.ts";
import { withQueue } from "./queue.ts";
import { claimLock, clearLockPlace } from "./queue-lock.ts";
import { supervisorMark } from "./store.ts";

describe("[CNI-11] the queue", () => {
  it("keeps to its limit and starts jobs of higher priority first", async () => {
    const cwd = makeCwd();
    const limit = { maxParallel: 1 };
    const first = await start(cwd, ["--hold", "1"], limit);
    const later = await start(cwd, ["--hold", "0.2"], { ...limit, tag: "later" });
    const urgent = await start(cwd, ["--hold", "0.2"], { ...limit, tag: "urgent", priority: 5 });
    expect((await status(cwd, first.jobId)).state).toBe("running");
    expect([later.pid, urgent.pid]).toEqual([0, 0]);
    expect(await status(cwd, later.jobId)).toMatchObject({ state: "queued", pid: 0, exit_code: null });
    // No further calls: the end of each job lets the next one begin.
    const ended = (id: string) => JSON.parse(fileOf(cwd, id, "state.json")).state === "completed";
    await expect.poll(() => ended(later.jobId)).toBe(true);
    const begun = (id: string) => lstatSync(join(folderOf(cwd, id), "go")).birthtimeMs;
    expect(begun(urgent.jobId)).toBeLessThan(begun(later.jobId));
    expect(begun(first.jobId)).toBeLessThan(begun(urgent.jobId));
  });

  it("goes on after a running or a waiting job was killed", async () => {
    const cwd = makeCwd();
    const limit = { maxParallel: 1 };
    const first = await start(cwd, ["--hold", "60"], limit);
    const second = await start(cwd, ["--hold", "0"], limit);
    const third = await start(cwd, ["--hold", "0"], limit);
    await waitForCodex(cwd, first.jobId);
    endJobProcesses(supervisorMark(folderOf(cwd, second.jobId)));
    endJobProcesses(supervisorMark(folderOf(cwd, first.jobId)));
    const state = (id: string) => JSON.parse(fileOf(cwd, id, "state.json")).state;
    await expect.poll(() => state(third.jobId)).toBe("completed");
    expect(await status(cwd, second.jobId)).toMatchObject({ state: "failed", exit_code: -1 });
    expect(await status(cwd, first.jobId)).toMatchObject({ state: "failed" });
  });

  it("gives a job the environment of its caller", async () => {
    const cwd = makeCwd();
    const echo = join(tools, "echo.sh");
    writeFileSync(echo, '#!/bin/sh\necho "$ASKED"; echo "Exit Code: 0" >"$2"; exit 0\n');
    chmodSync(echo, 0o755);
    const first = await start(cwd, ["--hold", "1"], { maxParallel: 1 });
    const asked = { ...deps, startProgram: { command: echo, args: [] }, env: { ...deps.env, ASKED: "me" } };
    const job = take(await startJob({ cwd, tag: "", args: [], maxParallel: 1 }, asked));
    await waitFor(cwd, job.jobId, "completed");
    expect(fileOf(cwd, job.jobId, "bootstrap.out")).toBe("me\n");
    expect((await status(cwd, first.jobId)).state).toBe("completed");
  });

  const makePipe = (path: string) => void execFileSync("mkfifo", [path]);
  it.each<[string, string, (path: string) => void, string]>([
    ["queue.lock-journal", "a folder", (path) => mkdirSync(path), "a folder"],
    ["queue.lock-journal", "a file", (path) => writeFileSync(path, "x".repeat(600)), "not ours"],
    ["queue.lock-wal", "a folder", (path) => mkdirSync(path), "a folder"],
    ["queue.lock-shm", "a pipe", makePipe, "no plain file"],
    [
      "queue.lock",
      "a folder with something in it",
      (path) => mkdirSync(join(path, "x"), { recursive: true }),
      "a folder",
    ],
    ["queue.lock", "garbage", (path) => writeFileSync(path, "garbage"), "not empty"],
    ["queue.lock", "a pipe", makePipe, "no plain file"],
    ["queue.lock", "a link", (path) => symlinkSync("/etc/hostname", path), "a link"],
    ["queue.lock", "unreadable", (path) => writeFileSync(path, "", { mode: 0 }), "not to be read"],
  ])("[G D.15] %s that is %s is moved aside at once and reported", async (name, _what, plant, why) => {
    const cwd = makeCwd();
    mkdirSync(join(cwd, ".codex-father"));
    const path = join(cwd, ".codex-father", name);
    plant(path);
    const told: string[] = [];
    const telling = { ...deps, tell: (line: string) => told.push(line) };
    const usualMs = countUsualMs();
    const { jobId } = take(await startJob({ cwd, tag: "", args: [], maxParallel: 1 }, telling));
    expect(take(await listJobs({ cwd }, telling))).toMatchObject([{ id: jobId }]);
    expect(usualMs()).toBeLessThan(8_000);
    await waitFor(cwd, jobId, "completed");
    // File modes do not restrict root.
    if (why === "not to be read" && process.getuid?.() === 0) return;
    expect(told).toEqual([expect.stringContaining(`${path} was broken (${why}`)]);
    expect(lstatSync(`${path}.broken-1`)).toBeDefined();
  });

  it("[G D.15] reports a lock that cannot be repaired at once, and waits for one that is held", async () => {
    const cwd = makeCwd();
    const lock = join(makeFolder(), "queue.lock");
    const held = claimLock(lock);
    expect(held).toHaveProperty("value.release");
    expect(claimLock(lock)).toEqual({ ok: true, value: null });
    if (held.ok) held.value?.release();
    expect(claimLock(lock)).toHaveProperty("value.release");
    expect(claimLock("/nowhere/queue.lock")).toHaveProperty("fault.message");
    expect(clearLockPlace("/nowhere/queue.lock")).toMatchObject({ fault: { message: "/nowhere is not a folder" } });
    writeFileSync(join(cwd, ".codex-father"), "");
    const told: string[] = [];
    const tell = (line: string) => told.push(line);
    const usualMs = countUsualMs();
    expect(await withQueue(cwd, { clock: deps.clock, tell }, () => "work")).toBe(null);
    expect(usualMs()).toBeLessThan(2_000);
    expect(told).toEqual([expect.stringContaining("the queue cannot be had")]);
  });

  it("[G D.15] examines files of a job that are pipes, folders or links without opening them", async () => {
    const cwd = makeCwd();
    for (const name of ["state.json", "outcome.json", "process.json", "stop.json", "job.log", "job.meta.json", "go"])
      for (const [kind, plant] of [
        ["pipe", makePipe],
        ["folder", (path: string) => mkdirSync(path)],
        ["link", (path: string) => symlinkSync("/dev/zero", path)],
      ] as const) {
        const folder = folderOf(cwd, `cdx-20260101_000000-${kind}-${name}`);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "request.json"), '{"created_ms":1,"args":[],"max_parallel":1}');
        plant(join(folder, name));
      }
    const spent = countFloors();
    const jobs = take(await listJobs({ cwd }, deps));
    expect(jobs).toHaveLength(21);
    expect(jobs.every(({ state }) => state === "failed")).toBe(true);
    expect(spent()).toBeLessThan(50);
  });

  it("is not blocked by an entry in the place of its lock", async () => {
    const cwd = makeCwd();
    mkdirSync(join(cwd, ".codex-father"));
    const elsewhere = join(makeFolder(), "file");
    symlinkSync(elsewhere, join(cwd, ".codex-father/queue.lock"));
    const { jobId } = await start(cwd, [], { maxParallel: 1 });
    await waitFor(cwd, jobId, "completed");
    expect(existsSync(elsewhere)).toBe(false);
  });
});
