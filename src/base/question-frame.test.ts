import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFrame } from "./question-frame.ts";

describe("the frame of a question", () => {
  it.each([
    ["who calls slugify?", "callers", ["slugify"]],
    ["find all usages of the close method", "callers", ["close"]],
    ["is parse still used anywhere", "callers", ["parse"]],
    ["where do we use `retry`", "callers", ["retry"]],
    ["who creates a Sitemap?", "callers", ["Sitemap"]],
    ["what does slugify do", "meaning", ["slugify"]],
    ["What are Workspaces for?", "meaning", ["Workspaces"]],
    ["explain option", "meaning", ["option"]],
    ["I want to understand close()", "meaning", ["close"]],
    ["where is trace defined", "definition", ["trace"]],
    ["show me the Workspace class", "definition", ["Workspace"]],
    ["what breaks if I change Workspace", "impact", ["Workspace"]],
    ["what is the impact of changing slugify?", "impact", ["slugify"]],
    ["what breaks if I change Walk?", "impact", ["Walk"]],
    ["如果我改了derive_key，会破坏什么", "impact", ["derive_key"]],
    ["哪些代码依赖 Walk", "impact", ["Walk"]],
    ["删除 walk 会不会出问题", "impact", ["walk"]],
    ["how does login reach save_user", "path", ["login", "save_user"]],
    ["what uses the flag --no-color", "callers", ["--no-color"]],
    ["where does 9876 come from", "definition", ["9876"]],
    ["slugify 在哪里定义", "definition", ["slugify"]],
    ["改 remove 会影响哪些地方", "impact", ["remove"]],
    ["谁调用了 parse", "callers", ["parse"]],
    ["handle 是做什么的", "meaning", ["handle"]],
  ])("%s → %s %j", (question, wish, asked) => {
    expect(readFrame(question)).toMatchObject({ wish, asked });
  });

  it.each([
    ["how complex is src/tax/lookup.ts?", "complexity"],
    ["src/tax/lookup.ts 有多复杂", "complexity"],
    ["list the hotspots of this repository", "hotspots"],
    ["列出热点文件", "hotspots"],
  ])("%s wants %s", (question, wish) => {
    expect(readFrame(question).wish).toBe(wish);
  });

  it.each([
    "how does session expiry work",
    "how is the session stored in the database?",
    "fix bug: session expires too early, where is the expiry age computed",
    "how a test file is preprocessed before execution",
    "background task scheduling and execution",
    "who is calling me so late",
    "and who calls it?",
    "analyze impact of change",
    "explain how options are parsed",
    "where is the config read?",
    "how are the files written",
  ])("%s asks about no single word", (question) => {
    expect(readFrame(question).asked).toEqual([]);
  });

  it("quoted text does not count as words of the question", () => {
    expect(readFrame('where does "could not resolve host" come from')).toMatchObject({
      asked: [],
      quoted: ["could not resolve host"],
    });
    expect(readFrame("报错“连接 已 关闭”是哪里抛出的").quoted).toEqual(["连接 已 关闭"]);
  });

  it("never throws, and returns at most three words", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        expect(readFrame(text).asked.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
