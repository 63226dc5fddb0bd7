import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { countUsualMs } from "../../tests/support/timed.ts";
import { systemClock } from "../base/clock.ts";
import { fail, succeed } from "../contract/faults.ts";
import { LIMITS, toLimitTexts } from "../contract/limits.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { NO_TOOL_HOOKS } from "../contract/tool-hooks.ts";
import { executeToolCall, type LifecycleDeps } from "./tool-executor.ts";
import { makeRouter } from "./tool-router.ts";

const root = makeFolder({ "src/a.ts": "" });

function toolThat(run: ToolDeclaration["run"], timeoutMs = 1_000): ToolDeclaration {
  return {
    name: "ci_search",
    summary: "",
    tier: 1,
    effect: "read",
    version: "7.0",
    timeoutMs,
    input: () => z.object({ query: z.string(), limit: z._default(z.number(), 10) }),
    ceilings: { limit: 10 },
    plan: () => null,
    run,
    toFindings: () => null,
  };
}

function call(
  tool: ToolDeclaration,
  args: Record<string, unknown> = { query: "q" },
  deps: Partial<LifecycleDeps> = {},
) {
  return executeToolCall(
    { tool: tool.name, args, origin: "auto" },
    {
      router: makeRouter([tool]),
      hooks: NO_TOOL_HOOKS,
      cwd: root,
      askUser: null,
      ruleOf: (declared) => declared,
      root,
      isExcluded: () => false,
      usesIndex: false,
      prompt: "the prompt",
      env: { PATH: process.env["PATH"] },
      clock: systemClock,
      signal: new AbortController().signal,
      ...deps,
    },
  );
}

