import { describe, expect, it } from "vitest";
import { joinLines, LOOP_HELP, readLoopInput } from "./loop-input.ts";

const typed = (...texts: string[]) => texts.map((text) => ({ text, isPasted: false }));
const pasted = (...texts: string[]) => texts.map((text) => ({ text, isPasted: true }));

describe("[P-4] joining the lines of an input", () => {
  it.each([
    ["one line is all", typed("fix it"), "fix it", false],
    ["a backslash goes on", typed("fix it \\"), "fix it ", true],
    ["the line's end stays", typed("fix it\\", "now"), "fix it\nnow", false],
    ["two backslashes are meant", typed("C:\\\\"), "C:\\\\", false],
    ["three go on", typed("C:\\\\\\"), "C:\\\\", true],
    ["a fence goes on", typed("why?", "```ts"), "why?\n```ts", true],
    ["until it closes", typed("```ts", "a \\", "```"), "```ts\na \\\n```", false],
    ["a shorter fence does not close it", typed("````", "```"), "````\n```", true],
    ["an opening with a word does not close it", typed("```", "```ts"), "```\n```ts", true],
    ["a fence inside a line is none", typed("what is ```a``` here"), "what is ```a``` here", false],
    ["nor one with its end on the same line", typed("```a```"), "```a```", false],
    [
      "a paste keeps its backslashes",
      [...pasted("cc a.c \\", "  b.c \\"), ...typed("why?")],
      "cc a.c \\\n  b.c \\\nwhy?",
      false,
    ],
    ["a fence in a paste goes on", [...pasted("```", "a"), ...typed("b")], "```\na\nb", true],
    ["nothing", [], "", false],
  ])("%s", (_name, lines, text, isOpen) => {
    expect(joinLines(lines)).toEqual({ text, isOpen });
  });
});

describe("[P-4] parsing an input", () => {
  it.each([
    ["", { kind: "nothing" }],
    ["  \n ", { kind: "nothing" }],
    ["exit", { kind: "leave" }],
    [" QUIT ", { kind: "leave" }],
    ["/exit", { kind: "leave" }],
    ["/quit", { kind: "leave" }],
    ["exit codes of grep?", { kind: "prompt", text: "exit codes of grep?" }],
    ["  fix it ", { kind: "prompt", text: "  fix it " }],
    ["/plan  who calls\nrateFor ", { kind: "command", name: "plan", rest: "who calls\nrateFor" }],
    ["/plan", { kind: "command", name: "plan", rest: "" }],
    ["/OFF", { kind: "command", name: "off", rest: "" }],
    ["/on", { kind: "command", name: "on", rest: "" }],
    ["/show ", { kind: "command", name: "show", rest: "" }],
    ["/new", { kind: "command", name: "new", rest: "" }],
    ["/help", { kind: "command", name: "help", rest: "" }],
    ["/pln it", { kind: "unknown", name: "pln" }],
    ["/constructor", { kind: "unknown", name: "constructor" }],
    [" /pln it", { kind: "prompt", text: " /pln it" }],
    ["/usr/bin/env is missing", { kind: "prompt", text: "/usr/bin/env is missing" }],
    ["/* is this a comment? */", { kind: "prompt", text: "/* is this a comment? */" }],
    ["// and this?", { kind: "prompt", text: "// and this?" }],
  ])("%j", (text, input) => {
    expect(readLoopInput(text)).toEqual(input);
  });

  it("the help names every command", () => {
    for (const name of ["plan", "show", "off", "on", "new", "help", "exit"]) expect(LOOP_HELP).toContain(`/${name} `);
  });
});
