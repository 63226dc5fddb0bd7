import { describe, expect, it } from "vitest";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { makeOutcome } from "../../lifecycle/tool-outcome.ts";
import { toCodexResult } from "./codex-result.ts";

/** The first text of a result, and its data. */
function show(data: Record<string, unknown>) {
  const outcome = makeOutcome({
    tool: "codex.x",
    fault: null,
    startedAt: "",
    summary: "",
    data,
    limits: [],
    version: "1.0",
  });
  const { content, structuredContent } = toCodexResult({} as ToolDeclaration, outcome);
  return { text: content[0]?.text ?? "", structured: structuredContent ?? null };
}

const END = {
  runId: "exec-20260102_030405-x",
  exitCode: 0,
  cwd: "/w",
  logFile: "/w/job.log",
  instructionsFile: "/w/job.instructions.md",
  metaFile: "/w/job.meta.json",
  lastMessageFile: "",
  tag: "x",
  processExit: 0,
};

describe("[CNI-16] answers as clients read them", () => {
  it.each([
    ["a run's end has nine fields in its text", { ...END, lastMessage: "done" }, END, { ...END, lastMessage: "done" }],
    ["a list is an array", { jobs: [{ id: "cdx-1" }] }, [{ id: "cdx-1" }], null],
    ["lines", { joined: "a\n\nb", count: 3, totalLines: 9 }, { lines: ["a", "", "b"], totalLines: 9 }, undefined],
    ["no lines", { joined: "", count: 0, totalLines: 9 }, { lines: [], totalLines: 9 }, undefined],
    ["one empty line", { joined: "", count: 1, totalLines: 9 }, { lines: [""], totalLines: 9 }, undefined],
    [
      "bytes",
      { chunk: "x", nextOffset: 1, eof: true, size: 1 },
      { chunk: "x", nextOffset: 1, eof: true, size: 1 },
      undefined,
    ],
    ["what another program printed", { printed: '{"jobId":"x"}' }, { jobId: "x" }, undefined],
    ["an array that it printed", { printed: "[1]" }, [1], null],
    ["what stands in for a tool", { stdout_text: "x" }, { stdout_text: "x" }, undefined],
  ])("%s", (_, data, text, structured) => {
    const shown = show(data);
    expect(JSON.parse(shown.text)).toEqual(text);
    expect(shown.structured).toEqual(structured === undefined ? text : structured);
  });

  it("a message is not JSON", () => {
    expect(show({ printed: "job x was stopped" })).toEqual({ text: "job x was stopped", structured: null });
    expect(show({ printed: "" })).toEqual({ text: "", structured: null });
  });
});
