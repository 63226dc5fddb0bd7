import { expect, it } from "vitest";
import { makeEventReader } from "../../jobs/run/events.ts";
import { selectShown } from "./shown.ts";

const item = (type: string, item: object) => JSON.stringify({ type, item });
const command = { type: "command_execution", command: "/bin/bash -lc 'npm test'" };

it.each([
  ["plain text of another program", "hello", "hello\n", []],
  ["an answer", item("item.completed", { type: "agent_message", text: "Yes.\nIt is." }), "Yes.\nIt is.\n", []],
  ["the session's id", '{"type":"thread.started","thread_id":"a"}', "", []],
  ["a turn's begin", '{"type":"turn.started"}', "", []],
  ["tokens", '{"type":"turn.completed","usage":{"input_tokens":1}}', "", []],
  ["thoughts", item("item.completed", { type: "reasoning", text: "Hm." }), "", []],
  ["a command, without its shell", item("item.started", command), "", ["exec: npm test"]],
  ["that it ended well", item("item.completed", { ...command, exit_code: 0, aggregated_output: "a\nb" }), "", []],
  [
    "that it failed, without its output",
    item("item.completed", { ...command, exit_code: 2, aggregated_output: "a\nb" }),
    "",
    ["exec exited 2"],
  ],
  ["a call of a tool", item("item.started", { type: "mcp_tool_call", server: "s", tool: "t" }), "", ["tool: s.t"]],
  [
    "that it ended well",
    item("item.completed", { type: "mcp_tool_call", server: "s", tool: "t", status: "completed" }),
    "",
    [],
  ],
  [
    "a change",
    item("item.completed", { type: "file_change", changes: [{ path: "a.ts", kind: "add" }] }),
    "",
    ["file update", "add a.ts"],
  ],
  ["an error", '{"type":"error","message":"stream\\nlost"}', "", ["ERROR: stream", "lost"]],
  [
    "a long command",
    item("item.started", { ...command, command: "x".repeat(500) }),
    "",
    [expect.stringMatching(/^exec: x{150,}…$/)],
  ],
])("[P-4] what the loop shows: %s", (_name, line, answer, progress) => {
  expect(selectShown(makeEventReader().read(line))).toEqual({ answer, progress });
});
