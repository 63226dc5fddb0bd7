import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { classifyExit, makeSignReader } from "./classify.ts";

function classify(exitCode: number, output: string, lastMessage = "", errors: readonly string[] = []) {
  const reader = makeSignReader();
  for (const line of output.split("\n")) reader.take(line);
  const ending = classifyExit({ exitCode, lastMessage, signs: reader.signs(), errors });
  return { ...ending, tokens: reader.signs().tokens };
}

describe("classifying how a run ended [CNI-9]", () => {
  it.each([
    ["", "normal", "", "Run completed normally"],
    ["All done.\nCONTROL: DONE\n", "done", "DONE", "Task signaled DONE"],
    ["CONTROL:CONTINUE", "continue", "CONTINUE", "Task signaled CONTINUE"],
    ["CONTROL: CONTINUE\n…\nCONTROL: DONE", "done", "DONE", "Task signaled DONE"],
    ["control: done", "normal", "", "Run completed normally"],
  ])("exit code 0 with the last message %j is %s", (message, classification, controlFlag, reason) => {
    // Failure words are ignored in a successful run.
    expect(classify(0, "rate limit, sandbox, context", message)).toEqual({
      classification,
      control_flag: controlFlag,
      reason,
      tokens: "",
    });
  });

  it.each([
    ["Error: context window exceeded", "context_overflow", "Context or token limit exceeded"],
    ["prompt is too long", "context_overflow", "Context or token limit exceeded"],
    ["this needs approval", "approval_required", "Approval required by policy"],
    ["requires your confirmation", "approval_required", "Approval required by policy"],
    ["Permission denied", "sandbox_denied", "Denied by the sandbox or by permissions"],
    ["getaddrinfo ENOTFOUND example.org", "network_error", "Network error"],
    ["Connection failed: error sending request", "network_error", "Network error"],
    ["HTTP 401", "auth_error", "Authentication or authorization failed"],
    ["429 Too Many Requests", "rate_limited", "Rate limit encountered"],
    ["Rate Limit reached", "rate_limited", "Rate limit encountered"],
    ["Command failed: make", "tool_error", "A command or tool failed"],
    ["boom", "error", "Codex ended with exit code 1"],
    ["404 from http://127.0.0.1:42917/, 10:40:12.403Z, id 401b-a429", "error", "Codex ended with exit code 1"],
    ["code:429", "rate_limited", "Rate limit encountered"],
    ["", "error", "Codex ended with exit code 1"],
    // The order of the table decides, not the order of the output.
    ["429\nsandbox", "sandbox_denied", "Denied by the sandbox or by permissions"],
  ])("exit code 1 after %j is %s", (output, classification, reason) => {
    expect(classify(1, output)).toEqual({ classification, control_flag: "", reason, tokens: "" });
  });

  it.each([
    ["Error: expired token", "auth_error"],
    ["token expired", "auth_error"],
    ["invalid token", "auth_error"],
    ["Your token has expired; run codex login", "auth_error"],
    ["invalid_token: the access token is malformed", "auth_error"],
    ["Your access token could not be refreshed because your refresh token was revoked.", "auth_error"],
    ["Token data is not available.", "auth_error"],
    ["this token has no permission here: invalid", "auth_error"],
    ["session expired, please sign in again", "auth_error"],
    ["reading the token file", "error"],
    ["gathering more context", "error"],
    ["maximum context length is 8192 tokens", "context_overflow"],
    ["token limit reached", "context_overflow"],
    ["too many tokens", "context_overflow"],
    ["the context is full", "context_overflow"],
    ["Input exceeds the maximum", "context_overflow"],
    ["output truncated", "context_overflow"],
    ["Rate limit reached for m on tokens per min (TPM): Limit 30000", "rate_limited"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limited"],
    ["You exceeded your current quota", "rate_limited"],
    ["context deadline exceeded", "network_error"],
  ])("[G D.24] an authentication token is not a token limit: %j is %s", (text, classification) => {
    expect(classify(1, text)).toMatchObject({ classification });
    expect(classify(1, "", text)).toMatchObject({ classification });
    expect(classify(1, "boom", "", [text])).toMatchObject({ classification });
  });

  it("takes time linear in the length of a line", () => {
    for (const piece of ["auth_a_", "token context ", "limit ", "invalid a ", "session "]) {
      const spent = countFloors();
      classify(1, piece.repeat(100_000));
      expect(spent(), piece).toBeLessThan(200);
    }
  });

  it("considers the last message too", () => {
    expect(classify(1, "", "I hit a rate limit. CONTROL: CONTINUE")).toMatchObject({
      classification: "rate_limited",
      control_flag: "CONTINUE",
    });
  });

  it("ignores the banner of every run", () => {
    const banner = "approval: never\nsandbox: workspace-write [workdir, /tmp]\ntokens used\n2";
    expect(classify(1, banner)).toMatchObject({ classification: "error", tokens: "2" });
    expect(classify(1, "sandbox: denied")).toMatchObject({ classification: "sandbox_denied" });
  });

  it.each([
    ["unexpected status 401 Unauthorized: your token has expired", "auth_error"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limited"],
    ["Your input exceeds the context window of this model.", "context_overflow"],
    ["stream disconnected: error sending request for url", "network_error"],
  ])("an error that Codex reports decides: %j is %s", (error, classification) => {
    expect(classify(1, "sandbox approval context", "the length of a token", [error])).toMatchObject({ classification });
  });

  it("passes on an unknown error", () => {
    expect(classify(1, "context", "", ["unexpected status 404\nNot Found"])).toMatchObject({
      classification: "error",
      reason: "Codex ended with an error: unexpected status 404 Not Found",
    });
  });
});

describe("the token count in Codex's output", () => {
  it.each([
    ["tokens used: 1,234", "1234"],
    ["tokens used\n12,345\nbye", "12345"],
    ["[2025-01-01] tokens used: 7\nTokens used 1,000,000", "1000000"],
    ["tokens used\nsoon\n42", ""],
    ["no number", ""],
  ])("%j → %j", (output, tokens) => {
    expect(classify(0, output).tokens).toBe(tokens);
  });
});
