import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../tests/support/cpu-floors.ts";
import { CARRIERS } from "../base/question-frame.ts";
import { findClues } from "./clues.ts";
import { mayBecomeCode, readFollowUp } from "./follow-up.ts";
import { judgePrompt } from "./judge.ts";

const read = (text: string) => readFollowUp(text, findClues(text));

describe("[B-33] prompts that refer back", () => {
  it.each([
    "who calls it?",
    "and its tests?",
    "what does that function return",
    "why is this recursive?",
    "where are they used?",
    "what about the other one?",
    "how does it expire old entries?",
    "ok, thanks. and where is it defined?",
    "does it handle unicode?",
    "could that throw?",
    "how would I mock it?",
    "what's inside that class?",
    "whats its return type",
    "what would break if I removed it?",
    "where is the other one?",
    "which files would be affected?",
    "show me more",
    "why?",
    "Who Calls THAT?",
    "ｗｈｏ ｃａｌｌｓ ｉｔ？",
    "它在哪里被调用",
    "那它的测试呢？",
    "这个函数返回什么",
    "上面那个类是怎么实现的",
    "刚刚那个在哪里用到",
    "該函式的參數是什麼？",
    "那誰呼叫了它",
    "为什么？",
    "能详细说说吗",
    "会影响到哪些地方",
    "它 thread 安全怎么保证",
    "删掉它会怎样？",
    "那报错的时候呢",
    "这里的锁是必要的吗",
    "有哪些调用方",
  ])("asks about what was said before: %s", (text) => {
    expect(read(text)).toMatchObject({ namesOwn: false, asks: true });
  });

  it.each(["fix it", "explain that again", "rename that method", "给它加个单测", "how about error handling?"])(
    "asks for work on it: %s",
    (text) => expect(read(text)).toMatchObject({ namesOwn: false }),
  );

  it.each(["where are they defined?", "who uses those?", "它们在哪里", "這些在哪裡用到"])(
    "refers to several things: %s",
    (text) => {
      expect(read(text)?.plural).toBe(true);
    },
  );

  it.each(["does it call parseConfig?", "rename it to computeDelay", "它和 parseConfig 有什么关系"])(
    "also contains a name of its own: %s",
    (text) => expect(read(text)).toMatchObject({ namesOwn: true, asks: false }),
  );

  it.each([
    "",
    "fix rateFor: it returns the wrong rate",
    "fix the login bug, it fails on Safari",
    "why is parseConfig slow? it reads the file twice",
    "is there a function that validates emails?",
    "make sure that the tests pass",
    "how does this project handle auth?",
    "is it possible to add dark mode?",
    "it would be nice to have dark mode",
    "same thing for nextDelay please",
    "run the tests",
    "what?",
    "why not?",
    "why did you do that?",
    "that's not what I asked for, read my last message again",
    "这个 btn 点了没反应 啥情况",
    "它还在跑吗",
    "ok do it",
    "does that make sense?",
    "这个登录页面为什么这么慢",
    "这个项目用了什么框架",
    "把登录页面的 bug 修一下，它总是闪退",
    "那 withRetry 呢？",
    "这样可以吗",
    "你刚才为什么这么做",
    "TypeError: it is not a function\n    at run (/srv/a.js:3:4)",
    "```\nreturn it;\n```",
    `who calls it? ${"and then ".repeat(60)}`,
  ])("has its own subject, or is small talk: %s", (text) => expect(read(text)).toBeNull());

  it.each([
    "what about lunch?",
    "thanks, that was it",
    "把它提交了吧",
    "那里天气怎么样？",
    "can you do it?",
    "I'll do it myself",
  ])("is never made a question about code: %s", (text) =>
    expect(mayBecomeCode(text, judgePrompt(text, {}))).toBe(false),
  );

  it("means what it names first, whatever follows", () => {
    const words = fc.array(fc.constantFrom(...CARRIERS, "它", "这个函数", "谁", "调用", "呢"), { maxLength: 8 });
    void fc.assert(fc.property(words, (picked) => read(`parseConfig ${picked.join(" ")}?`) === null));
  });

  it("any text is analysed quickly", () => {
    const anyText = fc.string({ unit: "grapheme", maxLength: 400 });
    void fc.assert(fc.property(anyText, (text) => typeof (read(text)?.asks ?? false) === "boolean"));
    for (const hostile of [
      "it ".repeat(20_000),
      "它".repeat(300),
      "that ".repeat(59),
      "好".repeat(300),
      "?".repeat(300),
    ]) {
      const spent = countFloors();
      read(hostile);
      expect(spent()).toBeLessThan(10);
    }
  });
});
