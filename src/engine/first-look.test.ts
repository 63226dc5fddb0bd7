import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { lookFirst } from "./first-look.ts";

const always = { hasTime: () => true, nowMs: () => 0 };

describe("a first look without an index", () => {
  const files = {
    "src/retry.ts": "export function backoff() {}\n",
    "src/other.ts": "nothing of the kind\n",
    "tests/retry.test.ts": "backoff(); retry();\n",
    "src/订单.ts": "// 退款\n",
  };
  const root = makeFolder(files);
  const look = (query: string, budget = always) => lookFirst(root, Object.keys(files), query, budget);

  it("selects files that contain the words, source code first", async () => {
    const { paths, seen } = await look("where is the retry backoff?");
    expect([paths, seen]).toEqual([["src/retry.ts", "tests/retry.test.ts"], 4]);
  });

  it("counts how common the words are", async () => {
    const { spreads } = await look("retry backoff");
    expect([...spreads.values()]).toEqual([
      { having: 1, of: 4 },
      { having: 2, of: 4 },
    ]);
  });

  it("finds Chinese in texts and paths", async () => {
    expect((await look("退款")).paths).toEqual(["src/订单.ts"]);
    expect((await look("订单")).paths).toEqual(["src/订单.ts"]);
  });

  it("returns partial results when time runs out", async () => {
    expect(await look("retry", { ...always, hasTime: () => false })).toMatchObject({ paths: [], seen: 0 });
  });

  it.each([
    ["settleAccount7", "camel case whose parts have other stems"],
    ["settle_account_7", "snake case"],
  ])("puts the file that has %s first: %s", async (name) => {
    const others = Array.from({ length: 20 }, (_, at) => [
      `a${at}.ts`,
      `settleAccount(); settle_account(7 + ${at});\n`,
    ]);
    const many = { ...Object.fromEntries(others), "z.ts": `export const ${name} = 1;\n` };
    const { paths } = await lookFirst(makeFolder(many), Object.keys(many), name, always);
    expect(paths[0]).toBe("z.ts");
  });
});
