import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { findLeftProcesses, MARKER } from "./support/leftovers.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";
import { countUsualMs } from "./support/timed.ts";
import { until } from "./support/until.ts";

const START = join(projectRoot, "start.sh");
const ANSWER = `echo '{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}'; echo hello >"$last"`;

function makePlace(body: string) {
  const cwd = makeFolder();
  const codex = makeFakeCodex(body);
  const env = { PATH: codex.path, HOME: cwd, CODEX_SESSIONS_ROOT: join(cwd, "runs"), [MARKER]: cwd };
  const folder = () => {
    const [name = "none"] = readdirSync(join(cwd, "runs"));
    return join(cwd, "runs", name);
  };
  const log = () => readFileSync(join(folder(), "job.log"), "utf8");
  return { cwd, codex, env, folder, log, hasLogged: (text: string) => isThere(join(cwd, "runs"), "job.log", text) };
}

/** True if a file in the only subfolder of a folder contains the text. */
function isThere(folder: string, name: string, text: string): boolean {
  try {
    const [only = ""] = readdirSync(folder);
    return readFileSync(join(folder, only, name), "utf8").includes(text);
  } catch {
    return false;
  }
}

const run = (args: readonly string[], options: { cwd: string; env: Record<string, string>; input?: string }) =>
  spawnSync(START, args, { encoding: "utf8", input: "", ...options });

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  return code;
}

describe("start.sh [CNI-8] [CNI-10] [CNI-11]", () => {
  it("[G D.8] runs no codex from the work tree, whatever is on the PATH", () => {
    const place = makePlace(ANSWER);
    const tree = makeFolder({ ...GIT_FILES, "bin/codex": '#!/bin/sh\ntouch "$HOME/started"\n' });
    chmodSync(join(tree, "bin", "codex"), 0o755);
    const env = { ...place.env, PATH: `${join(tree, "bin")}:${place.env.PATH}` };
    const { status } = run(["--json", "--task", "x"], { cwd: tree, env });
    expect([status, existsSync(join(place.cwd, "started"))]).toEqual([0, false]);
    expect(place.codex.stdin(1)).toContain("x");
  });

  it("takes its task from an argument or standard input, and prints the meta file", () => {
    const place = makePlace(ANSWER);
    const { status, stdout, stderr } = run(["--json"], { ...place, input: "Say hello\n" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, tokens_used: "15", title: "Say hello", cwd: place.cwd });
    expect(place.codex.stdin(1)).toContain("Say hello");
    expect(place.log()).toMatch(/\nScript: start.sh {2}PWD: /);
  });

  it("keeps its runs beside itself by default", () => {
    const cwd = makeFolder();
    const home = join(cwd, "copy");
    mkdirSync(home);
    cpSync(START, join(home, "start.sh"));
    for (const folder of ["hooks", "dist"]) symlinkSync(join(projectRoot, folder), join(home, folder));
    const codex = makeFakeCodex(`env >"$here/env.$n"; ${ANSWER}`);
    const env = { PATH: codex.path, HOME: cwd };
    const here = spawnSync(join(home, "start.sh"), ["--task", "x"], { cwd, env, encoding: "utf8" });
    expect(here.status, here.stderr).toBe(0);
    expect(readdirSync(join(home, ".codex-father/sessions"))).toHaveLength(1);
    // Without this door, the same program keeps its runs below the working folder.
    const program = join(projectRoot, "dist/codex-start.cjs");
    expect(spawnSync(process.execPath, [program, "--task", "x"], { cwd, env }).status).toBe(0);
    expect(readdirSync(join(cwd, ".codex-father/sessions"))).toHaveLength(1);
    // The variable is not passed on: a run started by Codex uses its own folder.
    expect(readFileSync(join(codex.folder, "env.1"), "utf8")).not.toContain("GROUNDWORK_START_ROOT");
  });

  it("prints its help", () => {
    const place = makePlace(ANSWER);
    const { status, stdout } = run(["--help"], place);
    expect(status).toBe(0);
    expect(stdout).toContain("用法:");
    expect(existsSync(join(place.cwd, "runs"))).toBe(false);
  });

  it.each([
    [["--task", "x", "--nonsense"], "❌ 未知参数: --nonsense"],
    [["-f", "none.md"], "错误: 文件不存在: none.md"],
  ])("%j exits with 2 and writes a log", (args, text) => {
    const place = makePlace(ANSWER);
    const { status, stderr, stdout } = run(args, place);
    expect({ status, stdout, calls: place.codex.calls() }).toEqual({ status: 2, stdout: "", calls: 0 });
    expect(stderr).toContain(text);
    expect(place.log()).toContain("Exit Code: 2\n");
  });

  it("exits with 2 without a working folder", () => {
    const place = makePlace(ANSWER);
    const gone = join(place.cwd, "gone");
    mkdirSync(gone);
    const script = `cd '${gone}' && rmdir '${gone}' && exec '${START}' --task x`;
    const { status, stderr } = spawnSync("/bin/sh", ["-c", script], { encoding: "utf8", env: place.env });
    expect([status, stderr]).toEqual([2, expect.stringContaining("工作目录不可用")]);
  });

  it("continues if nobody reads its output", () => {
    const place = makePlace(`yes 'a line of output' | head -5000; ${ANSWER}`);
    const script = `'${START}' --task x | true`;
    expect(spawnSync("/bin/sh", ["-c", script], { cwd: place.cwd, env: place.env }).status).toBe(0);
    expect(place.log()).toContain("Exit Code: 0\n");
  });
});

