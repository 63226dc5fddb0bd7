import { describe, expect, it } from "vitest";
import { type COLOUR_CHOICES, makePalette, wantsColours } from "./colour.ts";

describe("[K 2] colours", () => {
  it.each<[string, (typeof COLOUR_CHOICES)[number], boolean, Record<string, string>, boolean]>([
    ["a terminal", "auto", true, {}, true],
    ["no terminal", "auto", false, {}, false],
    ["NO_COLOR", "auto", true, { NO_COLOR: "1" }, false],
    ["NO_COLOR, but empty", "auto", true, { NO_COLOR: "" }, true],
    ["a terminal that has none", "auto", true, { TERM: "dumb" }, false],
    ["asked for", "always", false, { NO_COLOR: "1", TERM: "dumb" }, true],
    ["not wanted", "never", true, {}, false],
  ])("%s", (_, choice, isTerminal, env, wanted) => {
    expect(wantsColours(choice, { isTerminal, env })).toBe(wanted);
  });

  it("style a text, and leave it unchanged without colours", () => {
    expect(makePalette({ hasColours: true }).bad("fail")).toBe("\u001b[31mfail\u001b[0m");
    expect(makePalette({ hasColours: true }).bad("")).toBe("");
    expect(makePalette({ hasColours: false }).bad("fail")).toBe("fail");
  });
});
