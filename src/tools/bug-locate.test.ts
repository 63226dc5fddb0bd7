import { beforeAll, describe, expect, it } from "vitest";
import { commit, makeRepo } from "../../tests/support/git-repo.ts";
import { callTool, type IndexedRepo, makeIndexable, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { SHOP } from "../../tests/support/shop-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { bugLocateTool } from "./bug-locate.ts";

interface Candidate {
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly symbol: string;
  readonly score: number;
  readonly reason: string;
  readonly evidence: readonly string[];
}

const TRACE = `Error: negative amount in the cart
    at priceOf (/home/ada/shop/src/price.ts:6:26)
    at Cart.total (/home/ada/shop/src/cart.ts:11:58)
    at openTill (/home/ada/shop/src/till.ts:6:55)`;

let repo: IndexedRepo;
beforeAll(async () => {
  repo = await makeIndexedRepo(makeFolder(SHOP));
});

const ask = async (error: string, of = repo) => {
  const { result, fault, limits } = await callTool(of, "ci_bug_locate", { error });
  const told = (result.data?.["candidates"] ?? []) as Candidate[];
  const listed = (kind: string) => told.filter((one) => one.kind === kind);
  return { candidates: listed("file"), functions: listed("function"), fault, limits, result };
};

describe("ci_bug_locate", () => {
  it("[G A.6] answers with the contract's fields only", async () => {
    const { candidates, functions, result } = await ask(TRACE);
    expect(Object.keys(result.data ?? {})).toEqual(["schema_version", "candidates"]);
    for (const place of [...candidates, ...functions])
      expect(Object.keys(place).sort()).toEqual([
        "end_line",
        "evidence",
        "file",
        "kind",
        "line",
        "reason",
        "score",
        "summary",
        "symbol",
      ]);
  });

  it("ranks the files and functions of a trace first, with their evidence", async () => {
    const { candidates, functions, limits, result } = await ask(TRACE);
    const best = candidates.slice(0, 3).map(({ file }) => file);
    expect(best.sort()).toEqual(["src/cart.ts", "src/price.ts", "src/till.ts"]);
    const price = functions.find(({ symbol }) => symbol === "priceOf");
    expect(price).toMatchObject({ file: "src/price.ts", line: 4, end_line: 8 });
    expect(price?.evidence).toContain("frame of the trace");
    expect(price?.reason).toBe(price?.evidence.join("; "));
    expect(result.data?.["schema_version"]).toBe("1.0");
    expect(limits).toEqual([]);
  });

  it("ranks code one call away from a frame below the frame", async () => {
    const { functions } = await ask(TRACE);
    const rate = functions.find(({ symbol }) => symbol === "readRate");
    expect(rate?.evidence).toContain("one call from priceOf");
    expect(rate?.score).toBeLessThan(functions.find(({ symbol }) => symbol === "priceOf")?.score ?? 0);
  });

  it("returns scores between 0 and 1, best first, each place once", async () => {
    const { candidates, functions } = await ask(TRACE);
    for (const list of [candidates, functions]) {
      const scores = list.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
      expect(new Set(list.map(({ file, line }) => `${file}:${line}`)).size).toBe(list.length);
    }
  });

  it("returns findings for each file with its best function, then for other functions", async () => {
    const { candidates, functions, result } = await ask(TRACE);
    const findings = bugLocateTool(makeFileEngine(systemClock)).toFindings(result.data ?? {}) ?? [];
    expect(findings.map(({ path, line }) => `${path}:${line}`)).toEqual(
      [...candidates, ...functions].map(({ file, line }) => `${file}:${line}`),
    );
  });

  it("a report in Chinese finds English code", async () => {
    const { candidates } = await ask("购物车的总价不对：价格出错，数量为负时没有报错");
    expect(candidates.slice(0, 3).map(({ file }) => file)).toContain("src/price.ts");
  });

  it.each(["\u0000\u0001", "../../etc/passwd", "x".repeat(20_000), "(".repeat(5_000), "at ".repeat(6_000)])(
    "accepts any text: %#",
    async (error) => {
      const { fault } = await ask(error);
      expect(fault).toBeNull();
    },
  );

  it("works without an index and reports what that means", async () => {
    const { candidates, limits } = await ask(TRACE, makeIndexable(makeFolder(SHOP)));
    expect(candidates.map(({ file }) => file)).toContain("src/price.ts");
    expect(limits).toEqual([expect.stringContaining("not indexed yet")]);
  });

  it("considers recent changes, together with what the text names", async () => {
    const again = (text: string) => ({
      "src/price.ts": `${SHOP["src/price.ts"]}\n${text}\n`,
      "src/rates.ts": `${SHOP["src/rates.ts"]}\n${text}\n`,
    });
    const root = makeRepo([
      { files: SHOP, subject: "begin", at: "2026-01-01T00:00:00Z" },
      { files: again("// 1"), subject: "more", at: "2026-01-02T00:00:00Z" },
      { files: again("// 2"), subject: "and more", at: "2026-01-03T00:00:00Z" },
    ]);
    commit(root, { files: {}, subject: "nothing", at: "2026-01-04T00:00:00Z" });
    const { candidates } = await ask(
      "Error: wrong rate\n    at priceOf (src/price.ts:6:1)",
      await makeIndexedRepo(root),
    );
    const rate = candidates.find(({ file }) => file === "src/rates.ts");
    expect(rate?.evidence).toContain("changed 2 times together with src/price.ts");
  });
});
