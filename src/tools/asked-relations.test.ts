import { beforeAll, describe, expect, it } from "vitest";
import { callTool, type IndexedRepo, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { SHOP } from "../../tests/support/shop-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";

const FILES = {
  ...SHOP,
  "lib/shout.lua": "function shout(text)\n  return text\nend\n",
  "lib/hall.lua": "local function hall()\n  return shout('hi')\nend\n",
};
let repo: IndexedRepo;
beforeAll(async () => {
  repo = await makeIndexedRepo(makeFolder(FILES));
});

interface Told {
  readonly file_path: string;
  readonly line: number;
  readonly reason: string;
  readonly relevance_score: number;
}

async function ask(query: string) {
  const { result } = await callTool(repo, "ci_graph_rag", { query });
  return (result.data?.["candidates"] ?? []) as Told[];
}
const lines = (told: readonly Told[]) => told.map(({ file_path, line, reason }) => `${file_path}:${line} ${reason}`);

describe("[AC-009] [ATO-SEC-2] the answer fits the question", () => {
  it.each(["who calls priceOf?", "priceOf 在哪里被调用"])(
    "%s leads with the callers, at the line of their call",
    async (query) => {
      const told = await ask(query);
      expect(lines(told)[0]).toBe("src/cart.ts:11 calls priceOf");
      expect(told[0]?.relevance_score).toBe(1);
    },
  );

  it("lists callers in tests last", async () => {
    const told = lines(await ask("who calls total?"));
    expect(told[0]).toMatch(/^src\/till\.ts:/);
    expect(told.at(-1)).toMatch(/^src\/cart\.test\.ts:/);
  });

  it.each(["what breaks if I change readRate", "改 readRate 会影响哪些地方"])(
    "%s lists direct and indirect dependants",
    async (query) => {
      const told = lines(await ask(query));
      expect(told[0]).toBe("src/price.ts:5 calls readRate");
      expect(told).toContain("src/cart.ts:11 depends on it: calls priceOf");
    },
  );

  it("how does openTill reach readRate shows the calls between them", async () => {
    expect(lines(await ask("how does openTill reach readRate"))).toEqual([
      "src/till.ts:6 step 1: calls Cart.total",
      "src/cart.ts:11 step 2: calls priceOf",
      "src/price.ts:5 step 3: calls readRate",
    ]);
  });

  it("answers with the surroundings if no calls lead from one to the other", async () => {
    expect(lines(await ask("how does formatRate reach closeTill")).join()).not.toContain("step");
  });

  it("falls back to uses of the name if calls are not known", async () => {
    expect(lines(await ask("who calls shout?"))).toContain("lib/hall.lua:2 uses shout");
  });

  it("finds no callers of something that is not here", async () => {
    expect(await ask("who calls frobnicate?")).toEqual([]);
  });
});
