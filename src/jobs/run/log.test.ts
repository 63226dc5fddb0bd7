import { describe, expect, it } from "vitest";
import { argLines, endLines, headLines, instructionLines } from "./log.ts";
import { printMeta, toAggregate, toIterationMeta, toMeta, toOutcomeFile } from "./meta.ts";
import type { RunSession } from "./session-paths.ts";

const session: RunSession = {
  timestamp: "20261116_090859",
  tag: "t",
  name: "20261116_090859-t",
  isNamed: false,
  paths: {
    folder: "/s",
    log: "/s/job.log",
    base: "/s/job",
    instructions: "/s/job.instructions.md",
    meta: "/s/job.meta.json",
    events: "/s/job.events.jsonl",
  },
  outcome: "/s/outcome.json",
  mark: "/s",
};
const head = { session, script: "start.sh", cwd: "/w" };

describe("the log of a run [CNI-8]", () => {
  it("begins with the lines that scripts look for", () => {
    expect(headLines(head, true)).toEqual([
      "===== Codex Run Start: 20261116_090859-t =====",
      "Script: start.sh  PWD: /w",
      "Log: /s/job.log",
      "Instructions: /s/job.instructions.md",
      "Meta: /s/job.meta.json",
      "Patch Mode: on",
    ]);
    expect(headLines(head, null)).toEqual([
      "===== Codex Run Start: 20261116_090859-t =====",
      "Script: start.sh  PWD: /w",
      "Log: /s/job.log",
      "Meta: /s/job.meta.json",
    ]);
  });

  it("has the end of the run in its third-last line", () => {
    const lines = endLines(session, { exitCode: 3, classification: "error", tokens: "" });
    expect(lines.at(-3)).toBe("===== Codex Run End: 20261116_090859-t =====");
    expect(lines.at(-4)).toBe("Exit Code: 3");
    expect(lines.at(-1)).toBe("Classification: error; tokens used: unknown");
  });

  it("shows the instructions up to a limit, and their sources", () => {
    const text = "one\ntwo\nthree\n";
    const all = [
      "----- Begin Composed Instructions -----",
      "one",
      "two",
      "three",
      "----- End Composed Instructions -----",
    ];
    expect(instructionLines(text, ["Base: builtin"], { echoes: true, echoLimit: 0 })).toEqual([
      "----- Composed Instructions (Sources) -----",
      "- Base: builtin",
      ...all,
    ]);
    expect(instructionLines(text, null, { echoes: true, echoLimit: 3 })).toEqual(all);
    expect(instructionLines(text, null, { echoes: true, echoLimit: 2 })).toEqual([
      "----- Begin Composed Instructions -----",
      "one",
      "two",
      "----- [Truncated after 2 lines] -----",
      "----- End Composed Instructions -----",
    ]);
    expect(instructionLines(text, ["Base: builtin"], { echoes: false, echoLimit: 0 })).toEqual([]);
  });

  it("has one argument per line, whatever it contains", () => {
    const args = { argv: ["--task", "a\nExit Code: 0\r\n"], globalArgs: ["--sandbox", "read-only"], execArgs: [] };
    expect(argLines(args)).toEqual([
      "----- Invocation Args -----",
      "start.sh argv (raw):",
      "  --task",
      "  a\\nExit Code: 0\\r\\n",
      "codex global args:",
      "  --sandbox",
      "  read-only",
      "codex exec args:",
      "----- End Invocation Args -----",
    ]);
  });
});

describe("the meta of a run [CNI-9]", () => {
  const ending = {
    exit_code: 0,
    classification: "done",
    control_flag: "DONE",
    reason: "Task signaled DONE",
    threadId: null,
  };
  const meta = toMeta(session, "/w", { ...ending, tokens_used: "12", title: "Say\nhi" });

  it("has exactly the twelve fields", () => {
    expect(JSON.parse(printMeta(meta))).toEqual({
      id: "codex-20261116_090859-t",
      timestamp: "20261116_090859",
      tag: "t",
      classification: "done",
      control_flag: "DONE",
      reason: "Task signaled DONE",
      tokens_used: "12",
      cwd: "/w",
      log_file: "/s/job.log",
      instructions_file: "/s/job.instructions.md",
      exit_code: 0,
      title: "Say hi",
    });
  });

  it("of an iteration has two more", () => {
    expect(toIterationMeta(meta, session, 2)).toEqual({
      ...meta,
      id: "codex-20261116_090859-t-r2",
      instructions_file: "/s/job.r2.instructions.md",
      iteration: 2,
      last_message_file: "/s/job.r2.last.txt",
    });
    expect(toIterationMeta(meta, session, 1)).toMatchObject({ id: meta.id, iteration: 1 });
  });

  it("fits into the space reserved for the outcome, however long the title", () => {
    const long = toMeta(session, "/w", { ...ending, tokens_used: "", title: "标题".repeat(5_000) });
    expect(Buffer.byteLength(toOutcomeFile({ ...long, reason: "原".repeat(300) }))).toBeLessThan(4_000);
    expect(JSON.parse(toOutcomeFile(meta))).toEqual({
      exit_code: 0,
      classification: "done",
      tokens_used: "12",
      title: "Say hi",
      reason: "Task signaled DONE",
    });
  });

  it("is one entry of the aggregate file", () => {
    expect(toAggregate(meta, 1)).toBe(
      "=== [20261116_090859] Codex Run -t ===\nLog: /s/job.log\nInstructions: /s/job.instructions.md\nTitle: Say hi\nExit: 0\n\n",
    );
    expect(toAggregate({ ...meta, tag: "" }, 2)).toMatch(/^=== \[20261116_090859\] Codex Run r2 ===\n/);
  });
});
