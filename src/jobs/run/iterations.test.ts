import { describe, expect, it } from "vitest";
import { carryOver, whatNext } from "./iterations.ts";
import { compilePattern, type UserPattern } from "./patterns.ts";

const pattern = (source: string) => compilePattern(source) as UserPattern;

describe("deciding what follows a call of Codex [CNI-19]", () => {
  const usual = { runs: 1, maxRuns: 1, isOver: false, isDone: false, hasOverflow: false, retriesLeft: 2 };
  it.each([
    [{}, "end"],
    [{ maxRuns: 3 }, "again"],
    [{ runs: 3, maxRuns: 3 }, "end"],
    [{ maxRuns: 3, isDone: true }, "end"],
    [{ maxRuns: 3, isOver: true }, "end"],
    [{ hasOverflow: true }, "retry"],
    [{ hasOverflow: true, retriesLeft: 0 }, "end"],
    [{ hasOverflow: true, retriesLeft: 0, maxRuns: 2 }, "again"],
    [{ hasOverflow: true, isOver: true }, "end"],
    [{ hasOverflow: true, isDone: true }, "end"],
    [{ runs: 3, maxRuns: 3, hasOverflow: true }, "retry"],
  ] as const)("%j → %s", (facts, next) => {
    expect(whatNext({ ...usual, ...facts })).toBe(next);
  });
});

describe("carrying context over to the next call", () => {
  const message = "one\ntwo\nTODO: three\nfour\nTODO: three\n";
  it.each([
    ["all of it", message, { compresses: false, head: 1, grep: [] }, message.trimEnd()],
    ["its head", message, { compresses: true, head: 2, grep: [] }, "=== Head (first 2 lines) ===\none\ntwo"],
    [
      "its head and what patterns find, once each",
      message,
      { compresses: true, head: 1, grep: [pattern("^TODO"), pattern("fo+ur")] },
      "=== Head (first 1 lines) ===\none\n\n=== Key Lines (pattern match) ===\nTODO: three\nfour",
    ],
    ["nothing", " \n", { compresses: true, head: 2, grep: [] }, "[no previous context]"],
  ])("%s", (_name, text, how, expected) => {
    expect(carryOver(text, how)).toBe(expected);
  });

  it("keeps at most two hundred matching lines", () => {
    const many = Array.from({ length: 500 }, (_, at) => `x${at}`).join("\n");
    expect(carryOver(many, { compresses: true, head: 0, grep: [pattern("x")] }).split("\n")).toHaveLength(203);
  });
});
