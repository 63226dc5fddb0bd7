import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { fail, succeed } from "../contract/faults.ts";
import { toLimitTexts } from "../contract/limits.ts";
import type { CallOrigin, ToolContext, ToolDeclaration } from "../contract/tool.ts";
import { failureOf, type HookRule, type ToolHooks } from "../contract/tool-hooks.ts";
import { executeToolCall } from "./tool-executor.ts";
import { makeRouter } from "./tool-router.ts";

const rule = (command: string): HookRule => ({ matcher: null, actions: [{ command, timeoutMs: 5_000 }] });
const hooksThat = (before: string, after: string): ToolHooks => ({
  before: [rule(before)],
  after: [rule(after)],
  limits: [],
});

type Run = (input: Record<string, unknown>, context: ToolContext) => ReturnType<ToolDeclaration["run"]>;

function toolThat(run: Run, name = "ci_search"): ToolDeclaration {
  return {
    name,
    summary: "s",
    tier: 1,
    effect: "read",
    version: "1.0",
    timeoutMs: 5_000,
    input: () =>
      z.object({
        query: z.string(),
        limit: z._default(z.number(), 10),
        files: z.optional(z.array(z.string())),
      }),
    ceilings: { limit: 10 },
    plan: () => null,
    run,
    toFindings: () => null,
  };
}

const root = makeFolder({});

function call(
  tools: readonly ToolDeclaration[],
  hooks: ToolHooks,
  args: Record<string, unknown> = { query: "q" },
  origin: CallOrigin = "cli",
  tool = "ci_search",
) {
  return executeToolCall(
    { tool, args, origin },
    {
      router: makeRouter(tools),
      hooks,
      cwd: root,
      ruleOf: (declared) => declared,
      root,
      isExcluded: () => false,
      usesIndex: false,
      prompt: "",
      env: { PATH: process.env["PATH"] },
      clock: systemClock,
      signal: new AbortController().signal,
      askUser: null,
    },
  );
}

const good = toolThat(async () => succeed({ summary: "found", data: { hits: 3 } }));
let files = 0;
const logging = () => {
  const log = join(root, `log${++files}`);
  return {
    hooks: hooksThat(`(printf 'before '; cat; echo) >> ${log}`, `(printf 'after '; cat; echo) >> ${log}`),
    lines: () => readFileSync(log, "utf8").trimEnd().split("\n"),
  };
};

describe("[HOOK-1] [HOOK-3] [HOOK-6] one layer runs the hooks for every caller", () => {
  it.each(["auto", "mcp", "cli", "subagent"] as const)(
    "[HOOK-10] once before and once after a call: %s",
    async (origin) => {
      const { hooks, lines } = logging();
      await call([good], hooks, { query: "q" }, origin);
      expect(lines().map((line) => line.split(" ")[0])).toEqual(["before", "after"]);
    },
  );

  it("hooks and tool get the same arguments: normalised, lowered, frozen; only the tool sees its defaults", async () => {
    const { hooks, lines } = logging();
    let executed: Record<string, unknown> = {};
    const tool = toolThat(async (input) => {
      executed = input;
      return succeed({ summary: "", data: {} });
    });
    await call([tool], hooks, { query: "q", limit: 99, files: '["a.ts"]' }, "auto");
    const told = lines().map((line) => JSON.parse(line.slice(line.indexOf("{"))) as Record<string, unknown>);
    expect(executed).toEqual({ query: "q", limit: 10, files: ["a.ts"] });
    expect(told.map(({ args }) => args)).toEqual([executed, executed]);
    expect([Object.isFrozen(executed), Object.isFrozen(executed["files"])]).toEqual([true, true]);
    await call([tool], hooks, { query: "q" });
    expect(executed).toEqual({ query: "q", limit: 10 });
    expect(lines().at(-1)).toContain('"args":{"query":"q"}');
  });

  it("a hook's context has exactly the keys of its moment", async () => {
    const { hooks, lines } = logging();
    await call([good], hooks);
    await call([toolThat(async () => fail("E_UNKNOWN", "broken"))], hooks);
    const told = lines().map((line) => JSON.parse(line.slice(line.indexOf("{"))) as Record<string, unknown>);
    expect(told).toEqual([
      { toolName: "ci_search", args: { query: "q" } },
      { toolName: "ci_search", args: { query: "q" }, result: { hits: 3 }, error: null },
      { toolName: "ci_search", args: { query: "q" } },
      { toolName: "ci_search", args: { query: "q" }, result: null, error: "broken" },
    ]);
  });

  it("an invalid call runs no hooks", async () => {
    const hooks = hooksThat("touch seen", "touch seen");
    await call([good], hooks, { query: "q" }, "cli", "ci_nothing");
    await call([good], hooks, { query: 7 });
    expect(() => readFileSync(join(root, "seen"))).toThrow();
  });

  it("[HOOK-5] if a tool calls another, the hooks run once for each", async () => {
    const { hooks, lines } = logging();
    const outer = toolThat(async (_, { startSubAgent }) => {
      const agent = startSubAgent({ tools: ["ci_inner"], maxSteps: 3, maxMs: 5_000, maxChars: 1_000 });
      const inner = await agent.step("ci_inner", { query: "inner" }, "because");
      return succeed({ summary: "", data: { inner: inner?.data } });
    });
    const { result } = await call([outer, toolThat(good.run, "ci_inner")], hooks);
    expect(result.data).toEqual({ inner: { hits: 3 } });
    const told = lines().map((line) => `${line.split(" ")[0]} ${/"toolName":"(\w+)"/.exec(line)?.[1]}`);
    expect(told).toEqual(["before ci_search", "before ci_inner", "after ci_inner", "after ci_search"]);
  });
});

