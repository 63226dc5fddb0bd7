import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, stat, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildSync } from "esbuild";
import { describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { countUsualMs } from "../../../tests/support/timed.ts";
import { identifyProcess } from "../process-identity.ts";
import { endJobProcesses, findJobProcesses, isJobProcess, signalGroup } from "./marks.ts";
import { openProgram } from "./open-program.ts";
import { runProgram } from "./run-program.ts";
import { stopAllPrograms } from "./spawn.ts";
import { startDetached } from "./start-detached.ts";
import { passOnSignal, streamProgram } from "./stream-program.ts";
import { superviseProgram } from "./supervise-program.ts";

/** A path that does not exist. */
const MISSING = join(makeFolder(), "missing");

function program(script: string) {
  const folder = makeFolder({ "program.sh": `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, "program.sh"), 0o755);
  return { folder, command: join(folder, "program.sh") };
}

function run(script: string, ms = 60_000, stdin = "") {
  const { command, folder } = program(script);
  const done = runProgram({
    command,
    args: [],
    cwd: folder,
    env: { PATH: process.env["PATH"] },
    stdin,
    signal: AbortSignal.timeout(ms),
    maxStdoutBytes: 1_000,
    maxStderrBytes: 100,
  });
  return { done, folder };
}

const isAlive = (pid: number) => identifyProcess(pid) !== null;

describe("[ATO-SEC-1] programs that stand in for tools", () => {
  it("passes the input, and returns output and exit code", async () => {
    expect(await run("cat; echo warn >&2; exit 3", 60_000, "hello").done).toEqual({
      exitCode: 3,
      stdout: "hello",
      stderr: "warn\n",
      cut: false,
      startError: "",
    });
  });

  it.each([0, 1, 2, 3])(
    "[G C.2] a cut drops half a character and nothing that was said (%i bytes before)",
    async (shift) => {
      const script = `printf '%${shift}s' ''; i=0; while [ $i -lt 300 ]; do printf '\\360\\237\\230\\200'; i=$((i+1)); done`;
      const { stdout, cut } = await run(shift === 0 ? script.replace("printf '%0s' ''; ", "") : script).done;
      expect(cut).toBe(true);
      expect(stdout).toBe(" ".repeat(shift) + "😀".repeat(Math.floor((1_000 - shift) / 4)));
    },
  );

  it("[G C.2] a replacement character that a program wrote itself is kept, cut or not", async () => {
    const mark = "printf '\\357\\277\\275'";
    expect((await run(mark).done).stdout).toBe("\ufffd");
    const many = await run(`i=0; while [ $i -lt 999 ]; do printf a; i=$((i+1)); done; ${mark}`).done;
    expect(many.stdout).toBe("a".repeat(999));
    const exact = await run(`i=0; while [ $i -lt 997 ]; do printf a; i=$((i+1)); done; ${mark}; printf more`).done;
    expect(exact.stdout).toBe(`${"a".repeat(997)}\ufffd`);
  });

  it("keeps at most the limit, never half a character", async () => {
    const { stdout, cut } = await run("i=0; while [ $i -lt 400 ]; do printf '中'; i=$((i+1)); done").done;
    expect(cut).toBe(true);
    expect(stdout).toBe("中".repeat(333));
  });

  it("ends a program that floods its output", async () => {
    const usualMs = countUsualMs();
    const { exitCode, stdout } = await run("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxx; done", 300).done;
    expect([exitCode, stdout.length]).toEqual([null, 1_000]);
    expect(usualMs()).toBeLessThan(3_000);
  });

  it("[ATO-BUD-3] also kills what it started: in the background, in its own session, ignoring SIGTERM", async () => {
    const { done, folder } = run(
      "trap '' TERM; (trap '' TERM; sleep 60) & echo $! > a; setsid sleep 60 & echo $! > b; exit 0",
    );
    const usualMs = countUsualMs();
    expect((await done).exitCode).toBe(0);
    expect(usualMs()).toBeLessThan(3_000);
    for (const name of ["a", "b"])
      await expect.poll(() => isAlive(Number(readFileSync(join(folder, name), "utf8")))).toBe(false);
  });

  it("says why a program cannot be started", async () => {
    const call = {
      command: MISSING,
      args: [],
      cwd: "/",
      env: {},
      stdin: "",
      signal: AbortSignal.timeout(60_000),
      maxStdoutBytes: 1,
      maxStderrBytes: 1,
    };
    expect(await runProgram(call)).toMatchObject({ exitCode: null, startError: expect.stringContaining("ENOENT") });
  });
});

describe("[ATO-CDX-1] programs whose output is passed on", () => {
  it("pass their output on as it is printed, and end in their own way when a signal is passed on", async () => {
    const { command, folder } = program('trap "echo bye; exit 7" INT; cat; sleep 30 & wait');
    const seen: string[] = [];
    const onStdout = (chunk: Buffer) => {
      seen.push(chunk.toString());
      if (seen.length === 1) expect(passOnSignal("SIGINT")).toBe(1);
    };
    const env = { PATH: process.env["PATH"] };
    const done = await streamProgram({ command, args: [], cwd: folder, env, stdin: "hello\n", onStdout });
    expect([done, seen.join("")]).toEqual([{ exitCode: 7, signal: null, startError: "" }, "hello\nbye\n"]);
    expect(passOnSignal("SIGINT")).toBe(0);
  });

  it("that cannot be started give a result and do not throw", async () => {
    const call = { command: MISSING, args: [], cwd: "/", env: {}, stdin: "", onStdout: () => {} };
    expect(await streamProgram(call)).toMatchObject({ exitCode: null, startError: expect.stringContaining("ENOENT") });
  });
});

describe("interactive programs", () => {
  const talk = (command: string, cwd = "/") => {
    const seen = { stdout: "", stderr: "" };
    const open = openProgram({
      command,
      args: [],
      cwd,
      env: { PATH: process.env["PATH"] },
      onStdout: (chunk) => {
        seen.stdout += chunk.toString();
      },
      onStderr: (chunk) => {
        seen.stderr += chunk.toString();
      },
    });
    return { open, seen };
  };

  it("answer what is written to them, and report how they ended", async () => {
    const { open, seen } = talk(program('read line; echo "heard $line"; echo oops >&2; exit 4').command);
    const { write, ended } = await open;
    write("hello\n");
    expect(await ended).toEqual({ exitCode: 4, signal: null, startError: "" });
    expect(seen).toEqual({ stdout: "heard hello\n", stderr: "oops\n" });
    // Writing too late is not an error.
    write("again\n");
  });

  it("are stopped together with what they started, also by stopAllPrograms", async () => {
    const { command, folder } = program("trap '' TERM; setsid sleep 30 & echo $! > a; echo up; cat");
    const { open, seen } = talk(command, folder);
    const { ended } = await open;
    while (seen.stdout === "") await new Promise((resolve) => setTimeout(resolve, 20));
    stopAllPrograms();
    expect(await ended).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    await expect.poll(() => isAlive(Number(readFileSync(join(folder, "a"), "utf8")))).toBe(false);
  });

  it("that cannot be started give a result and do not throw", async () => {
    expect(await (await talk(MISSING).open).ended).toMatchObject({
      exitCode: null,
      startError: expect.stringContaining("ENOENT"),
    });
    const { ended, write } = await talk("/bin/\0").open;
    write("x");
    expect((await ended).startError).not.toBe("");
  });
});

describe("[CNI-11] programs of jobs", () => {
  const supervise = (script: string, signal: AbortSignal, graceMs = 5_000) => {
    const { command, folder } = program(script);
    const heard = { stdout: "", stderr: "" };
    const job = `test-${folder}`;
    const done = superviseProgram({
      command,
      args: [],
      cwd: folder,
      env: { PATH: process.env["PATH"] },
      stdin: "told",
      onStdout: (chunk) => {
        heard.stdout += chunk;
      },
      onStderr: (chunk) => {
        heard.stderr += chunk;
      },
      signal,
      graceMs,
      job,
    });
    return { done, folder, heard, job };
  };
  const pidIn = (folder: string, name: string) => Number(readFileSync(join(folder, name), "utf8"));

  it("passes the output on, and also kills what was started in sessions of their own", async () => {
    const { done, folder, heard } = supervise(
      "cat; echo warn >&2; setsid sleep 60 >/dev/null 2>&1 & echo $! > a; sleep 0.2; exit 4",
      new AbortController().signal,
    );
    expect(await done).toEqual({ exitCode: 4, signal: null, startError: "" });
    expect(heard).toEqual({ stdout: "told", stderr: "warn\n" });
    await expect.poll(() => isAlive(pidIn(folder, "a"))).toBe(false);
  });

  it("is asked to end before it is ended", async () => {
    const stop = new AbortController();
    const { done, folder } = supervise("trap 'echo bye > said; exit 9' TERM; touch up; sleep 60 & wait", stop.signal);
    await expect.poll(() => existsSync(join(folder, "up"))).toBe(true);
    stop.abort();
    expect((await done).exitCode).toBe(9);
    expect(existsSync(join(folder, "said"))).toBe(true);
  });

  it("is killed if it ignores the request", async () => {
    const stop = new AbortController();
    const { done, folder } = supervise("trap '' TERM; touch up; while :; do sleep 0.1; done", stop.signal, 200);
    await expect.poll(() => existsSync(join(folder, "up"))).toBe(true);
    stop.abort();
    expect((await done).signal).toBe("SIGKILL");
  });

  it("a missing program does not throw", async () => {
    const done = await superviseProgram({
      command: "/nowhere/codex",
      args: [],
      cwd: "/",
      env: {},
      stdin: "",
      onStdout: () => {},
      onStderr: () => {},
      signal: new AbortController().signal,
      graceMs: 1,
      job: "none",
    });
    expect(done).toMatchObject({ exitCode: null, startError: expect.stringContaining("ENOENT") });
  });

  it("outlives us if it is detached, with files for its output, and carries the mark of its job", async () => {
    const { command, folder } = program("echo out; echo err >&2; sleep 60");
    const outputFiles = { stdout: join(folder, "out"), stderr: join(folder, "err") };
    const env = { PATH: process.env["PATH"], GROUNDWORK_JOB: `test-${folder}` };
    const pid = (await startDetached(command, [], { cwd: folder, env, outputFiles })) ?? 0;
    await expect.poll(() => readFileSync(outputFiles.stderr, "utf8")).toBe("err\n");
    expect(readFileSync(outputFiles.stdout, "utf8")).toBe("out\n");
    expect(endJobProcesses(`test-${folder}`)).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("is identified by its mark, in any script, and reads a file as its input", async () => {
    const { command, folder } = program("cat; exec sleep 60");
    writeFileSync(join(folder, "in"), "given\n");
    const job = `${folder}/träger 日本`;
    const outputFiles = { stdout: join(folder, "out"), stderr: join(folder, "err") };
    const env = { PATH: process.env["PATH"], GROUNDWORK_CALL: "of-somebody-else" };
    const call = { cwd: folder, env, outputFiles, inputFile: join(folder, "in"), job };
    const pid = (await startDetached(command, [], call)) ?? 0;
    await expect.poll(() => readFileSync(outputFiles.stdout, "utf8")).toBe("given\n");
    expect([isJobProcess(pid, job), isJobProcess(pid, `${folder}/tr`), isJobProcess(process.pid, job)]).toEqual([
      true,
      false,
      false,
    ]);
    // It may have printed the input before `cat` has ended.
    await expect.poll(() => findJobProcesses(job)).toEqual([pid]);
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("of-somebody-else");
    signalGroup(pid, "SIGTERM");
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(isJobProcess(pid, job)).toBe(false);
  });

  it("has an heir that starts when it is gone, however it ends, and none if it was not started", async () => {
    for (const end of ["exit 3", "kill -9 $$"]) {
      const { command, folder } = program(`until [ -e go ]; do sleep 0.05; done; ${end}`);
      const env = { PATH: process.env["PATH"], GROUNDWORK_JOB: "outer" };
      const heir = { command: "/bin/sh", args: ["-c", 'echo "job:$GROUNDWORK_JOB" >done'] };
      await startDetached(command, [], { cwd: folder, env, heir, job: folder });
      expect(existsSync(join(folder, "done"))).toBe(false);
      writeFileSync(join(folder, "go"), "");
      await expect
        .poll(() => existsSync(join(folder, "done")) && readFileSync(join(folder, "done"), "utf8"))
        .toBe("job:\n");
      rmSync(join(folder, "done"));
      expect(await startDetached("/nowhere/x", [], { cwd: folder, env, heir })).toBe(null);
      await sleep(300);
      expect(existsSync(join(folder, "done"))).toBe(false);
    }
  });

  it("leaves an heir that starts when its parent is killed, and not if it is dismissed", async () => {
    const folder = makeFolder({});
    // Node 20 does not run TypeScript natively.
    const bundle = join(folder, "subprocess.mjs");
    buildSync({
      entryPoints: [join(import.meta.dirname, "start-detached.ts")],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "esm",
    });
    const script = (name: string, then: string) => `
      import { leaveHeir } from ${JSON.stringify(bundle)};
      const heir = await leaveHeir("/bin/sh", ["-c", "touch ${name}"], { cwd: ${JSON.stringify(folder)}, env: { PATH: process.env.PATH } });
      ${then}`;
    const node = (text: string) =>
      runProgram({
        command: process.execPath,
        args: ["--input-type=module", "-e", text],
        cwd: folder,
        env: { PATH: process.env["PATH"] },
        stdin: "",
        signal: AbortSignal.timeout(60_000),
        maxStdoutBytes: 1_000,
        maxStderrBytes: 1_000,
        isAlone: true,
      });
    await node(script("killed", 'process.kill(process.pid, "SIGKILL");'));
    await node(script("dismissed", "heir.dismiss(); process.exit(0);"));
    await expect.poll(() => existsSync(join(folder, "killed"))).toBe(true);
    expect(existsSync(join(folder, "dismissed"))).toBe(false);
  });
});

it("[ATO-FAIL-1] a program of one bundle is not ended with one of another bundle in the same process", async () => {
  // Every bundle has a copy of this module; so has every import after a reset.
  const copies: typeof import("./run-program.ts")[] = [];
  for (let made = 0; made < 2; made++) {
    vi.resetModules();
    copies.push(await import("./run-program.ts"));
  }
  const folder = makeFolder();
  const caps = { maxStdoutBytes: 1_000, maxStderrBytes: 100, stdin: "", signal: AbortSignal.timeout(60_000) };
  const call = { command: "/bin/sh", cwd: folder, env: { PATH: process.env["PATH"] }, ...caps };
  const marks = await Promise.all(
    copies.map(({ runProgram: runCopy }) => runCopy({ ...call, args: ["-c", 'echo "$GROUNDWORK_CALL"'] })),
  );
  expect(new Set(marks.map(({ stdout }) => stdout.trim())).size).toBe(2);
});

describe("[ATO-FAIL-1] on a machine so busy that hardly anything runs in time", () => {
  it("no output is lost", async () => {
    let isOver = false;
    const work = (ms: number) => {
      const endMs = performance.now() + ms;
      while (performance.now() < endMs);
    };
    // Where input is read, so that a program ends after a look at its output and before it is known to have ended; and
    // before timers run, so that they are due at once.
    const inPoll = () => {
      work(200);
      if (!isOver) stat(".", inPoll);
    };
    const inCheck = () => {
      work(300);
      if (!isOver) setImmediate(inCheck);
    };
    inPoll();
    inCheck();
    try {
      const all = await Promise.all(
        Array.from({ length: 30 }, (_, at) => run(`sleep ${at / 20}; echo ${at}`, 60_000).done),
      );
      expect(all.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 30 }, (_, at) => `${at}\n`));
    } finally {
      isOver = true;
    }
  });
});

/** Runs a script in a process namespace of its own, where it decides which numbers processes get; only root may. */
function runNumbering(script: string) {
  return spawnSync("unshare", ["--pid", "--fork", "--kill-child", "--mount-proc", process.execPath, script], {
    encoding: "utf8",
  });
}

const canNumber = runNumbering("--version").status === 0;

describe("[ATO-FAIL-1] a program that has ended", () => {
  it.runIf(canNumber)("is not killed again, because a stranger may have its number by then", () => {
    const folder = makeFolder();
    const script = join(folder, "numbering.cjs");
    const contents = `
      import { spawn } from "node:child_process";
      import { writeFileSync } from "node:fs";
      import { openProgram } from "./open-program.ts";
      import { stopAllPrograms } from "./spawn.ts";
      const [none, chunks] = [() => {}, []];
      const alive = setInterval(none, 1_000);
      const onStdout = (chunk) => chunks.push(chunk);
      openProgram({ command: "/bin/sh", args: ["-c", "echo $$"], cwd: "/", env: {}, onStdout, onStderr: none }).then(
        async (opened) => {
          await opened.ended;
          const number = Number(Buffer.concat(chunks));
          writeFileSync("/proc/sys/kernel/ns_last_pid", String(number - 1));
          const stranger = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
          if (stranger.pid !== number) throw new Error(stranger.pid + " is not " + number);
          opened.stop();
          stopAllPrograms();
          stranger.once("exit", (_, signal) => {
            console.log(signal);
            clearInterval(alive);
          });
          setTimeout(() => stranger.kill("SIGTERM"), 50);
        });`;
    const stdin = { contents, resolveDir: import.meta.dirname, loader: "ts" } as const;
    buildSync({ stdin, outfile: script, bundle: true, platform: "node", format: "cjs" });
    // SIGKILL would be ours.
    expect(runNumbering(script)).toMatchObject({ stdout: "SIGTERM\n", stderr: "" });
  });
});
