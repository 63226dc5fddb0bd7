import { describe, expect, it } from "vitest";
import type { ClientName } from "../../contract/clients.ts";
import { LIMITS, type Limit } from "../../contract/limits.ts";
import type { RunDocument } from "../../contract/run-document.ts";
import { type KernelAnswer, makeEmptyDocument } from "../../orchestrator/document.ts";
import { parseHookArguments } from "./arguments.ts";
import { toEmptyOutput } from "./envelope.ts";
import { isWholeObject, parsePayload } from "./payload.ts";
import { printAnswer } from "./print.ts";

const client = { name: "claude-code", event: "UserPromptSubmit" } as const;
const asker = { client };
const parse = (text: string) => parsePayload(text, client, {});

describe("[ATO-CHAIN-3] input", () => {
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

  it("lone surrogates are replaced", () => {
    expect(parse('{"prompt":"a\\ud800b"}').text).toBe("a\ufffdb");
  });

  it("[P-5] joins the parts of a prompt; reads session, turn and folder under each client's names", () => {
    const payload = {
      ...{ session_id: "s", sessionId: "S", prompt_id: "p", turn_id: "t", cwd: "/y" },
      prompt: [{ type: "text", text: "fix" }, { type: "image" }, { type: "text", text: "it" }],
    };
    const read = (name: ClientName) => {
      const { text, turnId, folder } = parsePayload(JSON.stringify(payload), { ...client, name }, {});
      return { text, turnId, folder };
    };
    expect(read("claude-code")).toEqual({ text: "fix\nit", turnId: "p" });
    expect(read("codex-cli")).toEqual({ text: "fix\nit", turnId: "t", folder: "/y" });
    expect(read("qwen-code")).toEqual({ text: "fix\nit", turnId: "p", folder: "/y" });
    expect(read("kimi-code")).toEqual({ text: "fix\nit", folder: "/y" });
    expect(parsePayload('{"prompt":"x","sessionId":"S","cwd":"../y"}', { ...client, name: "copilot-cli" }, {})).toEqual(
      {
        ...{ text: "x", hints: {}, asksForTool: false, limits: [] },
        client: { ...client, name: "copilot-cli", session_id: "S" },
      },
    );
  });

  it("[P-5] the task of a sub-agent is a prompt with a turn of its own", () => {
    const tool_input = { prompt: "who calls f?", subagent_type: "x" };
    const payload = { hook_event_name: "PreToolUse", prompt_id: "p", tool_use_id: "u", tool_input };
    expect(parse(JSON.stringify(payload))).toMatchObject({ text: "who calls f?", task: tool_input, turnId: "u" });
    expect(parse(JSON.stringify({ ...payload, tool_input: {} }))).toMatchObject({ text: "" });
  });

  it("recognises a complete payload", () => {
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

describe("[ATO-CHAIN-4] output", () => {
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
  const injected = (document: RunDocument, name: ClientName = "claude-code") =>
    JSON.parse(printAnswer(answer(document), "hook", { client: { ...client, name } })).hookSpecificOutput
      .additionalContext;

  it("[decision 2] the envelope has exactly the documented keys", () => {
    expect(JSON.parse(printAnswer(answer(full("block")), "hook", asker))).toEqual({
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: "[Auto Tools] planned 1 tool (x): y\nblock",
      },
      systemMessage: "groundwork: 1 tool, 1.2 s, nothing found · off: CI_AUTO_TOOLS=off",
    });
    expect(printAnswer(answer(empty), "hook", asker)).toBe(toEmptyOutput(asker));
  });

  it.each([
    ["claude-code", { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "p\nb" } }],
    ["codex-cli", { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "p\nb" } }],
    ["gemini-cli", { hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "p\nb" } }],
    ["copilot-cli", { additionalContext: "p\nb" }],
    ["qwen-code", { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "p\nb" } }],
    ["kimi-code", { message: "p\nb" }],
    ["opencode", { additionalContext: "p\nb" }],
  ] as const)("[P-5] %s gets the keys that it reads, and no others", (name, wanted) => {
    const { systemMessage, ...rest } = JSON.parse(
      printAnswer(answer(full("b", "p")), "hook", { client: { ...client, name } }),
    );
    expect(rest).toEqual(wanted);
    expect(systemMessage === undefined).toBe(!("hookSpecificOutput" in wanted));
  });

  it("[P-5] without evidence, nothing reaches a model that reads any text", () => {
    const printed = (name: ClientName) => printAnswer(answer(empty), "hook", { client: { ...client, name } });
    expect([printed("kimi-code"), printed("copilot-cli"), printed("opencode")]).toEqual(["", "{}\n", "{}\n"]);
  });

  it("[P-5] for a client that escapes angle brackets, our marks have none and the rest is explained", () => {
    const block = "【Auto Tools Results】 x <gw-0123456789ab>\n 1. Bearer <redacted>\n</gw-0123456789ab> End.";
    expect(injected(full(block), "gemini-cli")).not.toMatch(/[<>]/);
    expect(
      injected(full(block.replace("x", "List<T>")), "qwen-code")
        .split("\n")
        .slice(-2),
    ).toEqual(["[Limits] angle brackets arrive as &lt; and &gt;", "[/gw-0123456789ab] End."]);
    expect(injected(full(block), "claude-code")).toContain("<gw-0123456789ab>");
  });

  it("[P-5] evidence that precedes the prompt does not refer to it as above", () => {
    const block = (where: string) =>
      `【Auto Tools Results】 Background for the request ${where}: x <gw-0123456789ab>\n 1. see above\n</gw-0123456789ab> End of background; the request is ${where}.`;
    const asked = { client: { ...client, name: "kimi-code" } } as const;
    expect(JSON.parse(printAnswer(answer(full(block("above"), "p")), "hook", asked)).message).toBe(
      `p\n${block("below")}`,
    );
    expect(injected(full(block("above"), "p"))).toBe(`p\n${block("above")}`);
  });

  it("[P-5] a sub-agent's task is returned whole, with the evidence after its prompt", () => {
    const task = { description: "d", prompt: "who calls f?", subagent_type: "x" };
    expect(JSON.parse(printAnswer(answer(full("b", "p")), "hook", { client, task }))).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { ...task, prompt: "who calls f?\n\np\nb" } },
    });
    expect(printAnswer(answer(empty), "hook", { client, task })).toBe("{}\n");
  });

  it("nothing found: not even the plan is injected", () => {
    expect(injected(full(""))).toBe("");
  });

  it.each([
    [LIMITS.scanPartial(12), "there was time to read 12 files"],
    [LIMITS.indexUnchecked(), "there was no time to check for changed files"],
    [LIMITS.indexStale(1), "1 file changed and not read yet"],
  ])("[G A.2] nothing found for want of time does not sound as if there were nothing: %j", (limit, said) => {
    const { systemMessage } = JSON.parse(printAnswer(answer(full(""), [limit]), "hook", asker));
    expect(systemMessage).toContain(`nothing found (${said})`);
  });

  it("another orchestrator's text is cut at line ends to the client's limit", () => {
    const long = Array.from({ length: 500 }, (_, at) => `${at} ${"é".repeat(50)}`).join("\n");
    expect(injected(full(long)).length).toBeLessThanOrEqual(9_500);
    expect(Buffer.byteLength(injected(full(long), "codex-cli"))).toBeLessThanOrEqual(9_500);
    expect(injected(full(long))).toMatch(/é{50}$/);
  });

  it("[ATO-JSON-4] json prints the document, text the three texts", () => {
    expect(JSON.parse(printAnswer(answer(empty), "json", asker))).toEqual(empty);
    expect(printAnswer(answer(full("b", "[Auto Tools] p")), "text", asker)).toBe(
      "[Auto Tools] p\n\n[Results] 1\n\n[Limits] l\n",
    );
  });
});
