import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { glossary } from "./glossary.ts";
import { toEnglish, translationsOf } from "./translate.ts";

const never = () => false;
const wordsOf = (run: string) => toEnglish(run, never).map(({ text, english }) => [text, english[0]?.text]);

describe("[ATO-LANG-1] Chinese questions about English code", () => {
  it("are split into terms, longest first, and pairs of characters in between", () => {
    expect(wordsOf("连接池超时重试")).toEqual([
      ["连接池", "connection_pool"],
      ["超时", "timeout"],
      ["重试", "retry"],
    ]);
    expect(wordsOf("喵星缓存")).toEqual([
      ["喵星", undefined],
      ["缓存", "cache"],
    ]);
  });

  it("may use traditional characters and Taiwanese words", () => {
    expect(wordsOf("快取逾時")).toEqual([
      ["快取", "cache"],
      ["逾時", "timeout"],
    ]);
  });

  it("lose particles and idle words", () => {
    expect(wordsOf("是在哪里的呢")).toEqual([]);
    expect(toEnglish("函数", () => true)).toEqual([]);
  });

  it("give a translation less weight than the word itself, and later ones even less", () => {
    const [piece] = toEnglish("令牌", never);
    const shares = piece?.english.map(({ share }) => share) ?? [];
    expect(shares[0]).toBeLessThan(1);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  });

  it("include all ways in which code joins two words", () => {
    const [piece] = toEnglish("线程池", never);
    expect(piece?.english.map(({ text }) => text)).toEqual(expect.arrayContaining(["thread_pool", "threadpool"]));
  });

  it("never yield more than the text contains", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."的缓存线程池超时在哪里喵重試快取的了甲乙")), (letters) => {
        const run = letters.join("");
        const pieces = toEnglish(run, never);
        expect(pieces.every(({ text, english }) => run.includes(text) && english.length <= 5)).toBe(true);
        expect(pieces.length).toBeLessThanOrEqual(run.length);
      }),
    );
  });
});

describe("[ATO-LANG-1] English questions about Chinese comments", () => {
  it("include the Chinese spellings of a word", () => {
    expect(translationsOf("cache").map(({ text }) => text)).toEqual(expect.arrayContaining(["缓存", "快取"]));
    expect(translationsOf("xyzzy")).toEqual([]);
  });
});

describe("the glossary", () => {
  it("has every Chinese spelling once, and plain English words", () => {
    const spellings = glossary().flatMap(({ zh }) => zh);
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(spellings.filter((term) => !/^\p{Script=Han}+$/u.test(term))).toEqual([]);
    const words = glossary().flatMap(({ en }) => en);
    expect(words.filter((word) => !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(word))).toEqual([]);
    expect(glossary().length).toBeGreaterThan(500);
  });
});
