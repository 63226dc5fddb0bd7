import { describe, expect, it } from "vitest";
import { isWordy, kindOf } from "./query-kind.ts";

describe("the kind of a query", () => {
  it.each([
    ["parseQuery", "symbol"],
    ["Parser.parse", "symbol"],
    ["Acme::Store#fetch", "symbol"],
    ["empty?", "symbol"],
    ["src/query.ts", "path"],
    ["query.ts:12", "path"],
    ["src\\query.ts", "path"],
    ["src\\db\\store.ts:3", "path"],
    ["src/engine/", "path"],
    ["parse.*Query", "pattern"],
    ["^def \\w+_test", "pattern"],
    ["foo|bar", "pattern"],
    ["class\\s+Http\\w+", "pattern"],
    ["how are queries parsed?", "question"],
    ["where is parseQuery (the new one) used?", "question"],
    ["查询是怎么解析的", "question"],
    ["", "question"],
    ["?!.", "question"],
    ['KeyError\n  File "a.py", line 3, in get', "issue"],
    ["panic\n\tat Store.fetch (/a/b.js:1:2)", "issue"],
    ["one\ntwo\nthree\nfour\nfive", "issue"],
    ["word ".repeat(200), "issue"],
  ])("%j is a %s", (query, kind) => {
    expect(kindOf(query)).toBe(kind);
  });
});

it.each([
  ["slugify 在哪里被调用", false],
  ["修改 parseQuery 会影响到项目里的哪些地方", false],
  ["how does dispatch bind the functions that create actions", false],
  ["框架如何为请求和响应的生命周期事件 dispatch 日志", true],
])("[ATO-LANG-1] %j says more than a template around a name: %s", (query, isMore) => {
  expect(isWordy(query)).toBe(isMore);
});