describe("a run that receives a signal", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("%s: Codex is ended with all it started, and everything is written down", async (signal, exitCode) => {
    const place = makePlace("trap 'echo ending; exit 0' TERM; setsid sleep 300 & sleep 300 & echo begun; wait");
    const child = spawn(START, ["--task", "x"], { cwd: place.cwd, env: place.env, stdio: "ignore" });
    await until(() => place.hasLogged("begun"));
    child.kill(signal);
    expect(await endOf(child)).toBe(exitCode);
    expect(place.log()).toMatch(new RegExp(`ending\\n[\\s\\S]*\\nExit Code: ${exitCode}\\n===== Codex Run End`));
    const meta = JSON.parse(readFileSync(join(place.folder(), "job.meta.json"), "utf8"));
    expect(meta).toMatchObject({ exit_code: exitCode, classification: "user_cancelled" });
    expect(await findLeftProcesses(place.cwd)).toEqual([]);
  });

  it("kills a Codex that ignores signals, immediately on the second one", async () => {
    const place = makePlace("trap 'echo heard' TERM; echo begun; while :; do sleep 1; done");
    const child = spawn(START, ["--task", "x"], { cwd: place.cwd, env: place.env, stdio: "ignore" });
    await until(() => place.hasLogged("begun"));
    const usualMs = countUsualMs();
    child.kill("SIGTERM");
    await until(() => place.hasLogged("heard"));
    child.kill("SIGTERM");
    expect(await endOf(child)).toBe(143);
    expect(usualMs()).toBeLessThan(5_000);
    expect(await findLeftProcesses(place.cwd)).toEqual([]);
  });

  it("ends while it waits for standard input", async () => {
    const place = makePlace(ANSWER);
    const child = spawn(START, [], { cwd: place.cwd, env: place.env, stdio: ["pipe", "ignore", "ignore"] });
    await until(() => existsSync(join(place.cwd, "runs")) && readdirSync(join(place.cwd, "runs")).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGTERM");
    expect(await endOf(child)).toBe(143);
    expect(place.log()).toContain("Exit Code: 143\n");
    expect(place.codex.calls()).toBe(0);
  });
});

describe("a full disk", () => {
  it("a run whose files cannot grow ends normally and leaves its outcome", () => {
    const place = makePlace(`yes 'a line of output' | head -5000; ${ANSWER}`);
    // In blocks of 1024 bytes: the log does not fit, the reserved space does.
    const script = `ulimit -f 16; exec '${START}' --task x --json`;
    const done = spawnSync("/bin/bash", ["-c", script], { cwd: place.cwd, env: place.env, encoding: "utf8" });
    expect([done.status, JSON.parse(done.stdout)]).toEqual([
      0,
      expect.objectContaining({ exit_code: 0, tokens_used: "15" }),
    ]);
    expect(done.stderr).toContain("EFBIG");
    expect(statSync(join(place.folder(), "job.log")).size).toBe(16_384);
    const outcome = JSON.parse(readFileSync(join(place.folder(), "outcome.json"), "utf8"));
    expect(outcome).toMatchObject({ exit_code: 0, classification: "normal", tokens_used: "15" });
    rmSync(place.folder(), { recursive: true });
  });
});
