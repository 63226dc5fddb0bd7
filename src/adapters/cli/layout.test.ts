import { describe, expect, it } from "vitest";
import { displayWidth } from "../../base/display-width.ts";
import { makePalette } from "./colour.ts";
import { type Column, shortenPath, table, wrap } from "./layout.ts";

const RUNS = [
  ["12:04", "shop", "debug", "4180", "why does rateFor() return undefined for a region that nobody knows?"],
  ["9:30", "购物车", "feature", "96", "给购物车加上折扣码, 并且在结账时检查它是否已经过期"],
];
const COLUMNS: readonly Column[] = [{}, { drop: 1 }, { drop: 2 }, { align: "right" }, { tooWide: "cut", least: 20 }];
const widest = (text: string) => Math.max(...text.split("\n").map(displayWidth));

describe("[K 2] tables", () => {
  it("are as wide as their cells if there is room, including Chinese", () => {
    expect(table(RUNS, { width: 200, columns: COLUMNS })).toMatchInlineSnapshot(`
      "12:04  shop    debug    4180  why does rateFor() return undefined for a region that nobody knows?
      9:30   购物车  feature    96  给购物车加上折扣码, 并且在结账时检查它是否已经过期"
    `);
  });

  it("cut the column that may be cut, and drop others before it gets too narrow", () => {
    expect(table(RUNS, { width: 80, columns: COLUMNS })).toMatchInlineSnapshot(`
      "12:04  shop    debug    4180  why does rateFor() return undefined for a region…
      9:30   购物车  feature    96  给购物车加上折扣码, 并且在结账时检查它是否已经过期"
    `);
    expect(table(RUNS, { width: 40, columns: COLUMNS })).toMatchInlineSnapshot(`
      "12:04  4180  why does rateFor() return…
      9:30     96  给购物车加上折扣码, 并且在…"
    `);
  });

  it("wrap a cell that must be shown in full within its column", () => {
    const rows = [
      ["--format FORMAT", "text (default), json (the run document) or hook"],
      ["--a-very-long-option VALUE", "所有内容都以 JSON 的形式输出, 供程序使用"],
    ];
    const columns: readonly Column[] = [{ most: 18 }, { tooWide: "wrap" }];
    expect(table(rows, { width: 40, columns, indent: 2 })).toMatchInlineSnapshot(`
      "  --format FORMAT  text (default), json
                         (the run document) or
                         hook
        --a-very-long-option VALUE
                         所有内容都以 JSON
                         的形式输出,
                         供程序使用"
    `);
  });

  it.each([10, 20, 40, 80, 200])("have no line wider than %i columns", (width) => {
    for (const indent of [0, 2]) {
      expect(widest(table(RUNS, { width, columns: COLUMNS, indent }))).toBeLessThanOrEqual(Math.max(width, 11));
      expect(widest(table(RUNS, { width, indent }))).toBeLessThanOrEqual(Math.max(width, 15));
    }
  });

  it("cut nothing if lines may have any length, and give an empty column no room", () => {
    expect(table([["a", "", "c".repeat(500)]], { width: null })).toBe(`a  ${"c".repeat(500)}`);
    expect(table([], { width: 80 })).toBe("");
  });

  it("do not count colours as columns", () => {
    const { good } = makePalette({ hasColours: true });
    const painted = table(
      [
        [{ text: "ok", paint: good }, "b"],
        ["fail", "b"],
      ],
      { width: 80 },
    );
    expect(painted).toBe("\u001b[32mok\u001b[0m    b\nfail  b");
  });
});

describe("[K 2] wrapped text", () => {
  it("keeps its line breaks and has no line that is too wide", () => {
    expect(wrap("one two three\n\nfour", { width: 10, indent: 2 })).toBe("  one two\n  three\n\n  four");
    expect(wrap("所有内容都以形式输出", { width: 9 })).toBe("所有内容\n都以形式\n输出");
    expect(wrap("one two three", { width: null })).toBe("one two three");
  });
});

describe("[K 2] paths", () => {
  it("abbreviate the home folder to ~", () => {
    expect(shortenPath("/home/ada/shop", { home: "/home/ada" })).toBe("~/shop");
    expect(shortenPath("/home/ada", { home: "/home/ada" })).toBe("~");
    expect(shortenPath("/home/adam", { home: "/home/ada" })).toBe("/home/adam");
    expect(shortenPath("/a", { home: null })).toBe("/a");
  });
});
