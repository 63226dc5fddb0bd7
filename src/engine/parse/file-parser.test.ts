import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { grammarFolder, makeTestParser } from "../../../tests/support/grammars.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { NO_FACTS } from "./facts.ts";
import { FileParser } from "./file-parser.ts";
import { c } from "./languages/c.ts";
import { python } from "./languages/python.ts";
import { PARSED_LANGUAGES } from "./languages/table.ts";
import { javascript, typescript } from "./languages/typescript.ts";

const parser = makeTestParser();
const namesIn = async (text: string, language = typescript) =>
  (await parser.parse(language, text)).symbols.map(({ name, startLine }) => `${name}:${startLine}`);

describe("FileParser", () => {
  it.each(PARSED_LANGUAGES)("accepts the rule table of $id", async (language) => {
    // A rule that does not fit the grammar would leave the language without facts.
    expect((await parser.parse(language, "")).complete).toBe(true);
  });

  it("counts positions in characters, whatever the characters and line endings", async () => {
    expect(await namesIn('const é = "漢字😀";\r\nconst b = 1;\r\n\r\nfunction 𝒻() {}\n')).toEqual([
      "é:1",
      "b:2",
      "𝒻:4",
    ]);
    expect(await namesIn("\u{feff}const a = 1;\n")).toEqual(["a:1"]);
    expect(await namesIn("const a = '\ud800';\nconst b = 2;\n")).toEqual(["a:1", "b:2"]);
  });

  it("extracts the intact parts of broken code", async () => {
    expect(await namesIn("function a() {}\n)))}}\nfunction b() {}\nclass C {\n  m(\n")).toEqual(
      expect.arrayContaining(["a:1", "b:3"]),
    );
  });

  it("returns no facts for data that is not text", async () => {
    for (const sign of ["\0", "\u0001".repeat(600), "\ufffd".repeat(600), "\ud800".repeat(600)]) {
      expect(await parser.parse(typescript, `const a = 1;${sign}const b = 2;`)).toEqual(NO_FACTS);
    }
  });

  it("skips overlong lines and says so", async () => {
    const text = `const a = 1;\nconst data = "${"x".repeat(20_000)}";\nconst b = 2;\n`;
    const facts = await parser.parse(typescript, text);
    expect(facts.complete).toBe(false);
    expect(facts.symbols.map(({ name, startLine }) => `${name}:${startLine}`)).toEqual(["a:1", "b:3"]);
  });

  it("parses the beginning of an unbounded text", async () => {
    const line = "const a = [1, 2, 3, 4];\n";
    const patient = new FileParser({ folder: grammarFolder, clock: { ...systemClock, monotonicMs: () => 0 } });
    const facts = await patient.parse(typescript, line.repeat(50_000));
    expect(facts.complete).toBe(false);
    expect(facts.symbols.length).toBe(Math.floor(1_000_000 / line.length));
  });

  it("stops if a text takes too long, and parses the next one", async () => {
    let now = 0;
    const clock = { ...systemClock, monotonicMs: () => (now += 5_000) };
    const hurried = new FileParser({ folder: grammarFolder, clock });
    expect(await hurried.parse(typescript, "const a = 1;\n".repeat(1_000))).toEqual(NO_FACTS);
    expect(await namesIn("const a = 1;")).toEqual(["a:1"]);
    expect(parser.isSpent).toBe(false);
  });

  it("returns no facts if the grammars are missing", async () => {
    const text = "const a = 1;";
    const empty = new FileParser({ folder: makeFolder(), clock: systemClock });
    expect(await empty.parse(typescript, text)).toEqual(NO_FACTS);
    const damaged = new FileParser({ folder: makeFolder({ "typescript.wasm": "no wasm" }), clock: systemClock });
    expect(await damaged.parse(typescript, text)).toEqual(NO_FACTS);
  });

  it("returns no facts if rules and grammar do not match", async () => {
    const wrong = { ...typescript, id: "wrong", rules: "(no_such_node) @call" };
    expect(await parser.parse(wrong, "f();")).toEqual(NO_FACTS);
  });

  it("parses several languages concurrently, in any order", async () => {
    const both = [parser.parse(python, "def a(): pass\n"), parser.parse(javascript, "function b() {}\n")];
    expect((await Promise.all(both)).flatMap(({ symbols }) => symbols.map(({ name }) => name))).toEqual(["a", "b"]);
  });

  it("never throws, and all positions are inside the text", async () => {
    const piece = fc.constantFrom(
      ...[
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        '"',
        "'",
        "`",
        "\n",
        "  ",
        "#",
        "//",
        "/*",
        "\\",
        "=>",
        "${",
        "\ud83d",
        "é",
      ],
      ...[
        "def f",
        "class A",
        "fn f",
        "func f",
        "function f",
        "if",
        "else",
        "import x",
        "x = 1",
        "return",
        "end",
        ":",
        ";",
        "::",
      ],
    );
    const sources = fc.tuple(fc.constantFrom(...PARSED_LANGUAGES), fc.array(piece, { maxLength: 60 }));
    await fc.assert(
      fc.asyncProperty(sources, async ([language, pieces]) => {
        const text = pieces.join(" ");
        const lines = text.split("\n").length;
        const { symbols, calls } = await parser.parse(language, text);
        for (const [index, { startLine, nameLine, endLine, parent }] of symbols.entries()) {
          expect(startLine <= nameLine && nameLine <= endLine && endLine <= lines).toBe(true);
          expect(parent === null || (parent !== index && symbols[parent] !== undefined)).toBe(true);
        }
        for (const { from, line } of calls)
          expect(line <= lines && (from === null || from < symbols.length)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  const HOSTILE = [
    "(",
    "{\n",
    "[",
    "f(\n",
    "if (a)\n",
    "a+\n",
    "x =>\n",
    "<<A\n",
    '"',
    "@a\n",
    "/*\n",
    "\ud800",
    "\u0001\u0002\n",
  ];

  it.each([python, typescript, c])("takes bounded time for unbounded nesting, parsed as $id", async (language) => {
    for (const piece of HOSTILE) {
      const spent = countFloors();
      await parser.parse(language, piece.repeat(60_000 / piece.length));
      expect(spent()).toBeLessThan(1_500);
    }
    expect(process.memoryUsage().rss).toBeLessThan(1_500_000_000);
  });
});
