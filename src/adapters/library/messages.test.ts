import { describe, expect, it } from "vitest";
import type { FunctionCall } from "../../contract/library.ts";
import { LIMITS } from "../../contract/limits.ts";
import { NO_HOOK_RAN } from "../../contract/tool-hooks.ts";
import type { ToolOutcome } from "../../lifecycle/tool-outcome.ts";
import { groupByResource, readCall, toAsker, toFunctionResult } from "./messages.ts";

const call = (name: string, args = "{}", id = "1"): FunctionCall => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

describe("[HOOK-3] calls as models write them", () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['Sure: {"a":{"b":"}"}} and more {"c":2}', { a: { b: "}" } }],
    ['{broken {"a":1}', { a: 1 }],
    ["[1]", {}],
    ["nothing", {}],
    ["", {}],
    ['{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
    ["{".repeat(5_000), {}],
  ])("%s", (text, args) => {
    expect(readCall(call("t", text))).toEqual({ id: "1", tool: "t", args });
  });

  it.each([null, 7, "x", {}, { id: 3, function: null }, { function: { name: 1, arguments: {} } }])(
    "never throws: %j",
    (odd) => {
      expect(readCall(odd as unknown as FunctionCall).args).toEqual({});
    },
  );
});

describe("[HOOK-8] results as models read them", () => {
  const outcome = (more: object): ToolOutcome =>
    ({
      result: { tool: "t", status: "ok", error: { message: "" }, data: { a: 1 } },
      fault: null,
      limits: [],
      version: "1",
      hooks: NO_HOOK_RAN,
      ...more,
    }) as unknown as ToolOutcome;
  const run = { command: "c", exitCode: 2, output: "o", error: "e" };

  it("findings with their limits, then warnings of after hooks", () => {
    const after = { failure: null, warnings: [{ ...run, exitCode: 1 }] };
    expect(toFunctionResult("9", outcome({ limits: [LIMITS.quoted("l")], hooks: { ...NO_HOOK_RAN, after } }))).toEqual({
      tool_call_id: "9",
      role: "tool",
      content: '{"a":1,"limits":["l"]}\n\n[afterToolCall Hook Warning]\nCommand: c\nOutput:\no\ne',
    });
  });

  it("[G A.5] warnings of before hooks are a separate field, and the JSON stays valid", () => {
    const before = { failure: null, warnings: [{ ...run, exitCode: 1 }] };
    const told = toFunctionResult("9", outcome({ limits: [LIMITS.quoted("l")], hooks: { ...NO_HOOK_RAN, before } }));
    expect(JSON.parse(told.content)).toEqual({ a: 1, limits: ["l"] });
    expect(told.warnings).toEqual([{ command: "c", output: "o", error: "e" }]);
  });

  it("a blocked call is empty and has the details of the hook", () => {
    const stopped = {
      result: { tool: "t", status: "error", error: { message: "m" } },
      fault: { code: "E_TOOL_UNAVAILABLE", message: "m" },
      hooks: { ...NO_HOOK_RAN, before: { failure: run, warnings: [] } },
    };
    expect(toFunctionResult("9", outcome(stopped))).toEqual({
      tool_call_id: "9",
      role: "tool",
      content: "",
      hookFailed: true,
      hookErrorDetails: { type: "error", ...run },
    });
  });

  it("a failed tool is an error; one that an after hook failed keeps its findings", () => {
    const failed = { result: { error: { message: "m" } }, fault: { code: "E_UNKNOWN", message: "m" } };
    expect(toFunctionResult("9", outcome(failed)).content).toBe("Error: m");
    const hooks = { ...NO_HOOK_RAN, after: { failure: run, warnings: [] } };
    const marked = { fault: { code: "E_TOOL_UNAVAILABLE", message: "m" }, hooks };
    expect(toFunctionResult("9", outcome(marked))).toMatchObject({ content: '{"a":1}', hookFailed: true });
    // [G A.5] A failing after hook does not hide the tool's own failure.
    expect(toFunctionResult("9", outcome({ ...failed, hooks }))).toMatchObject({
      content: "Error: m",
      hookFailed: true,
    });
  });
});

describe("[HOOK-3] calls that run sequentially", () => {
  it("calls on one file or one resource; others run in parallel", () => {
    const calls = [
      call("search", '{"query":"a"}'),
      call("complexity", '{"path":"a.ts"}'),
      call("ask"),
      call("impact", '{"file":"a.ts"}'),
      call("ask"),
      call("search", '{"query":"a"}'),
    ];
    expect(groupByResource(calls, (name) => (name === "ask" ? "person" : undefined))).toEqual([
      [0],
      [1, 3],
      [2, 4],
      [5],
    ]);
  });
});

describe("[HOOK-10] the caller's function for questions", () => {
  it("takes one answer or several; without a function nobody is asked", async () => {
    const question = { question: "q", options: ["a"], multiSelect: false };
    const { signal } = new AbortController();
    expect(await toAsker(async () => ({ selected: "a" }))?.(question, signal)).toEqual({ selected: ["a"] });
    expect(await toAsker(async () => ({ selected: ["a"], cancelled: true }))?.(question, signal)).toEqual({
      selected: ["a"],
      cancelled: true,
    });
    expect(toAsker(undefined)).toBeNull();
  });
});
