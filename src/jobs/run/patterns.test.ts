import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { compilePattern } from "./patterns.ts";

describe("patterns of the command line", () => {
  it.each([
    ["CONTROL:[[:space:]]*DONE", "x\nCONTROL:  DONE", true],
    ["^DONE$", "first\nDONE\nlast", true],
    ["^DONE$", "NOT DONE", false],
    ["完成|结束", "任务完成", true],
    ["a.c", "a\nc", false],
    ["", "anything", true],
  ])("%j in %j: %j", (source, text, expected) => {
    expect(compilePattern(source)?.matches(text)).toBe(expected);
  });

  it.each(["(", "[", "a{9999}", "(?=x)", "(a)\\1", "+"])("%j is invalid", (source) => {
    expect(compilePattern(source)).toBeNull();
  });

  it("[CNI-18] replaces every match with exactly the given text", () => {
    const found = compilePattern("key=[a-z]+");
    expect(found?.replaceIn("key=abc, key=def; 键", "$1\\$&***")).toBe("$1\\$&***, $1\\$&***; 键");
  });

  it("takes time linear in the text, whatever the pattern", () => {
    const spent = countFloors();
    expect(compilePattern("(a+)+$")?.matches(`${"a".repeat(50_000)}b`)).toBe(false);
    expect(spent()).toBeLessThan(500);
  });
});
