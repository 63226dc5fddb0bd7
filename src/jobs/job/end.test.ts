import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { type EndFacts, judgeEnd, readExitLine } from "./end.ts";

const told = { exit_code: 0, classification: "done", tokens_used: "12", title: "t", reason: "r" };
const texts = { classification: "auth_error", tokens_used: "7", title: "m", reason: "why" };
const nothing: EndFacts = { outcome: null, exitLine: null, meta: null, stop: null, hasBegun: true };

describe("[CNI-8] how a job ended", () => {
  it.each<[string, Partial<EndFacts>, object]>([
    ["what the run says itself comes first", { outcome: told, exitLine: 1, stop: "by force" }, told],
    ["killed in the middle", { outcome: "open" }, { exit_code: -1, classification: "error" }],
    ["killed after Codex printed an exit code", { outcome: "open", exitLine: 0 }, { exit_code: -1 }],
    [
      "stopped gently, killed",
      { outcome: "open", stop: "gently" },
      { exit_code: 143, classification: "user_cancelled" },
    ],
    ["stopped by force", { outcome: "open", stop: "by force" }, { exit_code: 137, classification: "user_cancelled" }],
    ["stopped in the queue", { stop: "gently", hasBegun: false }, { exit_code: -1, classification: "user_cancelled" }],
    ["only a log: 0", { exitLine: 0 }, { exit_code: 0, classification: "normal" }],
    ["only a log: 3", { exitLine: 3 }, { exit_code: 3, classification: "error" }],
    ["a log and a meta", { exitLine: 3, meta: texts }, { exit_code: 3, ...texts }],
    ["only a log, stopped", { exitLine: 143, stop: "gently" }, { exit_code: 143, classification: "user_cancelled" }],
    ["stopped too late", { exitLine: 0, stop: "gently" }, { exit_code: 0, classification: "normal" }],
    ["nothing at all", {}, { exit_code: -1, classification: "error" }],
  ])("%s", (_, facts, expected) => {
    expect(judgeEnd({ ...nothing, ...facts })).toMatchObject(expected);
  });
});

const START = "===== Codex Run Start: x =====\n";
const BEGIN = "----- Begin Codex Output -----\n";
const END = "----- End Codex Output -----\n";

describe("[CNI-8] the exit code of a log", () => {
  it.each<[string, string, number | null]>([
    ["none", "hello\n", null],
    ["empty", "", null],
    ["of a program of its own", "hello\nExit Code: 3\n", 3],
    ["the last one counts", "Exit Code: 3\nmore\nExit Code: 0\n", 0],
    ["a whole log", `${START}${BEGIN}out\n${END}Exit Code: 7\n===== Codex Run End =====\n`, 7],
    ["Codex prints one", `${START}${BEGIN}Exit Code: 0\n`, null],
    ["Codex printed one, and the run ended", `${START}${BEGIN}Exit Code: 0\n${END}Exit Code: 9\n`, 9],
    ["of an earlier iteration", `${START}${BEGIN}${END}Exit Code: 0\n${BEGIN}x\n`, null],
    ["of the second iteration", `${BEGIN}${END}----- Begin Codex Output (r2) -----\nExit Code: 0\n`, null],
    ["in the instructions", "----- Begin Composed Instructions -----\nExit Code: 0\n", null],
    ["an early end", `${START}[arg-check] no\n[trap] ended early. Exit Code: 2\n`, 2],
    ["negative", "Exit Code: -1\n", -1],
    ["not at the beginning of a line", "the Exit Code: 0\n", null],
    ["no number", "Exit Code: none\n", null],
    ["Windows line ends", `${BEGIN.trim()}\r\n${END.trim()}\r\nExit Code: 4\r\n`, 4],
  ])("%s", (_, text, code) => {
    expect(readExitLine(join(makeFolder({ "job.log": text }), "job.log"))).toBe(code);
  });

  it("reads only the two ends of a long log", () => {
    const folder = makeFolder({ "job.log": `${START}${BEGIN}` });
    const log = join(folder, "job.log");
    truncateSync(log, 20_000_000_000);
    writeFileSync(log, `\nExit Code: 0\nmore\n`, { flag: "a" });
    const spent = countFloors();
    expect(readExitLine(log)).toBe(null);
    writeFileSync(log, `${END}Exit Code: 5\n`, { flag: "a" });
    expect(readExitLine(log)).toBe(5);
    expect(spent()).toBeLessThan(500);
  });

  it("is found in a long log of another program", () => {
    const folder = makeFolder({ "job.log": "begin\n" });
    truncateSync(join(folder, "job.log"), 1_000_000);
    writeFileSync(join(folder, "job.log"), "\nExit Code: 6\n", { flag: "a" });
    expect(readExitLine(join(folder, "job.log"))).toBe(6);
  });

  it("is null for a link, a folder and a missing file", () => {
    const folder = makeFolder({ "real.log": "Exit Code: 0\n" });
    symlinkSync(join(folder, "real.log"), join(folder, "job.log"));
    expect([join(folder, "job.log"), folder, join(folder, "none")].map(readExitLine)).toEqual([null, null, null]);
  });
});
