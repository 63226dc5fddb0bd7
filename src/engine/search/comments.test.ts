import { describe, expect, it } from "vitest";
import { commentsOf } from "./comments.ts";

describe("comments", () => {
  it.each([
    [".py", '#!/bin/x\n# one\nx = 1 # no\n"""two\nthree"""', " one\ntwo\nthree"],
    [".ts", "/** one */ x(); // two", "* one \n two"],
    [".sql", "select 1 -- one", " one"],
    ["", "nothing", ""],
  ])("%s", (ending, text, expected) => {
    expect(commentsOf(text, ending)).toBe(expected);
  });

  it.each(["/*", '"""', "{-", "//", "#"])("reads a megabyte of %s at once", (mark) => {
    const text = mark.repeat(500_000);
    for (const ending of [".py", ".ts", ".hs"]) {
      const start = performance.now();
      commentsOf(text, ending);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });
});
