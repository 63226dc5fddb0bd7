import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeDueTest } from "./due.ts";
import { LATIN_RULES } from "./rules.ts";
import { toShadows } from "./shadow.ts";
import { rule } from "./words.ts";

describe("rules that are due", () => {
  const rules = [
    rule({ words: ["drop skip", "all", "rules instructions"], within: 20 }, "x"),
    rule({ words: ["rules"], needs: /!/ }, "y"),
    rule({ needs: /[<]/ }, "z"),
  ];
  const toDue = makeDueTest(rules);

  it.each([
    ["drop all rules", [0]],
    ["skip, all; instructions", [0]],
    ["rules, all dropped", []],
    ["drop rules, all", []],
    ["drop all the things and then some rules", []],
    ["rules!", [1]],
    ["<rules", [2]],
    ["", []],
  ])("%s", (text, due) => {
    expect(toDue(text)).toEqual(due.map((at) => rules[at]));
  });

  it("never leaves out one that matches", () => {
    const folder = join(import.meta.dirname, "../../../training/lines");
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith(".tsv"))
      .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
      .map((line) => toShadows(line.slice(2).replaceAll("\\n", "\n")).join(" "));
    const toDueLatin = makeDueTest(LATIN_RULES);
    const missed = texts.flatMap((text) => {
      const due = toDueLatin(text);
      return LATIN_RULES.filter((each) => !due.includes(each) && text.search(each.pattern()) >= 0).map((each) => ({
        text,
        rule: each.pattern().source,
      }));
    });
    // Two rules recognize a model by one word or by two; either one finds both.
    expect(
      missed.filter(({ text, rule: source }) => !toDueLatin(text).some((each) => each.pattern().source === source)),
    ).toEqual([]);
  });
});
