import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWhole, partsOf, termsOfPath, termsOfWord, wordsOf } from "./words.ts";

describe("words", () => {
  it.each(["getUserName", "get_user_name", "GetUserName", "GET_USER_NAME"])(
    "%s has the same terms in all spellings",
    (word) => {
      expect(termsOfWord(word)).toEqual(["=getusernam", "get", "user", "nam"]);
    },
  );

  it.each([
    ["validators", "validation"],
    ["validate", "validator"],
    ["retries", "retry"],
    ["parsing", "parse"],
    ["queries", "query"],
    ["cached", "cache"],
    ["classes", "class"],
  ])("%s and %s are one word", (one, other) => {
    expect(partsOf(one)).toEqual(partsOf(other));
  });

  it("separate acronyms and digits", () => {
    expect(partsOf("HTTPServer2")).toEqual(["http", "serv", "2"]);
  });

  it("of Chinese are pairs of characters", () => {
    expect(wordsOf("配置文件 = load").flatMap(termsOfWord)).toEqual(["配置", "置文", "文件", "load"]);
  });

  it("of a path are those of the file name twice and of the three innermost folders once", () => {
    expect(termsOfPath("a/lib/core/http/router.go")).toEqual(["rout", "rout", "lib", "cor", "http"]);
  });

  it("never throw for any text, and only compound words have a whole term", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const all = wordsOf(text).map(termsOfWord);
        return all.every((terms) => terms.filter(isWhole).length <= 1 && terms.every((term) => term.length > 0));
      }),
    );
  });

  it("do not split characters of two UTF-16 units", () => {
    expect(termsOfWord("𠀀𠀁𠀂")).toEqual(["𠀀𠀁", "𠀁𠀂"]);
  });
});
