import { describe, expect, it } from "vitest";
import { toQueryTerms } from "./query.ts";

const keys = (text: string) => toQueryTerms(text, { hasSynonyms: false }).map(({ key }) => key);

describe("terms of a query", () => {
  it("omit stop words unless there is nothing else", () => {
    expect(keys("how is the cache used")).toEqual(["cach"]);
    expect(keys("who is it")).toEqual(["who", "is", "it"]);
  });

  it("contain identifiers whole and in parts, and count repetitions", () => {
    const terms = toQueryTerms("HttpClient http", { hasSynonyms: false });
    expect(terms.map(({ key, weight, said }) => [key, weight, said])).toEqual([
      ["=httpclient", 1, "HttpClient"],
      ["http", 2, "HttpClient"],
      ["client", 1, "HttpClient"],
    ]);
  });

  it("include synonyms only on request, at most four spellings per word", () => {
    const count = (hasSynonyms: boolean) => toQueryTerms("callback", { hasSynonyms })[0]?.spellings.length ?? 0;
    expect(count(true)).toBeGreaterThan(count(false));
    for (const { spellings } of toQueryTerms("function argument error config test delete directory", {
      hasSynonyms: true,
    })) {
      expect(spellings.length).toBeLessThanOrEqual(4);
      expect(spellings[0]?.share).toBe(1);
    }
  });

  it("translate Chinese through the glossary", () => {
    const [term] = toQueryTerms("配置", { hasSynonyms: false });
    expect(term?.spellings.map(({ term: spelling }) => spelling)).toContain("config");
  });

  it("have at most forty spellings", () => {
    const text =
      "error handling of request routing, template caching, database connection, user session, file upload, event queue and log format";
    const count = toQueryTerms(text, { hasSynonyms: true }).reduce((sum, { spellings }) => sum + spellings.length, 0);
    expect(count).toBeLessThanOrEqual(40);
  });

  it("are empty for a text without words", () => {
    expect(keys("")).toEqual([]);
    expect(keys("?!. \ud800")).toEqual([]);
  });
});