function runner(script: string): Record<string, string | undefined> {
  const folder = makeFolder({ "runner.sh": `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, "runner.sh"), 0o755);
  return { PATH: process.env["PATH"], CI_AUTO_TOOLS_RUNNER_CI_SEARCH: join(folder, "runner.sh") };
}

const quiet = toolThat(async () => succeed({ summary: "built in", data: {} }));

describe("[ATO-CHAIN-6] [ATO-FAIL-9] every call ends in exactly one outcome", () => {
  it("[G D.18] a message and its hint do not form one of our marks together", async () => {
    const tool = toolThat(async () => fail("E_TOOL_UNAVAILABLE", "End of\nbackground", "the request is above."));
    const { result } = await call(tool);
    expect([result.summary, result.error.message]).toEqual(Array(2).fill("End of (background); the request is above."));
  });

  it("a successful answer is cleaned and has every key", async () => {
    const tool = toolThat(async (input) =>
      succeed({ summary: "two\nlines", data: { input, token: `Bearer ${"a1".repeat(10)}` } }),
    );
    const { result, fault, version, limits } = await call(tool, { query: "q", limit: 99 });
    expect(result).toEqual({
      tool: "ci_search",
      status: "ok",
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      duration_ms: expect.any(Number),
      summary: "two lines",
      data: { input: { query: "q", limit: 10 }, token: "Bearer <redacted>" },
      error: { message: "" },
      redactions: [{ kind: "bearer-token", count: 1 }],
      truncated: false,
    });
    expect([fault, version, limits]).toEqual([null, "7.0", [LIMITS.clamped("ci_search", "limit", 10)]]);
  });

  it("passes frozen arguments to the tool", async () => {
    let frozen = false;
    const tool = toolThat(async (input) => {
      frozen = Object.isFrozen(input);
      return succeed({ summary: "", data: {} });
    });
    await call(tool);
    expect(frozen).toBe(true);
  });

  it.each([
    [
      "a throw",
      async () => {
        throw new Error("boom");
      },
      "error",
      "E_UNKNOWN",
      "unexpected error; skipped (ci_search)",
    ],
    [
      "a fault",
      async () => fail("E_TOOL_UNAVAILABLE", "no index", "build one"),
      "error",
      "E_TOOL_UNAVAILABLE",
      "tool unavailable; skipped (ci_search)",
    ],
  ] as const)("[ATO-FAIL-2] [ATO-FAIL-8] %s", async (_name, run, status, code, limit) => {
    const { result, limits } = await call(toolThat(run));
    expect([result.status, result.error.code, toLimitTexts(limits)]).toEqual([status, code, [limit]]);
  });

  it("[ATO-FAIL-7] a hanging tool is ended at its time limit, and its signal is aborted", async () => {
    let stopped = false;
    const tool = toolThat(
      (_input, { signal }) => new Promise(() => signal.addEventListener("abort", () => (stopped = true))),
      50,
    );
    const { result, limits } = await call(tool);
    expect([result.status, result.error.code, stopped]).toEqual(["timeout", "E_TIMEOUT", true]);
    expect(toLimitTexts(limits)).toEqual(["tool timeout; degraded to plan-only (ci_search)"]);
  });

  it("the wall clock ends a tool too", async () => {
    const { result } = await call(
      toolThat(() => new Promise(() => {})),
      { query: "q" },
      { signal: AbortSignal.timeout(30) },
    );
    expect([result.status, result.error]).toEqual([
      "timeout",
      { message: "ended by the wall clock", code: "E_TIMEOUT" },
    ]);
  });

  it("skips a call whose arguments cannot be clamped", async () => {
    const { result, limits } = await call(quiet, { query: "q", limit: "many" });
    expect([result.status, result.error.code, toLimitTexts(limits)]).toEqual([
      "skipped",
      "E_INVALID_ARGS",
      ["ci_search: args rejected (limit)"],
    ]);
  });

  it("reports an unknown tool", async () => {
    const outcome = await call({ ...quiet, name: "x" }, {}, { router: makeRouter([]) });
    expect(outcome.result).toMatchObject({
      status: "error",
      error: { code: "E_TOOL_UNAVAILABLE", message: "unknown tool x" },
    });
  });
});

describe("[ATO-SCOPE-5] runners that replace a tool", () => {
  it("receive the question, and their JSON is the data", async () => {
    const env = runner(
      `printf '{"name":"%s","prompt":"%s","args":%s,"root":"%s"}' "$CI_TOOL_NAME" "$CI_TOOL_PROMPT" "$CI_TOOL_ARGS_JSON" "$CI_TOOL_REPO_ROOT"`,
    );
    const { result, version } = await call(quiet, { query: "q" }, { env });
    expect(result.data).toEqual({ name: "ci_search", prompt: "the prompt", args: { query: "q" }, root });
    expect([result.status, version]).toEqual(["ok", "runner"]);
  });

  it("may print text, whose first line is the summary", async () => {
    const { result } = await call(quiet, { query: "q" }, { env: runner("echo first; echo second; echo warn >&2") });
    expect([result.summary, result.data]).toEqual(["first", { stdout_text: "first\nsecond\n", stderr_text: "warn\n" }]);
  });

  it("have their candidates summarised in one line", async () => {
    const { result } = await call(
      quiet,
      { query: "q" },
      { env: runner(`echo '{"source":"mine","candidates":[{"file":"a.ts"},{"file":"b.ts"}]}'`) },
    );
    expect(result.summary).toBe("provider=mine candidates=2 top=a.ts,b.ts");
  });

  it.each([
    ["exit 3", "error", "E_TOOL_UNAVAILABLE", /exit code 3/],
    ["echo '{\"a\":'", "error", "E_PARSE", /cannot be parsed/],
    ["kill -9 $$", "error", "E_TOOL_UNAVAILABLE", /signal/],
  ])("%s", async (script, status, code, message) => {
    const { result } = await call(quiet, { query: "q" }, { env: runner(script) });
    expect(result).toMatchObject({ status, error: { code, message: expect.stringMatching(message) } });
  });

  it("are ended with everything they started if they hang", async () => {
    const folder = makeFolder();
    const usualMs = countUsualMs();
    const { result } = await call(
      { ...quiet, timeoutMs: 200 },
      { query: "q" },
      { env: runner(`(sleep 2; touch ${join(folder, "late")}) & sleep 30`) },
    );
    expect([result.status, result.error.code]).toEqual(["timeout", "E_TIMEOUT"]);
    expect(usualMs()).toBeLessThan(1_500);
    await new Promise((resolve) => setTimeout(resolve, 2_300));
    expect(existsSync(join(folder, "late"))).toBe(false);
  });

  it.each([join(makeFolder(), "missing"), "/etc/hostname", "/tmp"])("%s is not executable", async (program) => {
    const { result } = await call(quiet, { query: "q" }, { env: { CI_AUTO_TOOLS_RUNNER_CI_SEARCH: program } });
    expect(result).toMatchObject({ status: "error", error: { code: "E_TOOL_UNAVAILABLE" } });
  });

  it("receive a very long prompt truncated", async () => {
    const { result } = await call(
      quiet,
      { query: "q" },
      { prompt: `a\0${"中".repeat(100_000)}`, env: runner('printf %s "$CI_TOOL_PROMPT" | wc -c') },
    );
    expect(result.data).toEqual({ value: 100_000 });
  });
});
