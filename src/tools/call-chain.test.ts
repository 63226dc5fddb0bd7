import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { callTool, type IndexedRepo, makeIndexable, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { SHOP } from "../../tests/support/shop-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { callChainTool } from "./call-chain.ts";

interface Link {
  readonly symbol_id: string;
  readonly depth: number;
  readonly relation: string;
  readonly is_cycle: boolean;
}

const TOOL = "ci_call_chain";
let repo: IndexedRepo;
beforeAll(async () => {
  repo = await makeIndexedRepo(makeFolder(SHOP));
});

const ask = (args: Readonly<Record<string, unknown>>, of = repo) => callTool(of, TOOL, args);
const linksIn = (data: Record<string, unknown> | undefined) => (data?.["call_chain"] ?? []) as Link[];
const chainOf = (data: Record<string, unknown> | undefined) =>
  linksIn(data).map(({ symbol_id, depth, relation }) => `${depth} ${relation} ${symbol_id}`);

describe("ci_call_chain", () => {
  it("follows callers and callees", async () => {
    const { result, limits } = await ask({ symbol: "src/price.ts#priceOf" });
    expect(chainOf(result.data)).toEqual([
      "0 target src/price.ts#priceOf",
      "1 caller src/cart.ts#Cart.total",
      "1 callee src/rates.ts#readRate",
      "2 caller src/cart.test.ts#checkTotal",
      "2 caller src/till.ts#openTill",
      "3 caller src/till.ts#closeTill",
    ]);
    expect(result.data).toMatchObject({
      schema_version: "1.0",
      target_symbol: "src/price.ts#priceOf",
      direction: "both",
      cycle_detected: true,
      metadata: { max_depth: 3 },
    });
    expect(result.data?.["call_chain"]).toContainEqual(
      expect.objectContaining({
        file_path: "src/cart.ts",
        line: 10,
        callees: ["src/price.ts#priceOf"],
        callers: ["src/cart.test.ts#checkTotal", "src/till.ts#openTill"],
        call_lines: [11],
        is_cycle: false,
      }),
    );
    expect(limits).toEqual([]);
  });

  it("marks cycles", async () => {
    const { result } = await ask({ symbol: "closeTill", direction: "callees", depth: 2 });
    const cyclic = linksIn(result.data).filter(({ is_cycle }) => is_cycle);
    expect(cyclic.map(({ symbol_id }) => symbol_id)).toEqual(["src/till.ts#closeTill", "src/till.ts#openTill"]);
  });

  it("chooses the project's own definition of a name and lists the others", async () => {
    const { result } = await ask({ symbol: "priceOf", depth: 1 });
    expect(result.data?.["target_symbol"]).toBe("src/price.ts#priceOf");
    expect(result.summary).toBe(
      "1 caller and 1 callee of priceOf (src/price.ts:4); also defined at examples/price.ts:1",
    );
  });

  it.each([
    ["Cart.total", "src/cart.ts#Cart.total"],
    ["Cart#total", "src/cart.ts#Cart.total"],
    ["cart.Cart.total()", "src/cart.ts#Cart.total"],
    ["rates.readRate", "src/rates.ts#readRate"],
    ["price.ts#priceOf", "src/price.ts#priceOf"],
    ["examples/price.ts#priceOf", "examples/price.ts#priceOf"],
    ["READRATE", "src/rates.ts#readRate"],
  ])("knows %s", async (symbol, id) => {
    const { result } = await ask({ symbol });
    expect(result.data?.["target_symbol"]).toBe(id);
  });

  it("finds the calls between two symbols, in either direction", async () => {
    const way = { symbols: ["src/till.ts#openTill", "src/cart.ts#Cart.total", "src/price.ts#priceOf"], lines: [6, 11] };
    const { result: there } = await ask({ symbol: "openTill", to: "src/price.ts#priceOf" });
    expect(there.data?.["paths"]).toEqual([expect.objectContaining(way)]);
    const { result: back } = await ask({ symbol: "src/price.ts#priceOf", to: "openTill" });
    expect(back.data?.["paths"]).toEqual([expect.objectContaining(way)]);
    const [first] = callChainTool(makeFileEngine(systemClock)).toFindings(there.data ?? {}) ?? [];
    expect(first).toMatchObject({ path: "src/till.ts", line: 6, summary: "openTill → Cart.total → priceOf" });
    const { result, limits } = await ask({ symbol: "formatRate", to: "closeTill" });
    expect([result.data?.["paths"], limits]).toEqual([
      [],
      ["ci_call_chain: no calls lead from formatRate to closeTill"],
    ]);
  });

  it("finds a definition whose name is on a line of its own", async () => {
    const c =
      "static struct task *\npick_next_one(struct queue *q)\n{\n\treturn q->first;\n}\n\nvoid run_all(struct queue *q)\n{\n\tpick_next_one(q);\n}\n";
    const own = await makeIndexedRepo(makeFolder({ "sched.c": c }));
    const { fault, result } = await callTool(own, "ci_call_chain", { symbol: "pick_next_one", direction: "callers" });
    expect(fault).toBeNull();
    expect(JSON.stringify(result.data)).toContain("run_all");
  });

  it.each([
    ["readRat", "readRate"],
    ["rateRead", "readRate"],
    ["reedRate", "readRate"],
    ["Crat", "Cart"],
    ["getPriceOf", "priceOf"],
  ])("refuses an unknown name with the nearest ones: %s", async (symbol, nearest) => {
    const { result, fault } = await ask({ symbol });
    expect(fault?.code).toBe("E_INVALID_ARGS");
    expect(result.error.message).toMatch(
      new RegExp(`^ci_call_chain: no symbol ${symbol}; did you mean (?:.*, )?${nearest}`),
    );
  });

  it.each(["xyzzyPlugh", "../../etc/passwd", "!!!", "购物车", "a".repeat(200), "constructor", "__proto__"])(
    "refuses an unlikely name: %s",
    async (symbol) => {
      const { fault } = await ask({ symbol });
      expect(fault?.code).toBe("E_INVALID_ARGS");
    },
  );

  it("follows no calls without an index, and says what to do", async () => {
    const bare = makeIndexable(makeFolder(SHOP));
    const { result, fault } = await ask({ symbol: "priceOf" }, bare);
    expect(fault?.code).toBe("E_TOOL_UNAVAILABLE");
    expect(result.error.message).toContain('run "groundwork index"');
    const off = await callTool(repo, TOOL, { symbol: "priceOf" }, { usesIndex: false });
    expect(off.result.error.message).toContain("index is off");
  });

  it("reads files that changed since they were indexed", async () => {
    const changed = await makeIndexedRepo(makeFolder(SHOP));
    const text = `import { priceOf } from "./price.ts";\n\n\nexport function refund(): number {\n  return priceOf("book", 2);\n}\n`;
    writeFileSync(join(changed.root, "src/refund.ts"), text);
    writeFileSync(join(changed.root, "src/price.ts"), `\n\n${SHOP["src/price.ts"]}`);
    const { result } = await ask({ symbol: "src/price.ts#priceOf", depth: 1 }, changed);
    expect(chainOf(result.data)).toEqual([
      "0 target src/price.ts#priceOf",
      "1 caller src/cart.ts#Cart.total",
      "1 callee src/rates.ts#readRate",
      "1 caller src/refund.ts#refund",
    ]);
    expect(result.data?.["call_chain"]).toContainEqual(expect.objectContaining({ file_path: "src/price.ts", line: 6 }));
  });

  it("treats a new script without a file extension as code at once", async () => {
    const root = makeFolder({ "lib/tax.py": "def rate():\n    return 1\n" });
    const scripts = await makeIndexedRepo(root);
    writeFileSync(
      join(root, "report"),
      "#!/usr/bin/env python3\nfrom lib.tax import rate\n\ndef report():\n    return rate()\n",
    );
    const { result, limits } = await ask({ symbol: "rate", direction: "callers" }, scripts);
    expect(chainOf(result.data)).toEqual(["0 target lib/tax.py#rate", "1 caller report#report"]);
    expect(limits).toEqual([]);
  });

  it("returns findings with place and relation, the nearest with the highest confidence", async () => {
    const { result } = await ask({ symbol: "src/price.ts#priceOf", depth: 2 });
    const findings = callChainTool(makeFileEngine(systemClock)).toFindings(result.data ?? {}) ?? [];
    expect(findings.map(({ path, symbol, reason }) => [path, symbol, reason])).toEqual([
      ["src/price.ts", "priceOf", "the symbol itself"],
      ["src/cart.ts", "Cart.total", "calls it"],
      ["src/rates.ts", "readRate", "is called by it"],
      ["src/cart.test.ts", "checkTotal", "calls it over 2 calls"],
      ["src/till.ts", "openTill", "calls it over 2 calls"],
    ]);
    expect(findings[0]?.summary).toContain("priceOf(article: string, amount: number): number");
  });
});
