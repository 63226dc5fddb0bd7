import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { makeHide } from "../run/redaction.ts";
import { readLastLine, runInForeground } from "./foreground-run.ts";

const hide = makeHide({});
const read = (text: string) => readLastLine(join(makeFolder({ "job.log": text }), "job.log"), hide);

describe("the last line of a log", () => {
  it.each([
    ["first\nsecond\n", "second"],
    ["first\nsecond\n\n  \n", "second"],
    ["begun", "begun"],
    ["a\r\n\u001b[31mred\u001b[0m\tone\n", "red one"],
    ["", ""],
    [`${"x".repeat(40_000)}\nlast`, "last"],
  ])("%j", (text, line) => expect(read(text)).toBe(line));

  it("[CNI-18] contains no secret and fits on one line", () => {
    expect(read(`token sk-${"a1B2c3D4".repeat(5)}`)).not.toContain("a1B2c3D4");
    expect(read("word ".repeat(200)).length).toBeLessThanOrEqual(200);
  });

  it("is empty if there is no log", () => expect(readLastLine("/nowhere/job.log", hide)).toBe(""));
});

describe("the error output of a foreground run", () => {
  it.each([
    ["错".repeat(5_000), "错".repeat(4_000)],
    [`${"😀".repeat(5_000)}.`, `${"😀".repeat(1_999)}.`],
  ])("[CNI-17] is at most 4 000 characters, none of them split %#", async (said, stderr) => {
    const cwd = makeFolder({ said });
    const call = { cwd, tag: "", args: [], signal: new AbortController().signal, onProgress: () => {} };
    const startProgram = { command: "/bin/sh", args: ["-c", "cat said >&2", "sh"] };
    const done = await runInForeground(call, { env: { PATH: process.env["PATH"] }, clock: systemClock, startProgram });
    expect(done).toMatchObject({ value: { stderr } });
  });
});
