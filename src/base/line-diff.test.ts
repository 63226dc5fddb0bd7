import { expect, it } from "vitest";
import { diffLines } from "./line-diff.ts";

const diff = (before: string, after: string) => diffLines(before.split(""), after.split("")).join("");

it("[K 2] shows each changed place with two lines of context", () => {
  expect(diffLines([..."abcdef"], [..."abcXYef"])).toEqual(["@@ line 2 @@", " b", " c", "-d", "+X", "+Y", " e", " f"]);
  expect(diff("abcdefghijkl", "abXdefghiYkl")).toBe("@@ line 1 @@ a b-c+X d e@@ line 8 @@ h i-j+Y k l");
  expect(diff("", "ab")).toBe("@@ line 1 @@+a+b");
  expect(diff("ab", "")).toBe("@@ line 1 @@-a-b");
  expect(diff("abc", "abc")).toBe("");
});

it("[K 2] finds the fewest changes: a moved line is removed once and added once", () => {
  expect(diff("abcd", "bcda")).toBe("@@ line 1 @@-a b c d+a");
  expect(diff("aaaa", "aaa").replace(/[^-+]/g, "")).toBe("-");
});

it("[K 2] texts that are too long count as one change", () => {
  const many = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word}${at}`);
  const lines = diffLines(["same", ...many("a")], ["same", ...many("b")]);
  expect([lines.length, lines[0], lines[1], lines[2], lines.at(-1)]).toEqual([
    6_002,
    "@@ line 1 @@",
    " same",
    "-a0",
    "+b2999",
  ]);
});
