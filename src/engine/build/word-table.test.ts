import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsOf } from "../search/words.ts";
import { WordTable } from "./word-table.ts";

function makeTable() {
  const words: string[] = [];
  return { words, table: new WordTable((word) => words.push(word)) };
}

function scan(text: string, { words, table } = makeTable()) {
  const scanned = table.scan(Buffer.from(text, "utf8"));
  const found = Array.from(
    { length: scanned.count },
    (_, at) => `${scanned.lines[at]} ${words[scanned.words[at] ?? -1]}`,
  );
  return { found, lines: scanned.lineCount, words };
}

describe("words of a text", () => {
  it("are identifiers and runs of Chinese, with their lines", () => {
    expect(scan("const a_b = 1x;\n// 订单 退款\r\nfoo.bar()").found).toEqual([
      "1 const",
      "1 a_b",
      "1 x",
      "2 订单",
      "2 退款",
      "3 foo",
      "3 bar",
    ]);
  });

  it("are the same as those of a question, line by line", () => {
    // One table for all texts, as in a builder: creating one takes longer than scanning a hundred texts.
    const made = makeTable();
    void fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 60 }), { maxLength: 6 }), (parts) => {
        const text = Buffer.from(parts.join("\n"), "utf8").toString("utf8");
        const expected = text.split("\n").flatMap((line, at) => wordsOf(line).map((word) => `${at + 1} ${word}`));
        const { found, lines } = scan(text, made);
        expect(found).toEqual(expected);
        expect(lines).toBe(text.split("\n").length);
      }),
    );
  });

  it("are reported once each, even when the table grows", () => {
    const many = Array.from({ length: 60_000 }, (_, at) => `word${at}`);
    const { words, found } = scan(`${many.join(" ")}\n`.repeat(2).replaceAll(" ", "\n"));
    expect(words).toEqual(many);
    expect(found).toHaveLength(120_000);
  });

  it("are not read beyond the limit of a line", () => {
    expect(scan(`${"x ".repeat(5_000)}\nnext`).found.length).toBeLessThan(1_100);
    expect(scan(`${"x ".repeat(5_000)}\nnext`).found.at(-1)).toBe("2 next");
  });
});
