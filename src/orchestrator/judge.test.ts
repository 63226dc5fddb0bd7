import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../tests/support/cpu-floors.ts";
import { toLimitTexts } from "../contract/limits.ts";
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
    "weather in SF?",
    "<local-command-stdout>ok</local-command-stdout>",
    "a bedtime story about a hedgehog",
    "debug my marriage",
    "重构我的人生",
  ])("[ATO-CTL-2] %s is not about code", (prompt) => {
    expect(intentOf(prompt)).toBeNull();
  });

  it.each([
    "explain auth",
    "resolve conflict",
    "fix bug",
    "analyze impact of change",
    "refactor the parser",
    "improve performance",
    "update readme",
    "调用链",
    "给这个函数加注释",
  ])("[C1] [AC-009] the words of the founding documents are the minimum: %s", (prompt) => {
    expect(intentOf(prompt)).not.toBeNull();
  });

  it.each([
    "<environment_context>\n  <cwd>/srv/app</cwd>\n  <shell>bash</shell>\n</environment_context>",
    "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
    "<task-notification>\n<task-id>7</task-id>\n<status>completed</status>\n</task-notification>",
    "<agent_update kind='done'>src/parser.ts was changed</agent_update>",
    "<bash-input>ls src</bash-input>\n<bash-stdout>parser.ts</bash-stdout>",
    "Stop hook feedback:\n- [./check.sh]: No stderr output",
    "PostToolUse hook error: lint failed in src/a.ts",
    "Stop 钩子反馈：检查通过，没有输出",
    "[Request interrupted by user for tool use]",
    "[请求已被用户中断]",
    "Background task completed: npm run build (exit code 0)",
  ])("[ATO-CTL-2] a text that a client sends in place of a prompt is recognised by its frame: %s", (prompt) => {
    expect(judgePrompt(prompt, {}).analysis).toMatchObject({ intent: null, confidence: 0, isOpen: false });
  });

  it.each([
    "<div class='x'><my-button disabled></my-button></div>\nwhy is the button not centred?",
    "<ide_opened_file>The user opened src/tax.ts</ide_opened_file> why does rateFor return undefined?",
    "[BUG] cart total is wrong after removing an item in src/cart.ts",
  ])("[ATO-CTL-2] text that a person writes around or after such a frame counts: %s", (prompt) => {
    expect(intentOf(prompt)).not.toBeNull();
  });

  it.each(["修改Walk会有什么影响？", "修改stripplot会有什么影响？"])(
    "[ATO-LANG-1] a question about what depends on a name is left to the repository: %s",
    (prompt) => {
      const { analysis } = judgePrompt(prompt, {});
      expect(analysis.intent !== null || analysis.isOpen).toBe(true);
    },
  );

  it("gives a reason and a confidence", () => {
    const talk = judgePrompt("hello", {}).analysis;
    expect(talk.confidence).toBeLessThan(0.2);
    expect(talk.why).toContain('"hello"');
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

describe("[ATO-CHAIN-7] signals and references of a prompt", () => {
  it("are of four types, with their weights", () => {
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

  it("are found in linear time in hostile prompts", () => {
    for (const part of ["a/", "a.", "`", "@", "/", "a_", "aA", '"', "(", " at "]) {
      const spent = countFloors();
      judgePrompt(part.repeat(100_000 / part.length), {});
      expect(spent(), part).toBeLessThan(100);
    }
  });
});

describe("[ATO-LANG-1] random mixtures", () => {
  const talk = fc.constantFrom(
    ...["ok", "thanks", "yes please", "go ahead", "continue", "looks good", "never mind", "good morning", "sure"],
    ...["好的", "谢谢", "继续", "可以", "没问题", "辛苦了", "就这样", "嗯", "早上好", "沒問題"],
  );
  const names = fc.constantFrom(
    ...["parseHeader()", "RetryPolicy.next", "user_id_of", "`loadTable`", "src/tax/lookup.ts", "@lib/queue.py:12"],
  );
  const english = fc.tuple(
    fc.constantFrom("", "ok, ", "thanks, ", "great, ", "hi, ", "sure, "),
    fc.constantFrom("where is", "who calls", "why does nobody use", "what breaks if I change", "add a test for"),
  );
  const chinese = fc.tuple(
    fc.constantFrom("", "好的，", "谢谢，", "继续，", "嗯，", "你好，"),
    fc.constantFrom("哪里用到了", "为什么会报错：", "谁调用了", "重构一下", "給我解釋"),
  );
  const questions = fc.oneof(english, chinese).map(([before, question]) => `${before}${question}`);

  it("small talk alone is never about code", () => {
    fc.assert(
      fc.property(fc.array(talk, { minLength: 1, maxLength: 4 }), (parts) => {
        expect(intentOf(parts.join(", "))).toBeNull();
      }),
    );
  });

  it("a question that names code is always about code, with or without small talk before it", () => {
    fc.assert(
      fc.property(questions, names, (question, name) => {
        expect(intentOf(`${question} ${name}`)).not.toBeNull();
      }),
    );
  });

  it("full-width letters change nothing", () => {
    const widen = (text: string) =>
      text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).replaceAll(" ", "\u3000");
    fc.assert(
      fc.property(questions, names, (question, name) => {
        expect(judgePrompt(widen(`${question} ${name}`), {})).toEqual(judgePrompt(`${question} ${name}`, {}));
      }),
    );
  });

  it("any text is judged quickly, with a confidence between 0 and 1", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        const { confidence } = judgePrompt(text, {}).analysis;
        expect(confidence >= 0 && confidence <= 1).toBe(true);
      }),
    );
  });
});

