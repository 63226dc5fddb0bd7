import { describe, expect, it } from "vitest";
import { readAnswer } from "./ask-terminal.ts";

const one = { question: "q", options: ["red", "green", "blue"], multiSelect: false };
const many = { ...one, multiSelect: true };

describe("[HOOK-10] reading a typed answer", () => {
  it.each([
    ["2", one, { selected: ["green"] }],
    [" 3 ", one, { selected: ["blue"] }],
    ["1, 3", many, { selected: ["red", "blue"] }],
    ["1，3、1", many, { selected: ["red", "blue"] }],
    ["1 2", one, { selected: [], customInput: "1 2" }],
    ["4", one, { selected: [], customInput: "4" }],
    ["1,9", many, { selected: [], customInput: "1,9" }],
    ["都不要", one, { selected: [], customInput: "都不要" }],
    ["", one, { selected: [], cancelled: true }],
  ])("%j", (line, question, answer) => {
    expect(readAnswer(line, question)).toEqual(answer);
  });
});