describe("[HOOK-8] the effect of a hook's exit code on a call", () => {
  const ran: string[] = [];
  const tool = toolThat(async () => {
    ran.push("ran");
    return succeed({ summary: "found", data: { hits: 3 } });
  });

  it("a warning before the call is reported, and the tool runs", async () => {
    ran.length = 0;
    const { result, limits, hooks } = await call([tool], hooksThat("echo careful; exit 1", "true"));
    expect([ran.length, result.status, failureOf(hooks)]).toEqual([1, "ok", null]);
    expect(toLimitTexts(limits)).toEqual(["ci_search: beforeToolCall hook warns: echo careful; exit 1: careful"]);
  });

  it("a failure before the call keeps the tool from running; the after hooks run nevertheless", async () => {
    ran.length = 0;
    const { result, limits, hooks } = await call([tool], hooksThat("echo no; echo why >&2; exit 2", "touch after"));
    expect([ran.length, result.status, result.error.code, "data" in result]).toEqual([
      0,
      "error",
      "E_TOOL_UNAVAILABLE",
      false,
    ]);
    expect(failureOf(hooks)).toEqual({
      command: "echo no; echo why >&2; exit 2",
      exitCode: 2,
      output: "no\n",
      error: "why\n",
    });
    expect(toLimitTexts(limits)).toEqual([
      "ci_search: beforeToolCall hook failed: echo no; echo why >&2; exit 2 (exit 2): no",
    ]);
    expect(readFileSync(join(root, "after"), "utf8")).toBe("");
  });

  it("a failure after the call marks the result", async () => {
    const { result, fault, hooks } = await call([tool], hooksThat("true", "exit 9"));
    expect([result.status, fault?.code, failureOf(hooks)?.exitCode, result.data]).toEqual([
      "error",
      "E_TOOL_UNAVAILABLE",
      9,
      { hits: 3 },
    ]);
  });

  it("a secret in the output of a hook is hidden", async () => {
    const key = ["AKIA", "IOSFODNN7", "EXAMPLQ"].join("");
    const { hooks, limits } = await call([tool], hooksThat(`echo aws_key=${key}; exit 2`, "true"));
    expect(JSON.stringify([hooks, limits])).not.toContain(key);
  });

  it("a result too large for any model is refused", async () => {
    const giant = toolThat(async () => succeed({ summary: "", data: { text: "x".repeat(300_000) } }));
    const { result } = await call([giant], hooksThat("true", "true"));
    expect(result.error.message).toMatch(/^Content is too large: \d+ tokens \(exceeds 60000 token limit\)/);
  });
});
