import { describe, expect, it } from "vitest";
import { makeEventReader } from "./events.ts";

const item = (type: string, item: object) => JSON.stringify({ type, item });

describe("the events of codex exec --json", () => {
  it.each([
    ['{"type":"thread.started","thread_id":"01a1"}', ["session id: 01a1"]],
    ['{"type":"turn.started"}', []],
    [item("item.completed", { type: "agent_message", text: "Hello.\nBye." }), ["codex", "Hello.", "Bye."]],
    [item("item.completed", { type: "reasoning", text: "Hm." }), ["thinking", "Hm."]],
    [item("item.completed", { type: "error", message: "no metadata" }), ["warning: no metadata"]],
    [
      item("item.started", { type: "command_execution", command: "bash -lc ls", exit_code: null }),
      ["exec: bash -lc ls"],
    ],
    [
      item("item.completed", {
        type: "command_execution",
        aggregated_output: "a\nb\n",
        exit_code: 3,
        status: "failed",
      }),
      ["exec exited 3", "a", "b"],
    ],
    [
      item("item.completed", { type: "command_execution", aggregated_output: "", exit_code: null, status: "declined" }),
      ["exec declined"],
    ],
    [
      item("item.started", { type: "mcp_tool_call", server: "gw", tool: "ci_search", arguments: { query: "x" } }),
      ['tool: gw.ci_search {"query":"x"}'],
    ],
    [
      item("item.completed", { type: "mcp_tool_call", server: "gw", tool: "t", status: "failed" }),
      ["tool failed: gw.t"],
    ],
    [
      item("item.completed", { type: "file_change", changes: [{ path: "a.ts", kind: "add" }, 7] }),
      ["file update", "add a.ts"],
    ],
    [item("item.completed", { type: "web_search", query: "codex" }), ["web search: codex"]],
    [item("item.completed", { type: "todo_list" }), ["[todo_list]"]],
    [item("item.updated", { type: "todo_list" }), []],
    ['{"type":"something.new"}', ["[something.new]"]],
    ['{"type":"turn.completed","usage":{"input_tokens":100,"output_tokens":10}}', ["tokens used: 110"]],
    ['{"type":"error","message":"stream\\nlost"}', ["ERROR: stream", "lost"]],
  ])("%s", (line, lines) => {
    expect(makeEventReader().read(line)).toEqual({ event: JSON.parse(line), lines });
  });

  it.each(["plain text", "", '{"type":"turn.comp', '{"type":7}', '["type"]', "{}", "null"])(
    "malformed events are text: %j",
    (line) => {
      expect(makeEventReader().read(line)).toEqual({ event: null, lines: [line] });
    },
  );

  it.each([
    '{"type":"turn.completed","usage":null}',
    '{"type":"turn.completed","usage":{"input_tokens":"many","output_tokens":1e400}}',
    '{"type":"turn.failed"}',
    '{"type":"error"}',
    '{"type":"item.completed","item":{"type":"file_change","changes":"none"}}',
    '{"type":"item.completed","item":{}}',
    '{"type":"item.completed"}',
  ])("tolerates an event with missing parts: %s", (line) => {
    const reader = makeEventReader();
    expect(reader.read(line).lines.every((one) => typeof one === "string")).toBe(true);
    expect([null, 0]).toContain(reader.facts().tokens);
  });

  it("sums the tokens of all turns, keeps the first thread and reports an error once", () => {
    const reader = makeEventReader();
    const lines = [
      '{"type":"thread.started","thread_id":"first"}',
      '{"type":"thread.started","thread_id":"second"}',
      '{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":90,"output_tokens":10}}',
      '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":2,"reasoning_output_tokens":1}}',
      '{"type":"error","message":"gone"}',
      '{"type":"turn.failed","error":{"message":"gone"}}',
    ].flatMap((line) => reader.read(line).lines);
    expect(lines.filter((line) => line.startsWith("ERROR"))).toEqual(["ERROR: gone"]);
    expect(reader.facts()).toEqual({ tokens: 113, threadId: "first", errors: ["gone"] });
  });

  it("reports no facts without events", () => {
    expect(makeEventReader().facts()).toEqual({ tokens: null, threadId: null, errors: [] });
  });
});
