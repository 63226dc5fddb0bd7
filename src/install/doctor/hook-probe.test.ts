import { describe, expect, it } from "vitest";
import { CLIENTS, type ClientId } from "../../contract/clients.ts";
import { readHookOutput } from "../hook-question.ts";
import { judgeHookRun } from "./hook-probe.ts";
import { makeWorld } from "./world.test-helper.ts";
import type { Ran } from "./world.ts";

const nested = (event: string, more = {}) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: "x" }, ...more });
const RAN: Ran = { exitCode: 0, stdout: "", stderr: "", cut: false, startError: "", ms: 200, isLate: false };

describe("[P-6] output of a hook", () => {
  it.each<[ClientId, string, string]>([
    ["claude", nested("UserPromptSubmit", { systemMessage: "hello" }), ""],
    ["claude", nested("BeforeAgent"), "hookEventName is not UserPromptSubmit"],
    ["codex", nested("UserPromptSubmit", { extra: 1 }), "it printed a key that Codex does not know: extra"],
    ["codex", `log line\n${nested("UserPromptSubmit")}`, "its output is not JSON"],
    ["codex", "", "it printed nothing"],
    ["codex", "[]", "its output is not an object"],
    ["codex", JSON.stringify({ systemMessage: "x" }), "hookSpecificOutput is missing"],
    ["gemini", nested("BeforeAgent"), ""],
    ["copilot", '{"additionalContext":"x"}', ""],
    [
      "copilot",
      nested("userPromptSubmitted"),
      "it printed a key that GitHub Copilot CLI does not know: hookSpecificOutput",
    ],
    ["kimi", '{"message":"x"}', ""],
    ["kimi", "", ""],
    ["kimi", "{}", "the context is not a text"],
    ["opencode", '{"additionalContext":3}', "the context is not a text"],
    ["opencode", JSON.stringify({ additionalContext: "x".repeat(9_501) }), "the context is longer than 9500"],
  ])("%s: %s", (client, stdout, why) => {
    expect(readHookOutput(CLIENTS[client], stdout)).toEqual({ why, context: why === "" && stdout !== "" ? "x" : "" });
  });

  it.each<[string, Partial<Ran>, string, string]>([
    ["late", { isLate: true, exitCode: null, ms: 8_000 }, "fail", "no answer within 8.0 s"],
    ["exit 2", { exitCode: 2 }, "fail", "it ended with 2"],
    ["killed", { exitCode: null }, "fail", "it ended with a signal"],
    ["no program", { exitCode: null, startError: "ENOENT" }, "fail", "it cannot be started: ENOENT"],
    ["nothing to say", { stdout: "{}" }, "warn", "0.2 s, no evidence"],
    ["too slow", { stdout: '{"additionalContext":"x"}', ms: 31_000 }, "warn", "31.0 s, 1 characters"],
    ["well", { stdout: '{"additionalContext":"x"}' }, "ok", "0.2 s, 1 characters"],
  ])("is judged: %s", (_what, ran, status, measured) => {
    const { world } = makeWorld();
    expect(judgeHookRun(CLIENTS.copilot, { ...RAN, ...ran }, world)).toMatchObject({ status, measured });
  });
});
