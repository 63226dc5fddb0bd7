import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { findLogFile, runStandIn } from "./stand-in.ts";

function makeProgram(body: string) {
  const folder = makeFolder({ "program.sh": `#!/bin/sh\n${body}\n` });
  const program = join(folder, "program.sh");
  chmodSync(program, 0o755);
  return { folder, standIn: { variable: "CODEX_JOB_SH" as const, program } };
}
const run = ({ folder, standIn }: ReturnType<typeof makeProgram>, args: readonly string[]) =>
  runStandIn(standIn, args, { cwd: folder, env: process.env, signal: new AbortController().signal });

describe("a program that replaces one of ours", () => {
  it("receives the arguments, and its output is the answer", async () => {
    const program = makeProgram('pwd; printf "<%s>" "$@"; echo');
    expect(await run(program, ["a b", "", "-x"])).toEqual({ ok: true, value: `${program.folder}\n<a b><><-x>` });
  });

  it.each([
    ["an exit code", "echo 'no such job' >&2; exit 2", "CLI_NON_ZERO_EXIT", "ended with exit code 2: no such job"],
    ["a signal", "kill -9 $$", "CLI_NON_ZERO_EXIT", "ended with a signal"],
  ])("fails with %s", async (_, body, detail, message) => {
    const done = await run(makeProgram(body), []);
    expect(done).toMatchObject({ ok: false, fault: { detail, message: expect.stringContaining(message) } });
  });

  it("is reported with its variable if it is missing or not executable", async () => {
    const { folder, standIn } = makeProgram("exit 0");
    chmodSync(standIn.program, 0o644);
    for (const program of [standIn.program, join(folder, "gone.sh")])
      expect(await run({ folder, standIn: { ...standIn, program } }, [])).toMatchObject({
        fault: {
          detail: "JOB_SH_NOT_FOUND",
          message: `${program} is not an executable file`,
          hint: expect.stringContaining("CODEX_JOB_SH"),
        },
      });
  });
});

describe("the log named in arguments", () => {
  it.each([
    [["--task", "x", "--log-file", "/l"], "/l"],
    [["-l", "/l", "--task", "x"], "/l"],
    [["--log-file=/l"], "/l"],
    [["--task", "--log-filed"], null],
    [["--log-file"], null],
    [[], null],
  ])("%j", (args, log) => expect(findLogFile(args)).toBe(log));
});
