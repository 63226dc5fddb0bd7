import { describe, expect, it } from "vitest";
import { countFloors } from "../../tests/support/cpu-floors.ts";
import { callTool, makeIndexable, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";

const FILES = {
  "src/a.ts": "export function first() {\n  return retry(3);\n}\n",
  "src/b.ts": "export function second() {\n  return retry(25);\n}\n",
  "notes.md": "retry(7) in words\n",
};

async function search(query: string, isIndexed = true): Promise<string[]> {
  const repo = await (isIndexed
    ? makeIndexedRepo(makeFolder(FILES))
    : Promise.resolve(makeIndexable(makeFolder(FILES))));
  const { result } = await callTool(repo, "ci_search", { query });
  const { candidates } = result.data as {
    candidates: { file: string; line: number; symbol: string; reason: string }[];
  };
  return candidates.map(({ file, line, symbol, reason }) => `${file}:${line} ${symbol} ${reason}`);
}

describe("a regular expression", () => {
  it.each([true, false])("is matched, code first (indexed: %s)", async (isIndexed) => {
    expect(await search(String.raw`retry\(\d{2}\)`, isIndexed)).toEqual(["src/b.ts:2 second matches the pattern"]);
    expect((await search(String.raw`retry\(\d+\)`, isIndexed)).map((hit) => hit.split(" ")[0])).toEqual([
      "src/a.ts:2",
      "src/b.ts:2",
      "notes.md:1",
    ]);
  });

  it("that is invalid or matches nothing is searched by its words", async () => {
    expect((await search(String.raw`second\(\w+|(`)).map((hit) => hit.split(" ")[0])).toEqual(["src/b.ts:1"]);
    expect(await search(String.raw`second\d{9}`)).toEqual(["src/b.ts:1 second defines second"]);
  });

  it("takes linear time", async () => {
    const repo = makeIndexable(makeFolder({ "a.txt": `${"a".repeat(30_000)}!\n`.slice(0, 4_000) }));
    const spent = countFloors();
    await callTool(repo, "ci_search", { query: String.raw`(a+)+\d$` });
    expect(spent()).toBeLessThan(1_000);
  });
});
