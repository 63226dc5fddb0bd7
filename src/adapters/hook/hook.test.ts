import { describe, expect, it } from "vitest";
import { LIMITS, type Limit } from "../../contract/limits.ts";
import type { RunDocument } from "../../contract/run-document.ts";
import type { KernelAnswer } from "../../orchestrator/answer.ts";
import { makeEmptyDocument } from "../../orchestrator/document.ts";
import { parseHookArguments } from "./arguments.ts";
import { EMPTY_ENVELOPE } from "./envelope.ts";
import { isWholeObject, parsePayload } from "./payload.ts";
import { printAnswer } from "./print.ts";

const client = { name: "claude-code", event: "UserPromptSubmit" } as const;
const parse = (text: string) => parsePayload(text, client, {});

describe("[ATO-CHAIN-3] what comes in", () => {
  it("a client's payload", () => {
    const payload = {
      session_id: "s-1",
      transcript_path: "/x",
      cwd: "/y",
      hook_event_name: "UserPromptSubmit",
      prompt: "fix it",
    };
    expect(parse(JSON.stringify(payload))).toEqual({
      text: "fix it",
      client: { ...client, session_id: "s-1" },
      hints: {},
      asksForTool: false,
      limits: [],
    });
  });

  it.each([
    "[1]",
    "5",
    "null",
    '"text"',
    "{",
    "{}",
    '{"prompt":5}',
    '{"prompt":null}',
    "not json",
    `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
  ])("[ATO-FAIL-3] %.30s counts as an empty prompt, with a limit", (text) => {
    expect(parse(text)).toMatchObject({ text: "", limits: [LIMITS.inputInvalid()] });
  });

  it("[ATO-CHAIN-6] a request for a tool is marked", () => {
    expect(parse('{"prompt":"x","tool":"ci_search"}').asksForTool).toBe(true);
    expect(parse('{"tool_calls":[]}')).toMatchObject({ asksForTool: true, text: "-" });
  });

  it("lone surrogates do not get further", () => {
    expect(parse('{"prompt":"a\\ud800b"}').text).toBe("a\ufffdb");
  });

  it("knows when a payload is whole", () => {
    expect([isWholeObject('{"a":1}\n'), isWholeObject('{"a":"}'), isWholeObject("{}")]).toEqual([true, false, true]);
  });
});

describe("options", () => {
  it("are read in both spellings; unknown ones are ignored", () => {
    expect(
      parseHookArguments([
        "--prompt",
        "--dashes ok",
        "--format=json",
        "--file",
        "a.ts",
        "--line",
        "7",
        "--function",
        "f",
        "--with-history",
        "--what",
        "ever",
      ]),
    ).toEqual({
      help: false,
      format: "json",
      prompt: "--dashes ok",
      analyzeIntent: false,
      hints: { file: "a.ts", line: 7, functionName: "f", withHistory: true },
    });
    expect(parseHookArguments(["--format", "xml", "--line", "x", "--prompt"])).toMatchObject({
      format: "hook",
      prompt: null,
      hints: {},
    });
  });
});

describe("[ATO-CHAIN-4] what goes out", () => {
  const empty = makeEmptyDocument({ client, prompt: "", reason: "empty prompt", limits: [LIMITS.emptyPrompt()] });
  const full = (context: string, planText = "[Auto Tools] planned 1 tool (x): y\n  y: z"): RunDocument => ({
    ...empty,
    tool_results: [
      {
        tool: "y",
        status: "ok",
        started_at: "",
        duration_ms: 1_200,
        summary: "",
        error: { message: "" },
        redactions: [],
        truncated: false,
      },
    ],
    fused_context: {
      for_model: { ...empty.fused_context.for_model, additional_context: context, structured: { findings: [] } },
      for_user: { tool_plan_text: planText, results_text: "[Results] 1", limits_text: "[Limits] l" },
    },
    degraded: { is_degraded: false, reason: "", degraded_to: "" },
  });
  const answer = (document: RunDocument, limits: readonly Limit[] = []): KernelAnswer => ({
    ...{ document, exitCode: 0, limits, unsaid: [], notices: [] },
  });
  const injected = (document: RunDocument, name: "claude-code" | "codex-cli" = "claude-code") =>
    JSON.parse(printAnswer(answer(document), "hook", name)).hookSpecificOutput.additionalContext;

  it("[decision 2] the envelope has exactly the documented keys", () => {
    expect(JSON.parse(printAnswer(answer(full("block")), "hook", "claude-code"))).toEqual({
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: "[Auto Tools] planned 1 tool (x): y\nblock",
      },
      systemMessage: "groundwork: 1 tool, 1.2 s, nothing found · off: CI_AUTO_TOOLS=off",
    });
    expect(printAnswer(answer(empty), "hook", "claude-code")).toBe(EMPTY_ENVELOPE);
  });

  it("nothing found: not even the plan is injected", () => {
    expect(injected(full(""))).toBe("");
  });

  it("nothing found for want of time does not sound as if there were nothing", () => {
    const { systemMessage } = JSON.parse(
      printAnswer(answer(full(""), [LIMITS.scanPartial(12)]), "hook", "claude-code"),
    );
    expect(systemMessage).toContain("nothing found (there was time to read 12 files)");
  });

  it("another orchestrator's text is cut by whole lines to the client's limit", () => {
    const long = Array.from({ length: 500 }, (_, at) => `${at} ${"é".repeat(50)}`).join("\n");
    expect(injected(full(long)).length).toBeLessThanOrEqual(9_500);
    expect(Buffer.byteLength(injected(full(long), "codex-cli"))).toBeLessThanOrEqual(9_500);
    expect(injected(full(long))).toMatch(/é{50}$/);
  });

  it("[ATO-JSON-4] json is the document, text the three texts", () => {
    expect(JSON.parse(printAnswer(answer(empty), "json", "claude-code"))).toEqual(empty);
    expect(printAnswer(answer(full("b", "[Auto Tools] p")), "text", "claude-code")).toBe(
      "[Auto Tools] p\n\n[Results] 1\n\n[Limits] l\n",
    );
  });
});
