import { expect, it } from "vitest";
import { cutToWidth, displayWidth, wrapToWidth } from "./display-width.ts";

it("[P-6] Chinese takes two columns, combining marks none", () => {
  expect(["", "abc", "项目", "a项b", "e\u0301", "，", "ﾊ", "👍"].map(displayWidth)).toEqual([0, 3, 4, 4, 1, 2, 1, 2]);
});

it("[P-6] a text is cut and wrapped by columns, never inside a character", () => {
  expect(cutToWidth("项目文件夹", 6)).toBe("项目…");
  expect(cutToWidth("项目文件夹", 10)).toBe("项目文件夹");
  expect(wrapToWidth("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapToWidth("项目文件夹 is gone", 5)).toEqual(["项目", "文件", "夹 is", "gone"]);
  expect(wrapToWidth("", 5)).toEqual([]);
});
