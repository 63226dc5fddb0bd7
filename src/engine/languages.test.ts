import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../tests/support/doors.ts";
import { LANGUAGES, writtenEndings } from "../base/languages.ts";
import { FAMILIES } from "./graph/families.ts";
import { endingsOf, entryOfEnding } from "./languages.ts";
import { PARSED_LANGUAGES as TABLES } from "./parse/languages/table.ts";

describe("the table of languages", () => {
  it("has each ending, name and program once", () => {
    const all = LANGUAGES.flatMap((entry) => [
      ...endingsOf(entry).map((ending) => `.${ending}`),
      ...(entry.names ?? []),
      ...(entry.programs ?? []).map((program) => `#!${program}`),
    ]);
    expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([]);
  });

  it("gives every grammar a family and a table of rules, and no others", () => {
    const parsed = LANGUAGES.filter(({ grammar }) => grammar !== undefined);
    expect(parsed.filter(({ family }) => family === undefined)).toEqual([]);
    expect(TABLES.map(({ id }) => id).toSorted()).toEqual(parsed.map(({ id }) => id).toSorted());
    expect(parsed.filter(({ grammar = "" }) => !existsSync(join(projectRoot, "node_modules", grammar)))).toEqual([]);
    expect(Object.keys(FAMILIES).filter((id) => !parsed.some(({ family }) => family === id))).toEqual([]);
  });

  it("mentions only endings of the same language in traits", () => {
    for (const entry of LANGUAGES) {
      const own = new Set(endingsOf(entry));
      const last = (entry.declarations ?? []).map((ending) => ending.replace(/^.*\./, ""));
      expect([...last, ...(entry.headers ?? [])].filter((ending) => !own.has(ending))).toEqual([]);
    }
  });

  it("distinguishes endings recognised in prose from those recognised only on files", () => {
    const isCode = new RegExp(`^\\w+\\.(?:${writtenEndings("code")})$`);
    expect(["a.ts", "a.c++", "a.vue", "a.json", "mail.ru", "a.m"].filter((name) => isCode.test(name))).toEqual([
      "a.ts",
      "a.c++",
      "a.vue",
    ]);
    expect(entryOfEnding(".ru")?.id).toBe("ruby");
    expect(entryOfEnding(".constructor")).toBeUndefined();
  });
});
