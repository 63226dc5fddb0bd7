import { expect, it } from "vitest";
import { diffTexts } from "./diff.ts";
import { formatReport } from "./report.ts";

it("shows the changed lines with two lines around them", () => {
  expect(diffTexts("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nX\nY\ne\nf\n")).toEqual([
    "@@ line 2 @@",
    " b",
    " c",
    "-d",
    "+X",
    "+Y",
    " e",
    " f",
  ]);
  expect(diffTexts("", "a\r\nb\r\n")).toEqual(["@@ line 1 @@", "+a", "+b"]);
  expect(diffTexts("a\n", "a\r\n")).toEqual([]);
});

it("hides secrets and control characters, and cuts long lines", () => {
  const before = '{\n  "ANTHROPIC_API_KEY": "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789",\n  "x": 1\n}';
  const text = diffTexts(before, before.replace("1", `"\u001B[31m${"y".repeat(500)}"`)).join("\n");
  expect(text).not.toContain("abcdefghijklmnop");
  expect(text).not.toContain("\u001B");
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBe(160);
});

it("prints a report for people", () => {
  const text = formatReport({
    action: "install",
    written: true,
    summary: "Groundwork is installed.",
    items: [
      { action: "create", path: "/h/a", detail: "launcher" },
      { action: "update", path: "/h/b", detail: "hook added", diff: ["@@ line 1 @@", " {", "+x"] },
    ],
    notes: ["do this"],
    clients: [],
  });
  expect(text).toBe(`Groundwork is installed.
  create  /h/a  (launcher)
  update  /h/b  (hook added)
          @@ line 1 @@
           {
          +x
note: do this
`);
});
