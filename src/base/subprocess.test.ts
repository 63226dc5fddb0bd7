import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { openProgram, passOnSignal, runProgram, stopAllPrograms, streamProgram } from "./subprocess.ts";

function program(script: string) {
  const folder = makeFolder({ "program.sh": `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, "program.sh"), 0o755);
  return { folder, command: join(folder, "program.sh") };
}

function run(script: string, ms = 5_000, stdin = "") {
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

const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

describe("[ATO-SEC-1] programs that stand in for tools", () => {
  it("hands over output, exit code and input", async () => {
    expect(await run("cat; echo warn >&2; exit 3", 5_000, "hello").done).toEqual({
      exitCode: 3,
      stdout: "hello",
      stderr: "warn\n",
      cut: false,
      startError: "",
    });
  });

  it("keeps at most what it may, never half a character", async () => {
    const { stdout, cut } = await run("i=0; while [ $i -lt 400 ]; do printf '中'; i=$((i+1)); done").done;
    expect(cut).toBe(true);
    expect(stdout).toBe("中".repeat(333));
  });

  it("ends a flood in time", async () => {
    const start = performance.now();
    const { exitCode, stdout } = await run("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxx; done", 300).done;
    expect([exitCode, stdout.length]).toEqual([null, 1_000]);
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it("[ATO-BUD-3] takes along what it started: background, own session, deaf to TERM", async () => {
    const { done, folder } = run(
      "trap '' TERM; (trap '' TERM; sleep 60) & echo $! > a; setsid sleep 60 & echo $! > b; exit 0",
    );
    const start = performance.now();
    expect((await done).exitCode).toBe(0);
    expect(performance.now() - start).toBeLessThan(3_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const name of ["a", "b"]) expect(isAlive(Number(readFileSync(join(folder, name), "utf8")))).toBe(false);
  });

  it("says why a program cannot be started", async () => {
    const call = {
      command: "/nonexistent/x",
      args: [],
      cwd: "/",
      env: {},
      stdin: "",
      signal: AbortSignal.timeout(1_000),
      maxStdoutBytes: 1,
      maxStderrBytes: 1,
    };
    expect(await runProgram(call)).toMatchObject({ exitCode: null, startError: expect.stringContaining("ENOENT") });
  });
});

describe("[ATO-CDX-1] programs whose output is passed on", () => {
  it("come as they print, and end in their own way when a signal is passed on", async () => {
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

  it("that cannot be started are a result, not a throw", async () => {
    const call = { command: "/nonexistent/x", args: [], cwd: "/", env: {}, stdin: "", onStdout: () => {} };
    expect(await streamProgram(call)).toMatchObject({ exitCode: null, startError: expect.stringContaining("ENOENT") });
  });
});

describe("programs that are talked to", () => {
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

  it("answer what is written to them, and tell how they ended", async () => {
    const { open, seen } = talk(program('read line; echo "heard $line"; echo oops >&2; exit 4').command);
    const { write, ended } = await open;
    write("hello\n");
    expect(await ended).toEqual({ exitCode: 4, signal: null, startError: "" });
    expect(seen).toEqual({ stdout: "heard hello\n", stderr: "oops\n" });
    // Too late is no error.
    write("again\n");
  });

  it("are stopped together with what they started, also by the end of everything", async () => {
    const { command, folder } = program("trap '' TERM; setsid sleep 30 & echo $! > a; echo up; cat");
    const { open, seen } = talk(command, folder);
    const { ended } = await open;
    while (seen.stdout === "") await new Promise((resolve) => setTimeout(resolve, 20));
    stopAllPrograms();
    expect(await ended).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAlive(Number(readFileSync(join(folder, "a"), "utf8")))).toBe(false);
  });

  it("that cannot be started are a result, not a throw", async () => {
    expect(await (await talk("/nonexistent/x").open).ended).toMatchObject({
      exitCode: null,
      startError: expect.stringContaining("ENOENT"),
    });
    const { ended, write } = await talk("/bin/\0").open;
    write("x");
    expect((await ended).startError).not.toBe("");
  });
});
