import { describe, expect, it } from "vitest";
import { docNear } from "./doc-near.ts";

describe("the comment of a definition", () => {
  it.each([
    ["/** Says what. */\nfunction f() {}", 2, "Says what."],
    ["/**\n * Says\n * what.\n *\n * More.\n */\nfunction f() {}", 7, "Says what."],
    ["// one\n\n// two\nfunction f() {}", 4, "two"],
    ["# Says what.\n@decorated\ndef f():", 3, "Says what."],
    ['def f():\n    """Says what."""', 1, "Says what."],
    ["/// Says what.\n#[inline]\nfn f() {}", 3, "Says what."],
    ["-- 说明\nlocal function f() end", 2, "说明"],
    [";; Says what.\n(def x 1)", 2, "Says what."],
    ["% Says what.\nfunction area(r)", 2, "Says what."],
    ["const x = 1;\nfunction f() {}", 2, ""],
    ["", 1, ""],
  ])("of %j", (text, line, doc) => {
    expect(docNear(text.split("\n"), line)).toBe(doc);
  });
});
