import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { appendChild, removeAt, replaceAt } from "./json-text.ts";

describe("appendChild and removeAt", () => {
  it.each([
    ['{"a":1}', '{"a":1,"k":[1]}'],
    ['{ "a": 1 }', '{ "a": 1,"k":[1] }'],
    ["{}", '{\n  "k": [\n    1\n  ]\n}'],
    ["{\n}\n", '{\n  "k": [\n    1\n  ]\n}\n'],
    ["{\n  // nothing yet\n}", '{\n  // nothing yet\n  "k": [\n    1\n  ]\n}'],
    ['{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"k": [\r\n\t\t1\r\n\t]\r\n}\r\n'],
    ['{\n    "a": 1 // one\n}', '{\n    "a": 1, // one\n    "k": [\n        1\n    ]\n}'],
    ['{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "k": [\n    1\n  ],\n}'],
    [
      '{\n  "a": 1 /* one */ , /* two */ // three\n}',
      '{\n  "a": 1 /* one */ , /* two */ // three\n  "k": [\n    1\n  ],\n}',
    ],
    ['{"a":1,}', '{"a":1,"k":[1],}'],
    ['// head\n{\n  "a": 1\n  // tail\n}', '// head\n{\n  "a": 1,\n  "k": [\n    1\n  ]\n  // tail\n}'],
  ])("%j becomes %j and back", (before, after) => {
    const added = appendChild(before, [], { key: "k", value: [1] });
    expect(added).toBe(after);
    // Two notations of an empty object look the same once it is filled; removal restores the short one.
    expect(removeAt(added, ["k"])).toBe(before.trim() === "{\n}" ? "{}\n" : before);
  });

  it.each([
    ["[1, 2, 3]", 0, "[2, 3]"],
    ["[1, 2, 3]", 1, "[1, 3]"],
    ["[1, 2, 3]", 2, "[1, 2]"],
    ["[\n  1,\n  2\n]", 0, "[\n  2\n]"],
    ["[1, // one\n 2]", 1, "[1 // one\n ]"],
    ["[1, // one\n 2, 3]", 1, "[1, // one\n 3]"],
    ["[1, /* two */ 2 /* too */, 3]", 1, "[1, /* two */ /* too */ 3]"],
    ["[1,]", 0, "[]"],
    ["[ 1 /* only */ ]", 0, "[ /* only */ ]"],
  ])("removes from %j item %d", (before, index, after) => {
    expect(removeAt(before, [index])).toBe(after);
  });

  it("restores any document, however it is indented", () => {
    const settings = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
    const indent = fc.constantFrom("", "  ", "    ", "\t");
    fc.assert(
      fc.property(
        settings,
        indent,
        fc.constantFrom("\n", "\r\n"),
        fc.constantFrom("", "\n"),
        (data, unit, eol, end) => {
          fc.pre(!("k" in data));
          const text = (JSON.stringify(data, null, unit) + end).replaceAll("\n", eol);
          const added = appendChild(text, [], { key: "k", value: { a: [{ b: "" }] } });
          expect(JSON.stringify(parse(added))).toBe(JSON.stringify({ ...parse(text), k: { a: [{ b: "" }] } }));
          expect(removeAt(added, ["k"])).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("replaces one value and nothing else", () => {
    expect(replaceAt('{ "a" : 5000 , "b": [ ] }', ["a"], "20")).toBe('{ "a" : 20 , "b": [ ] }');
  });
});
