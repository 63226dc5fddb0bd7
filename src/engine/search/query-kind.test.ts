import { describe, expect, it } from "vitest";
import { kindOf } from "./query-kind.ts";

describe("what a query is", () => {
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
