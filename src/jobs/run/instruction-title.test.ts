import { describe, expect, it } from "vitest";
import { toTitle } from "./instructions.ts";

describe("[CNI-9] the title of a run", () => {
  it.each([
    ["Fix the login", "Fix the login"],
    ["\n\n## Fix  the\tlogin ##\nmore", "Fix the login"],
    ["#修复登录", "修复登录"],
    ["---\ntitle: x\n---\n\n# Real", "Real"],
    ["---\r\ntitle: x\r\n---\r\n# Real\r\n", "Real"],
    ["---\n***\n===\nText", "Text"],
    ["```ts\nconst a = 1;\n```", "const a = 1;"],
    ["<!-- licence\nof many lines -->\nText", "Text"],
    ["<!-- only a comment -->", "<!-- only a comment -->"],
    ["???", "???"],
    ["", ""],
    ["- [ ] first point", "- [ ] first point"],
    ["C# is fine", "C# is fine"],
    ["a\u001b[31mb\u0000c", "a [31mb c"],
    ["x".repeat(81), `${"x".repeat(79)}…`],
    [`${"x".repeat(78)}😀y`, `${"x".repeat(78)}…`],
  ])("%j: %j", (task, title) => {
    expect(toTitle(task)).toBe(title);
  });
});
