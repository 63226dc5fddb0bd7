import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { commentRanges } from "./comments.ts";

function commentsOf(text: string, ending: string): string {
  const ranges = commentRanges(text, ending);
  return ranges.flatMap((start, at) => (at % 2 === 0 ? [text.slice(start, ranges[at + 1])] : [])).join("\n");
}

describe("comments", () => {
  it.each([
    [".py", '#!/bin/x\n# one\nx = 1 # no\n"""two\nthree"""', " one\ntwo\nthree"],
    [".ts", "/** one */ x(); // two", "* one \n two"],
    [".sql", "select 1 -- one", " one"],
    ["", "nothing", ""],
  ])("%s", (ending, text, expected) => {
    expect(commentsOf(text, ending)).toBe(expected);
  });

  it.each(["/*", '"""', "{-", "//", "#"])("are found quickly in a megabyte of %s", (mark) => {
    const text = mark.repeat(500_000);
    for (const ending of [".py", ".ts", ".hs"]) {
      const spent = countFloors();
      commentRanges(text, ending);
      expect(spent()).toBeLessThan(200);
    }
  });
});
