import { describe, expect, it } from "vitest";
import { findClues } from "./clues.ts";
import { judgePrompt } from "./judge.ts";
import { sortPaths } from "./prompt-paths.ts";

const intentOf = (prompt: string) => judgePrompt(prompt, {}).analysis.intent;

describe("[ATO-LANG-1] [ATO-SCOPE-4] code prompts in both languages", () => {
  it.each([
    ["fix authentication bug", "debug"],
    ["explain auth", "docs"],
    ["resolve conflict", "debug"],
    ["refactor the payment module", "refactor"],
    ["where is the retry delay computed?", "explore"],
    ["write unit tests for rateFor()", "test"],
    ["TypeError: Cannot read properties of undefined (reading 'rate')", "debug"],
    ["src/auth/session.ts:42 why is this null?", "explore"],
    ["修复登录模块的错误", "debug"],
    ["重构支付模块", "refactor"],
    ["重试的退避时间是在哪里算的？", "explore"],
    ["給 RedisLock 寫個單元測試", "test"],
    ["getUserById 在哪里被调用", "explore"],
    ["checkout fails with TypeError in rateFor()", "debug"],
  ])("%s → %s", (prompt, intent) => {
    expect(intentOf(prompt)).toBe(intent);
  });

  it.each([
    "hello",
    "你好",
    "thanks, that was great",
    "continue",
    "好的，提交吧",
    "天气怎么样",
    "weather in Paris?",
    "翻译一下这句话",
    "translate this to French",
    "commit and push",
    "...",
    "[Request interrupted by user]",
    "<local-command-stdout>ok</local-command-stdout>",
    "a bedtime story about a hedgehog",
    "debug my marriage",
    "重构我的人生",
  ])("[ATO-CTL-2] %s is not about code", (prompt) => {
    expect(intentOf(prompt)).toBeNull();
  });

  it("says why, and how sure it is", () => {
    expect(judgePrompt("hello", {}).analysis).toMatchObject({ confidence: 0, why: expect.stringContaining("talk") });
    const { analysis } = judgePrompt("fix rateFor in src/tax.ts", {});
    expect(analysis.confidence).toBeGreaterThan(0.9);
    expect(analysis.why).toContain("fix");
  });

  it.each([
    ["what is the impact of this?", true],
    ["调用链是什么", true],
    ["fix this bug", true],
    ["explain the parser", false],
  ])("%s wants tier 2: %s", (prompt, wants) => {
    expect(judgePrompt(prompt, {}).analysis.wantsTier2).toBe(wants);
  });
});

describe("[ATO-CHAIN-7] signals and what a prompt points at", () => {
  it("of all four types, with their weights", () => {
    const { signals } = judgePrompt("fix `parseArgs`", { file: "src/a.ts", functionName: "main", withHistory: true });
    expect(signals).toEqual([
      { type: "explicit", match: "fix", weight: 0.8 },
      { type: "implicit", match: "file: src/a.ts", weight: 0.6 },
      { type: "historical", match: "history", weight: 0.6 },
      { type: "code", match: "function: main", weight: 0.7 },
      { type: "code", match: "symbol: parseArgs", weight: 0.7 },
    ]);
  });

  it.each([
    ["look at @src/auth.ts and @file:lib/x.py", { paths: ["src/auth.ts", "lib/x.py"] }],
    ["src/a/b.ts:12 and config.yaml", { paths: ["src/a/b.ts", "config.yaml"] }],
    ["read ../../etc/passwd and .env", { paths: ["../../etc/passwd", ".env"] }],
    ["see https://example.com/a/b.html", { paths: [] }],
    ["what does `getUser` and FooBar.baz and snake_case do", { symbols: ["getUser", "FooBar.baz", "snake_case"] }],
    ["ERR_TENANT_MISMATCH", { symbols: ["ERR_TENANT_MISMATCH"] }],
    ["GitHub and JavaScript", { symbols: [] }],
    ['it says "NullPointerException in Foo" sometimes', { error: "NullPointerException in Foo" }],
    ['Traceback (most recent call last):\n  File "a.py", line 3', { hasTrace: true }],
    ["```\nlet x = 1\n```", { hasCode: true }],
  ])("%j", (prompt, expected) => {
    expect(findClues(prompt)).toMatchObject(expected);
  });

  it("is linear on hostile prompts", () => {
    for (const part of ["a/", "a.", "`", "@", "/", "a_", "aA", '"', "(", " at "]) {
      const start = performance.now();
      judgePrompt(part.repeat(100_000 / part.length), {});
      expect(performance.now() - start, part).toBeLessThan(1_000);
    }
  });
});

describe("[ATO-PATH-4] paths in a prompt", () => {
  it("are sorted by name, without a look at the disk", () => {
    const { inside, limits } = sortPaths("/repo", [
      "src/a.ts",
      "../x.ts",
      "/etc/passwd",
      "~/.ssh/id_rsa",
      ".env",
      "/api/users",
      "/repo/b.ts",
      "node_modules/x.js",
    ]);
    expect(inside).toEqual(["src/a.ts", "b.ts"]);
    expect(limits).toEqual([
      "E_REPO_ROOT: ../x.ts lies outside the repository; not read",
      "E_REPO_ROOT: /etc/passwd lies outside the repository; not read",
      "~/.ssh/id_rsa may hold secrets; its content is not read",
      ".env may hold secrets; its content is not read",
    ]);
  });
});
