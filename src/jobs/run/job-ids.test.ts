import { describe, expect, it } from "vitest";
import { isJobId, toJobId, toTag } from "./session-paths.ts";

describe("[CNI-11] ids of jobs", () => {
  it("contain the time and the tag", () => {
    const ms = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    expect([toJobId(ms, ""), toJobId(ms, "t.1")]).toEqual(["cdx-20260102_030405", "cdx-20260102_030405-t.1"]);
  });

  it.each([
    ["plain", "plain"],
    ["a b/ü\n", "a-b---"],
    ["../../x", ".-.-x"],
    ["x".repeat(300), "x".repeat(100)],
  ])("the tag %j becomes %j and gives a valid id", (given, tag) => {
    expect(toTag(given)).toBe(tag);
    expect(isJobId(toJobId(0, tag))).toBe(true);
  });

  it.each(["", ".", "..", "a/b", "a..b", ".hidden", "a b", "ä", "a\n", "x".repeat(201)])("%j is not an id", (id) =>
    expect(isJobId(id)).toBe(false),
  );

  it.each(["cdx-20260102_030405-t", "a:b", "exec-1"])("%j is an id", (id) => expect(isJobId(id)).toBe(true));
});
