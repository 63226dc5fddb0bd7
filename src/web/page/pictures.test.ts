import { describe, expect, it } from "vitest";
import { makeDemoRun } from "../../../tests/support/demo-page.ts";
import type { RunDocument } from "../../contract/run-document.ts";
import { toGraph } from "./graph-data.ts";
import { layOut } from "./graph-layout.ts";
import { toCells } from "./treemap.ts";

function documentWith(data: Record<string, unknown>): RunDocument {
  const { document } = makeDemoRun(0, 0);
  const [first] = document?.tool_results ?? [];
  if (document === null || first === undefined) throw new Error("the demo has no document");
  const { for_model } = document.fused_context;
  return {
    ...document,
    tool_results: [{ ...first, data }],
    fused_context: { ...document.fused_context, for_model: { ...for_model, structured: {} } },
  };
}

describe("[K 4] the graph of a run", () => {
  it("has the symbols of its tools, calls as arrows, and its findings", () => {
    const { document } = makeDemoRun(0, 0);
    if (document === null) throw new Error("the demo has no document");
    const { nodes, edges, left } = toGraph(document);
    const target = "src/billing/settle.ts#settleInvoice";
    expect(nodes.find(({ role }) => role === "target")).toMatchObject({
      id: target,
      symbol: "settleInvoice",
      line: 42,
    });
    expect(edges).toContainEqual({ from: "src/api/invoices.ts#postSettlement", to: target });
    expect(edges).toContainEqual({ from: target, to: "src/ledger/ledger.ts#Ledger.record" });
    expect(nodes.filter(({ role }) => role === "finding").map(({ id }) => id)).toContain(
      "src/payment/retry.ts#retryDelay",
    );
    expect(left).toBe(0);
  });

  it("has files and their arrows if no symbols are known", () => {
    const subgraph = {
      nodes: [
        { id: "n1", file_path: "a.ts" },
        { id: "n2", file_path: "b.ts" },
      ],
      edges: [{ from: "n2", to: "n1", kind: "calls" }],
    };
    const { nodes, edges } = toGraph(documentWith({ subgraph }));
    expect(nodes.map(({ id }) => id).sort()).toEqual(["a.ts", "b.ts"]);
    expect(edges).toEqual([{ from: "b.ts", to: "a.ts" }]);
  });

  it("lists the symbols found in a file on its node", () => {
    const subgraph = {
      nodes: [
        { id: "n1", file_path: "src/billing/settle.ts" },
        { id: "n2", file_path: "src/payment/retry.ts" },
      ],
      edges: [{ from: "n2", to: "n1" }],
    };
    const { document } = makeDemoRun(0, 0);
    const [first] = document?.tool_results ?? [];
    if (document === null || first === undefined) throw new Error("the demo has no document");
    const { nodes } = toGraph({ ...document, tool_results: [{ ...first, data: { subgraph } }] });
    const byId = new Map(nodes.map((node) => [node.id, node]));
    expect(byId.get("src/billing/settle.ts")).toMatchObject({ role: "target", symbol: "settleInvoice", line: 42 });
    expect(byId.get("src/payment/retry.ts")).toMatchObject({ role: "finding", symbol: "retryDelay", line: 18 });
    expect(byId.has("src/payment/retry.ts#retryDelay")).toBe(false);
  });

  it("keeps the most relevant places if there are too many", () => {
    const callers = Array.from({ length: 500 }, (_, at) => `src/f${at}.ts#f${at}`);
    const graph = toGraph(documentWith({ call_chain: [{ symbol_id: "a.ts#hub", relation: "target", callers }] }));
    expect([graph.nodes.length, graph.left, graph.nodes[0]?.id]).toEqual([60, 441, "a.ts#hub"]);
    expect(graph.edges).toHaveLength(59);
  });

  it.each([
    { symbol_id: 3, callers: "x" },
    { subgraph: { nodes: "x", edges: [null] } },
    { symbol_id: "a#b", callers: [null, {}, "a#b"], callees: [[]] },
    { subgraph: { nodes: [{ id: "x" }, null], edges: [{ from: "x", to: "gone" }] } },
  ])("accepts any data: %j", (data) => {
    expect(() => layOut(toGraph(documentWith(data)))).not.toThrow();
  });

  it("takes bounded time for endless or deeply nested data", () => {
    let deep: Record<string, unknown> = { symbol_id: "deep#deep" };
    for (let level = 0; level < 10_000; level++) deep = { deep };
    const wide = Array.from({ length: 100_000 }, (_, at) => ({ symbol_id: `w${at}.ts#w` }));
    expect(toGraph(documentWith({ deep, wide })).nodes).toHaveLength(60);
  });

  it("places callers left of callees and places without calls below, without overlap", () => {
    const { document } = makeDemoRun(0, 0);
    if (document === null) throw new Error("the demo has no document");
    const { nodes, edges, width, height } = layOut(toGraph(document));
    const byId = new Map(nodes.map((node) => [node.id, node]));
    for (const { from, to, way } of edges) {
      expect(byId.get(from)?.x).toBeLessThan(byId.get(to)?.x ?? 0);
      expect(way).toMatch(/^M[\d.]+ [\d.]+C/);
    }
    for (const a of nodes) {
      expect([a.x >= 0, a.y >= 0, a.x + a.width <= width, a.y + a.height <= height]).toEqual([true, true, true, true]);
      for (const b of nodes)
        if (a !== b)
          expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(
            true,
          );
    }
  });
});

describe("[K 4] the treemap of hotspots", () => {
  const file = (path: string, lines: number, score: number) => ({
    path,
    lines,
    score,
    commits: 1,
    authors: 1,
    complexity: 1,
  });

  it("sizes files by lines and shades them by score", () => {
    const cells = toCells([file("a/x.ts", 300, 900), file("a/y.ts", 100, 9), file("b/z.ts", 0, 5)], 400, 100);
    const [hot, calm] = cells.toSorted((a, b) => b.heat - a.heat);
    expect([cells.length, hot?.file.path, hot?.heat, calm?.heat]).toEqual([2, "a/x.ts", 6, 0]);
    const area = (cell = hot) => (cell === undefined ? 0 : cell.width * cell.height);
    expect(area(hot) / area(calm)).toBeGreaterThan(2.5);
  });

  it("is empty without files", () => expect(toCells([], 400, 100)).toEqual([]));
});
