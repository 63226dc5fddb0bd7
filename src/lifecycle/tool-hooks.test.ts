import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { countUsualMs } from "../../tests/support/timed.ts";
import type { HookAction, HookRule } from "../contract/tool-hooks.ts";
import { runAfterToolHooks, runBeforeToolHooks, toWarningText } from "./tool-hooks.ts";

const cwd = makeFolder({});
const NO_SIGNAL = new AbortController().signal;

function rule(command: string, { timeoutMs = 5_000, ...more }: Partial<HookAction & HookRule> = {}): HookRule {
  return { matcher: null, actions: [{ command, timeoutMs }], ...more };
}

const settings = (before: readonly HookRule[], after: readonly HookRule[] = [], signal = NO_SIGNAL) => ({
  hooks: { before, after, limits: [] },
  cwd,
  env: { PATH: process.env["PATH"] },
  signal,
});

const CALL = { toolName: "ci_search", args: { query: "it's 中文", limit: 3 } };
const runBefore = (...rules: HookRule[]) => runBeforeToolHooks(CALL, settings(rules));

describe("[HOOK-8] exit codes", () => {
  it.each([
    ["exit 0", null, []],
    ["echo out; echo err >&2; exit 1", null, [1]],
    ["exit 2", 2, []],
    ["exit 77", 77, []],
    ["/no/such/program", 127, []],
    ["kill -KILL $$", -1, []],
  ])("%s", async (command, failure, warnings) => {
    const verdict = await runBefore(rule(command));
    expect(verdict.failure?.exitCode ?? null).toBe(failure);
    expect(verdict.warnings.map(({ exitCode }) => exitCode)).toEqual(warnings);
  });

  it("a failure is reported with command, output and stderr", async () => {
    const command = "echo no; echo because >&2; exit 3";
    const { failure } = await runBefore(rule(command));
    expect(failure).toEqual({ command, exitCode: 3, output: "no\n", error: "because\n" });
  });

  it("[HOOK-8] a hanging hook is ended with everything it started, even if it ignores SIGTERM", async () => {
    const file = join(cwd, "late");
    const command = `trap '' TERM; (trap '' TERM; setsid sh -c 'sleep 2; touch ${file}') & sleep 30`;
    const usualMs = countUsualMs();
    const { failure } = await runBefore(rule(command, { timeoutMs: 200 }));
    expect(usualMs()).toBeLessThan(2_000);
    expect(failure).toMatchObject({ exitCode: -1, error: "ended after 200 ms" });
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect(existsSync(file)).toBe(false);
  });

  it("a caller that goes away ends a hook too", async () => {
    const signal = AbortSignal.timeout(100);
    const { failure } = await runBeforeToolHooks(CALL, settings([rule("sleep 30")], [], signal));
    expect(failure?.exitCode).toBe(-1);
  });

  it("a missing folder makes a hook fail, not throw", async () => {
    const gone = { ...settings([rule("true")]), cwd: join(cwd, "gone") };
    expect((await runBeforeToolHooks(CALL, gone)).failure).toMatchObject({ exitCode: 2 });
  });
});

describe("[HOOK-2] [HOOK-7] how hooks run", () => {
  it("before a call, they get the tool and its arguments and nothing else", async () => {
    const { warnings } = await runBefore(rule("cat; exit 1"));
    expect(JSON.parse(warnings[0]?.output ?? "")).toEqual(CALL);
  });

  it("after a call, they also get its result", async () => {
    const context = { ...CALL, result: { hits: [] }, error: null };
    const { warnings } = await runAfterToolHooks(context, settings([], [rule("cat; exit 1")]));
    expect(JSON.parse(warnings[0]?.output ?? "")).toEqual(context);
  });

  it("the context can be inserted into the command", async () => {
    const { warnings } = await runBefore(rule("printf %s $TOOLSRESULT$; exit 1"));
    expect(JSON.parse(warnings[0]?.output ?? "")).toEqual(CALL);
  });

  it("[G D.9] the context is in a variable too, which a shell inside the command does not execute", async () => {
    const { warnings } = await runBefore(rule(`bash -c 'printf %s "$GROUNDWORK_TOOL_CONTEXT"'; exit 1`));
    expect(JSON.parse(warnings[0]?.output ?? "")).toEqual(CALL);
    const { failure } = await runBefore(rule("bash -c 'echo $TOOLSRESULT$'"));
    expect(failure).toMatchObject({ exitCode: 2, error: expect.stringContaining("might be executed") });
  });

  it("the context is not inserted where it might be executed", async () => {
    const { failure } = await runBefore(rule("echo `printf %s $TOOLSRESULT$`"));
    expect(failure).toMatchObject({ exitCode: 2, output: "" });
    expect(failure?.error).toContain("standard input");
  });

  it("they run in order, in the caller's folder; a failure ends its own rule only", async () => {
    const say = (text: string, code = 0) => ({ command: `echo ${text} >> order; exit ${code}`, timeoutMs: 5_000 });
    const { failure } = await runBefore(
      { matcher: null, actions: [say("1"), say("2", 2), say("never")] },
      { matcher: null, actions: [say("3", 1), say("4")] },
    );
    expect(readFileSync(join(cwd, "order"), "utf8")).toBe("1\n2\n3\n4\n");
    expect(failure?.command).toContain("echo 2");
  });

  it("the beginning and the end of 10 MB of output are kept", async () => {
    const { warnings } = await runBefore(
      rule("echo first; head -c 10000000 /dev/zero | tr '\\0' x; echo last; exit 1"),
    );
    const output = warnings[0]?.output ?? "";
    expect(output.length).toBeLessThanOrEqual(10_000);
    expect([output.slice(0, 5), output.slice(-5)]).toEqual(["first", "last\n"]);
  });

  it("they need not read their input", async () => {
    const big = { toolName: "t", args: { text: "x".repeat(2_000_000) } };
    expect((await runBeforeToolHooks(big, settings([rule("exec 0<&-; exit 0")]))).failure).toBeNull();
  });

  it("the text of a warning after a call is that of the original", () => {
    const run = { command: "c", exitCode: 1, output: "out", error: "err" };
    expect(toWarningText(run)).toBe("\n\n[afterToolCall Hook Warning]\nCommand: c\nOutput:\nout\nerr");
  });
});

describe("[HOOK-2] matchers", () => {
  it.each([
    ["toolName", "ci_search", true],
    ["toolName", "CI_*", true],
    ["toolName", "*", true],
    ["toolName", "ci", false],
    ["toolName", "*_search", true],
    ["toolName", "c*_*h", true],
    ["toolName", "*sea*sea*", false],
    ["toolName", "ci_search*search", false],
    ["args", '*"limit":3*', true],
    ["args", "*limit:3*", false],
    ["nothing", "*", false],
  ])("%s:%s → %s", async (field, pattern, runs) => {
    const { warnings } = await runBefore(rule("exit 1", { matcher: [{ field, pattern }] }));
    expect(warnings.length === 1).toBe(runs);
  });
});
