import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pickLanguage, TEXTS, wordOf } from "./texts.ts";

/** Lists every text by its path, with its number of parameters. */
function shapeOf(value: unknown, place = ""): string[] {
  if (typeof value === "function") return [`${place}(${value.length})`];
  if (typeof value === "string") return [place];
  return Object.entries(value as object).flatMap(([key, own]) => shapeOf(own, `${place}.${key}`));
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "function" ? [] : Object.values(value as object).flatMap(textsOf);
}

describe("[K 4] the page's texts", () => {
  it("exist in both languages, with the same keys and kinds", () => {
    expect(shapeOf(TEXTS.zh)).toEqual(shapeOf(TEXTS.en));
    expect(shapeOf(TEXTS.en).length).toBeGreaterThan(150);
    expect(textsOf(TEXTS.zh).filter((text) => text.trim() === "")).toEqual([]);
  });

  it("are written in their own language", () => {
    expect(textsOf(TEXTS.en).filter((text) => /[\u3400-\u9fff]/.test(text))).toEqual([]);
    const known = ["codex-auto", "MCP"];
    expect(textsOf(TEXTS.zh).filter((text) => !/[\u3400-\u9fff]/.test(text))).toEqual(known);
  });

  it.each([
    [["zh-CN", "en"], "zh"],
    [["fr", "zh-Hant", "en"], "zh"],
    [["en-GB", "zh"], "en"],
    [["de", "fr"], "en"],
    [[], "en"],
  ] as const)("a browser that wants %j reads %s", (wishes, language) => {
    expect(pickLanguage(wishes)).toBe(language);
  });

  it("a value without a word is shown unchanged", () => {
    expect(wordOf(TEXTS.en.intents, "debug")).toBe("debug");
    expect(wordOf(TEXTS.en.intents, "constructor")).toBe("constructor");
  });
});

it("[K 4] are all used", () => {
  const folder = import.meta.dirname;
  const parts = readdirSync(folder).filter((name) => name.endsWith(".tsx"));
  const source = parts.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  // The facts of a repository are looked up by their keys.
  const named = ["files", "lines", "symbols"];
  const isUsed = (key: string) => new RegExp(`\\bt\\.${key}\\b`).test(source) || named.includes(key);
  expect(Object.keys(TEXTS.en).filter((key) => !isUsed(key))).toEqual([]);
});
