import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeRepo } from "../../tests/support/git-repo.ts";
import { callTool, type IndexedRepo, makeIndexable, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { SHOP } from "../../tests/support/shop-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { impactTool } from "./impact.ts";

interface Told {
  readonly symbol_id: string;
  readonly confidence: number;
  readonly reason: string;
}

let repo: IndexedRepo;
beforeAll(async () => {
  repo = await makeIndexedRepo(makeFolder(SHOP));
});

const ask = (args: Readonly<Record<string, unknown>>, of = repo) => callTool(of, "ci_impact", args);
const toldIn = (data: Record<string, unknown> | undefined, key: string) => (data?.[key] ?? []) as Told[];
const idsIn = (data: Record<string, unknown> | undefined, key: string) => toldIn(data, key).map((own) => own.symbol_id);

describe("ci_impact", () => {
  it("of a symbol: its dependants, with decreasing confidence, and the tests", async () => {
    const { result, limits } = await ask({ symbol: "src/price.ts#priceOf" });
    expect(
      toldIn(result.data, "affected").map(({ symbol_id, confidence, reason }) => [symbol_id, confidence, reason]),
    ).toEqual([
      ["src/cart.ts#Cart.total", expect.closeTo(0.8, 1), "calls priceOf"],
      ["src/cart.test.ts#checkTotal", expect.closeTo(0.62, 1), "calls Cart.total"],
      ["src/till.ts#openTill", expect.closeTo(0.62, 1), "calls Cart.total"],
      ["src/till.ts#closeTill", expect.closeTo(0.5, 1), "calls openTill"],
    ]);
    expect(result.data?.["tests"]).toEqual([
      expect.objectContaining({ file: "src/cart.test.ts", reason: "reaches the change" }),
    ]);
    expect(result.data).toMatchObject({
      target: "src/price.ts#priceOf",
      metadata: { max_depth: 3, decay: 0.8, threshold: 0.1 },
    });
    expect(limits).toEqual([]);
  });

  it("stops at depth and threshold", async () => {
    const { result: near } = await ask({ symbol: "src/price.ts#priceOf", depth: 1 });
    expect(idsIn(near.data, "affected")).toEqual(["src/cart.ts#Cart.total"]);
    const { result: sure } = await ask({ symbol: "src/price.ts#priceOf", threshold: 0.7 });
    expect(idsIn(sure.data, "affected")).toEqual(["src/cart.ts#Cart.total"]);
  });

  it("of a file, by its path or the end of its path", async () => {
    const { result } = await ask({ file: "src/rates.ts" });
    expect(idsIn(result.data, "affected")).toContain("src/price.ts#priceOf");
    const { result: short } = await ask({ file: "rates.ts" });
    expect(short.data?.["affected"]).toEqual(result.data?.["affected"]);
  });

  it("of a symbol in a file", async () => {
    const { result } = await ask({ file: "examples/price.ts", symbol: "priceOf" });
    expect([result.data?.["target"], result.data?.["affected"]]).toEqual(["examples/price.ts#priceOf", []]);
  });

  it("as Markdown and as a diagram", async () => {
    const { result: md } = await ask({ symbol: "readRate", format: "md" });
    expect(md.data?.["text"]).toContain("# Impact of `src/rates.ts#readRate`\n\n");
    expect(md.data?.["text"]).toContain("## Tests to run");
    const { result: drawn } = await ask({ symbol: "readRate", depth: 1, format: "mermaid" });
    expect(drawn.data?.["text"]).toMatch(
      /^flowchart LR\n {2}n0\["readRate<br\/>src\/rates.ts:3"\]\n {2}n1\["priceOf<br\/>src\/price.ts:4"\]\n {2}n0 -->\|0\.\d\d\| n1$/,
    );
  });

  it("faults: an unknown symbol, an unknown file, one outside, one that may hold secrets", async () => {
    const codeOf = async (args: Readonly<Record<string, unknown>>) => {
      const { fault } = await ask(args);
      return [fault?.code, fault?.message];
    };
    expect(await codeOf({ symbol: "readRat" })).toEqual([
      "E_INVALID_ARGS",
      expect.stringContaining("did you mean readRate"),
    ]);
    expect(await codeOf({ file: "lib/price.ts" })).toEqual([
      "E_INVALID_ARGS",
      "ci_impact: lib/price.ts is not a file in the index; did you mean examples/price.ts, src/price.ts?",
    ]);
    expect(await codeOf({ file: "../../etc/passwd" })).toEqual(["E_REPO_ROOT", expect.stringContaining("outside")]);
    expect(await codeOf({ file: ".env" })).toEqual(["E_REPO_ROOT", expect.any(String)]);
    expect(await codeOf({ file: "nothing.ts" })).toEqual(["E_REPO_ROOT", expect.stringContaining("no such file")]);
    expect(await codeOf({ symbol: "priceOf", depth: 6 })).toEqual(["E_INVALID_ARGS", expect.stringContaining("depth")]);
  });

  it("refuses without an index or without commits", async () => {
    expect((await ask({ symbol: "priceOf" }, makeIndexable(makeFolder(SHOP)))).fault?.code).toBe("E_TOOL_UNAVAILABLE");
    expect((await ask({})).fault?.message).toBe("ci_impact: there is no commit to compare the files with");
  });

  describe("of uncommitted changes", () => {
    const begin = { files: SHOP, subject: "begin", at: "2026-01-01T00:00:00Z" };

    it("nothing, if everything is committed", async () => {
      const { fault } = await ask({}, await makeIndexedRepo(makeRepo([begin])));
      expect(fault?.message).toBe("ci_impact: no uncommitted change in a file of code");
    });

    it("the functions that changed, not their neighbours", async () => {
      const root = makeRepo([begin]);
      const changed = SHOP["src/rates.ts"]?.replace("?? 1.19", "?? 1.2") ?? "";
      writeFileSync(join(root, "src/rates.ts"), `// moved down\n${changed}`);
      const { result } = await ask({}, await makeIndexedRepo(root));
      expect(idsIn(result.data, "changed")).toEqual(["src/rates.ts#", "src/rates.ts#readRate"]);
      expect(idsIn(result.data, "affected")).toContain("src/price.ts#priceOf");
      expect(result.data?.["target"]).toBe("1 uncommitted file");
      expect(result.data?.["tests"]).toEqual([expect.objectContaining({ file: "src/cart.test.ts" })]);
    });

    it("also before they are indexed, and all functions of new files", async () => {
      const indexed = await makeIndexedRepo(makeRepo([begin]));
      const changed = SHOP["src/cart.ts"]?.replace("this.#items.push(article)", "this.#items.unshift(article)") ?? "";
      writeFileSync(join(indexed.root, "src/cart.ts"), changed);
      writeFileSync(join(indexed.root, "src/new.ts"), "export function brandNew(): void {}\n");
      const { result } = await ask({}, indexed);
      expect(idsIn(result.data, "changed").sort()).toEqual([
        "src/cart.ts#Cart.add",
        "src/new.ts#",
        "src/new.ts#brandNew",
      ]);
      expect(idsIn(result.data, "affected")).toEqual(
        expect.arrayContaining(["src/till.ts#openTill", "src/cart.test.ts#checkTotal"]),
      );
    });
  });

  it("returns findings with places and tests", async () => {
    const { result } = await ask({ symbol: "src/price.ts#priceOf", depth: 2 });
    const findings = impactTool(makeFileEngine(systemClock)).toFindings(result.data ?? {}) ?? [];
    expect(findings.map(({ path, line, title, reason }) => [path, line, title, reason])).toEqual([
      ["src/cart.ts", 10, "", "calls priceOf"],
      ["src/cart.test.ts", 3, "", "calls Cart.total"],
      ["src/till.ts", 3, "", "calls Cart.total"],
      ["src/cart.test.ts", null, "test", "reaches the change"],
    ]);
  });
});
