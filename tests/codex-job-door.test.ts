import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { endJobProcesses } from "../src/base/subprocess/marks.ts";
import { supervisorMark } from "../src/jobs/job/store.ts";
import { makeStub } from "../src/jobs/run/start-stub.test-helper.ts";
import { codexAutoDoor, groundwork, projectRoot } from "./support/doors.ts";
import { makeFolder } from "./support/temp-folder.ts";
import { until } from "./support/until.ts";

const home = makeFolder();
const cwd = makeFolder();
const env = { PATH: process.env["PATH"], HOME: home, CODEX_START_SH: makeStub(home).command };
const door = join(projectRoot, "job.sh");

function job(args: readonly string[], more: { input?: string; program?: string; env?: object } = {}) {
  const { status, stdout, stderr } = spawnSync(more.program ?? door, args, {
    cwd,
    env: { ...env, ...more.env },
    input: more.input ?? "",
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

const start = (...args: string[]) => JSON.parse(job(["start", "--json", ...args]).stdout).jobId as string;
const status = (id: string) => JSON.parse(job(["status", id, "--json"]).stdout);
const waitFor = (id: string, state: string) => expect.poll(() => status(id).state).toBe(state);

afterAll(() => {
  const sessions = join(cwd, ".codex-father/sessions");
  for (const id of readdirSync(sessions)) {
    endJobProcesses(supervisorMark(join(sessions, id)));
    endJobProcesses(join(sessions, id));
  }
});

describe("[CNI-19] job.sh", () => {
  it("returns at once and reports the job's state", async () => {
    const { code, stdout } = job(["start", "--tag", "peer", "--json", "--hold", "4"]);
    expect(code).toBe(0);
    const started = JSON.parse(stdout);
    expect(status(started.jobId).state).toBe("running");
    expect(Object.keys(started)).toEqual(["jobId", "pid", "cwd", "logFile", "metaGlob", "lastMessageGlob", "tag"]);
    expect(started.jobId).toMatch(/^cdx-\d{8}_\d{6}-peer$/);
    expect(readdirSync(join(cwd, ".codex-father/sessions", started.jobId))).toEqual(
      expect.arrayContaining(["pid", "state.json", "job.log", "bootstrap.out", "bootstrap.err"]),
    );
    await waitFor(started.jobId, "completed");
    expect(JSON.parse(job(["list", "--json"]).stdout)[0]).toEqual({
      id: started.jobId,
      state: "completed",
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      tag: "peer",
      title: "",
    });
    expect(job(["logs", started.jobId, "--tail", "2"]).stdout).toBe("Exit Code: 0\n===== Codex Run End =====\n");
    expect(job(["stop", started.jobId])).toMatchObject({ code: 0, stdout: expect.stringContaining("already over") });
  });

  it("starts a job from codex-auto, with evidence in its prompt", async () => {
    const args = ["--background", "--sandbox", "read-only", "--json", "where", "is the cart?"];
    const { code, stdout } = job(args, { program: codexAutoDoor });
    expect(code).toBe(0);
    const { jobId } = JSON.parse(stdout);
    await waitFor(jobId, "completed");
    const request = join(cwd, ".codex-father/sessions", jobId, "request.json");
    const given = ["--with-context", "--sandbox", "read-only", "--task=where is the cart?"];
    expect(JSON.parse(readFileSync(request, "utf8")).args).toEqual(given);
  });

  it("prints text for people", async () => {
    const id = start("--task", "say\u001b[31m hello", "--tag", "people");
    await waitFor(id, "completed");
    expect(job(["status", id]).stdout).toMatch(/^state {4}completed \(exit code 0, normal\)$/m);
    expect(job(["list"]).stdout).toMatch(new RegExp(`^JOB +STATE +AGE +TITLE\n.*${id} +completed +\\d+s +say hello`));
    expect(job(["metrics"]).stdout).toMatch(/^jobs +\d+: .*\d completed$/m);
    expect(job(["start"]).stdout).toMatch(/^Started cdx-.*\nLog: .*\n$/);
    expect(job(["--help"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: job.sh/), stderr: "" });
  });

  it.each<[string[], string]>([
    [["nonsense"], "unknown command"],
    [[], "no command"],
    [["status"], "needs the id"],
    [["status", "cdx-none"], "no job cdx-none"],
    [["logs", "cdx-none"], "no job cdx-none"],
    [["stop", "cdx-none"], "no job cdx-none"],
    [["stop", "../../etc"], "not a job id"],
    [["list", "--cwd", "/proc/nowhere"], "/proc/nowhere"],
    [["start", "--cwd", "/proc/nowhere"], "/proc/nowhere"],
  ])("%j exits with 2 and one line on stderr", (args, why) => {
    const { code, stdout, stderr } = job(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^job.sh: .*\n$/);
    expect(stderr).toContain(why);
  });

  it("passes piped input to the job", async () => {
    const id = JSON.parse(job(["start", "--json", "-f", "-"], { input: "a long prompt\n" }).stdout).jobId;
    await waitFor(id, "completed");
    expect(job(["logs", id]).stdout).toContain("a long prompt");
    const first = start("--task", "x");
    await waitFor(first, "completed");
    const resumed = JSON.parse(job(["resume", first, "--json", "-f", "-"], { input: "the rest of it\n" }).stdout).jobId;
    await waitFor(resumed, "completed");
    expect(job(["logs", resumed]).stdout).toContain("the rest of it");
  });

  it("follows a log until the job ends or Ctrl-C", async () => {
    const id = start("--hold", "1", "--say", "hello");
    expect(job(["logs", id, "--follow"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/hello\n(?:.*\n)*Exit Code: 0\n/),
    });
    const other = start("--hold", "60", "--say", "hello");
    const child = spawn(door, ["logs", "-f", other], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    let seen = "";
    child.stdout.on("data", (bytes: Buffer) => {
      seen += bytes.toString();
    });
    await expect.poll(() => seen).toContain("hello");
    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(130);
    expect(job(["stop", other, "--force", "--json"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("137"),
    });
    expect(status(other)).toMatchObject({ state: "failed", exit_code: 137, classification: "user_cancelled" });
  });

  it("keeps the limit given by 20 simultaneous starts", async () => {
    const script = `i=0; while [ $i -lt 20 ]; do "$0" start --max-parallel 3 --tag q$i --json --hold 0.2 & i=$((i+1)); done; wait`;
    const printed = execFileSync("/bin/sh", ["-c", script, door], { cwd, env, encoding: "utf8" });
    const ids = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).jobId as string);
    expect(ids).toHaveLength(20);
    const isOver = () =>
      (JSON.parse(job(["list", "--json"]).stdout) as { state: string }[]).every(
        (each) => each.state === "completed" || each.state === "failed",
      );
    let most = 0;
    for (; !isOver(); await sleep(20)) {
      const running = (JSON.parse(job(["list", "--state", "running", "--tag-contains", "q", "--json"]).stdout) as [])
        .length;
      most = Math.max(most, running);
    }
    expect(most).toBeLessThanOrEqual(3);
    expect(ids.map((id) => status(id).state)).toEqual(ids.map(() => "completed"));
  });

  it("behaves the same through groundwork codex", async () => {
    const program = groundwork;
    const { stdout } = job(["codex", "start", "--tag", "cli", "--json"], { program });
    const { jobId } = JSON.parse(stdout);
    await waitFor(jobId, "completed");
    expect(job(["codex", "status", jobId, "--json"], { program }).stdout).toBe(job(["status", jobId, "--json"]).stdout);
    expect(job(["codex", "--help"], { program }).stdout).toBe(job(["--help"]).stdout);
    expect(job(["codex", "nonsense"], { program }).code).toBe(2);
    expect(job(["codex"], { program }).code).toBe(2);
    expect(job(["codex", "clean", "--older-than-hours", "0", "--dry-run"], { program }).stdout).toContain(jobId);
  });

  it("runs one Codex call in the foreground like start.sh, below the current folder", () => {
    const program = groundwork;
    const { code } = job(["codex", "exec", "--task", "x", "--dry-run"], { program });
    expect(code).toBe(0);
    expect(readdirSync(join(cwd, ".codex-father/sessions")).some((name) => name.startsWith("exec-"))).toBe(true);
  });

  it("runs the real program, without a stub, from a folder with an odd name", async () => {
    const odd = join(makeFolder(), "ein Ördner\n日本");
    mkdirSync(odd);
    const bin = makeFolder();
    writeFileSync(
      join(bin, "codex"),
      '#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 0.166.0 && exit\n: >"$0.begun"\nsleep 60\n',
      {
        mode: 0o755,
      },
    );
    const real = { env: { CODEX_START_SH: "", PATH: `${bin}:${env.PATH}` } };
    const id = JSON.parse(job(["start", "--cwd", odd, "--json", "--task", "x"], real).stdout).jobId;
    await until(() => existsSync(join(bin, "codex.begun")));
    expect(existsSync(join(odd, ".codex-father/sessions", id, "job.log"))).toBe(true);
    expect(job(["stop", id, "--cwd", odd], real)).toMatchObject({ code: 0, stdout: expect.stringContaining("143") });
    const { stdout } = job(["status", id, "--cwd", odd, "--json"], real);
    expect(JSON.parse(stdout)).toMatchObject({ state: "failed", exit_code: 143, classification: "user_cancelled" });
    const bad = JSON.parse(job(["start", "--cwd", odd, "--json", "--no-such-option"], real).stdout).jobId;
    await expect
      .poll(() => JSON.parse(job(["status", bad, "--cwd", odd, "--json"], real).stdout))
      .toMatchObject({ state: "failed", exit_code: 2 });
  });

  it("works through a symbolic link", () => {
    const link = join(makeFolder(), "job");
    symlinkSync(door, link);
    expect(job(["--help"], { program: link }).code).toBe(0);
  });
});

/** Program that gives a command a terminal; missing on some machines. */
const terminal = "script";

describe("[G D.20] a log that comes with a repository", () => {
  const evil = "a\u001b]52;c;ZXZpbA==\u0007\u001b]0;title\u0007\u001b[2Jb\nlast\n";
  const id = "cdx-20260101_000000";

  function plant(): string {
    const folder = `.codex-father/sessions/${id}`;
    return makeFolder({ [`${folder}/job.log`]: evil, [`${folder}/state.json`]: "{}" });
  }

  it("is piped unchanged", () => {
    expect(job(["logs", id, "--cwd", plant()]).stdout).toBe(evil);
  });

  it.skipIf(spawnSync(terminal, ["--version"]).status !== 0)("has no escape sequences left on a terminal", () => {
    const folder = plant();
    for (const command of [
      `${door} logs ${id} --cwd ${folder}`,
      `${projectRoot}/bin/groundwork codex logs ${id} --cwd ${folder}`,
    ]) {
      const { stdout } = spawnSync(terminal, ["-qec", command, "/dev/null"], { cwd, env, encoding: "utf8" });
      expect(stdout.replaceAll("\r", "")).toBe("ab\nlast\n");
    }
  });
});

/** True once a process handles SIGTERM; before, the signal would simply kill it. */
function hearsTerm(pid: number | undefined): boolean {
  const [, caught = "0"] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return ((BigInt(`0x${caught}`) >> 14n) & 1n) === 1n;
}

describe("[G C.2] a door that is asked to stop", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("by %s hears %d", async (signal, code) => {
    const id = start("--hold", "30");
    const following = spawn(door, ["logs", id, "--follow"], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
    const ended = new Promise((resolve) => following.once("exit", (...how) => resolve(how)));
    await new Promise((resolve) => following.stdout.once("data", resolve));
    following.kill(signal);
    expect(await ended).toEqual([code, null]);
    job(["stop", id, "--force"]);
  });

  it("stops while it waits for its input, and starts no job with half of it", async () => {
    const before = readdirSync(join(cwd, ".codex-father/sessions")).length;
    const waiting = spawn(door, ["start", "-f", "-"], { cwd, env, stdio: ["pipe", "ignore", "ignore"] });
    const ended = new Promise((resolve) => waiting.once("exit", (...how) => resolve(how)));
    waiting.stdin.write("half of ");
    await until(() => hearsTerm(waiting.pid));
    await sleep(500);
    waiting.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
    expect(readdirSync(join(cwd, ".codex-father/sessions"))).toHaveLength(before);
  });
});
