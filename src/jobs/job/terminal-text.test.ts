import { describe, expect, it } from "vitest";
import { makeTerminalFilter } from "./terminal-text.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["plain 文本 é\ttab\n", "plain 文本 é\ttab\n"],
  ["a\u001b]52;c;ZXZpbA==\u0007b", "ab"],
  ["a\u001b]0;title\u001b\\b", "ab"],
  ["a\u009d0;title\u009cb", "ab"],
  ["\u001b[2J\u001b[1;31mred\u001b[0m\u001b[10A", "red"],
  ["\u009b2Jx", "x"],
  ["a\u001bPq#0\u001b\\b\u001b_apc\u001b\\c\u001b^pm\u001b\\d\u001bXsos\u001b\\e", "abcde"],
  ["a\u001bcb\u001b(0c\u001b#8d\u001b7e", "abcde"],
  ["never ends \u001b]0;all of it\nnext line", "never ends \nnext line"],
  ["over\rwritten\r\n\u0008\u0007\u0000x", "overwritten\nx"],
  ["turned \u202eround\u2069", "turned round"],
  ["\u001b\u001b]0;x\u0007y", "y"],
  ["ends with \u001b", "ends with "],
];

describe("[G D.20] filtering text for a terminal", () => {
  it.each(CASES)("%j is %j", (given, shown) => {
    expect(makeTerminalFilter()(given)).toBe(shown);
    expect(makeTerminalFilter()(Buffer.from(given))).toBe(shown);
  });

  it("gives the same text wherever the stream is cut", () => {
    for (const [given, shown] of CASES) {
      const bytes = Buffer.from(given);
      for (let at = 0; at <= bytes.length; at++) {
        const filter = makeTerminalFilter();
        expect(filter(bytes.subarray(0, at)) + filter(bytes.subarray(at))).toBe(shown);
      }
    }
  });
});