describe("[ATO-LANG-1] traces and errors of the common languages", () => {
  it.each([
    ["Python", 'Traceback (most recent call last):\n  File "app.py", line 3, in <module>'],
    ["JavaScript", "TypeError: x is not a function\n    at load (/app/src/a.js:10:3)"],
    ["Java", 'Exception in thread "main" java.lang.NullPointerException\n\tat com.acme.Cart.total(Cart.java:31)'],
    ["Kotlin", "Caused by: kotlin.UninitializedPropertyAccessException: lateinit property db"],
    ["Go", "panic: runtime error: index out of range [5]\n\ngoroutine 1 [running]:"],
    ["Go, compiler", "./main.go:12:3: undefined: parseFlags"],
    ["Rust", "thread 'main' panicked at src/main.rs:4:5:\ncalled `Option::unwrap()` on a `None` value"],
    ["Rust, compiler", "error[E0502]: cannot borrow `v` as mutable\n  --> src/lib.rs:8:9"],
    ["C, compiler", "src/list.c:44:12: error: use of undeclared identifier 'head'"],
    ["C++, linker", "main.o: undefined reference to `Cart::total()'"],
    ["sanitizer", "==4711==ERROR: AddressSanitizer: heap-use-after-free\n    #0 0x4f3a2b in free_node list.c:12"],
    ["C#", "Unhandled exception. System.InvalidOperationException: Sequence contains no elements"],
    ["Ruby", "app/models/cart.rb:12:in `total': undefined method `+' for nil:NilClass (NoMethodError)"],
    ["PHP", "PHP Fatal error:  Uncaught Error: Call to a member function get() on null"],
    ["Swift", "Fatal error: Unexpectedly found nil while unwrapping an Optional value"],
    ["shell", "deploy.sh: line 12: kubectl: command not found"],
    ["test run", "--- FAIL: TestTotals (0.00s)"],
  ])("%s", (_, text) => {
    expect(findClues(text)).toMatchObject({ hasTrace: true });
    expect(intentOf(text)).toBe("debug");
    expect(intentOf(`看看这个\n${text}`)).toBe("debug");
  });
});

describe("[ATO-PATH-4] paths in a prompt", () => {
  it("are classified by name, without accessing the disk", () => {
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
    expect(toLimitTexts(limits)).toEqual([
      "~/.ssh/id_rsa may hold secrets; its content is not read",
      ".env may hold secrets; its content is not read",
      "E_REPO_ROOT: ../x.ts is outside the repository; not read",
      "E_REPO_ROOT: /etc/passwd is outside the repository; not read",
    ]);
  });
});
