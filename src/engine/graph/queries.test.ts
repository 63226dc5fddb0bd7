import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeRepository, type TestRepository } from "../../../tests/support/code-graph.ts";
import { makeTestParser } from "../../../tests/support/grammars.ts";
import { followCalls } from "./call-chain.ts";
import { findPaths } from "./call-paths.ts";
import { type CodeGraph, keyOf, type Link, type Node, nodeAt } from "./code-graph.ts";
import { findImpact, nodesOf } from "./impact.ts";
import { expand } from "./neighbours.ts";

const CHAIN = { direction: "callees", depth: 3, maxNodes: 100, leastConfidence: 0 } as const;
const PATHS = { maxDepth: 8, maxPaths: 5, maxNodes: 1000 };
const IMPACT = { depth: 3, decay: 0.8, threshold: 0.1, maxNodes: 1000 };

const shop = makeRepository(makeTestParser(), {
  "src/cart.ts": `import { price } from "./price";
export class Base { total() { return 0; } }
export class Cart extends Base {
  total() { return price(this.items()); }
  items() { return 1; }
}
export const SETTING = 1;`,
  "src/price.ts": `export function price(n: number) { return round(n); }
export function round(n: number): number { return n > 9 ? odd(n - 1) : n; }
function odd(n: number) { return round(n); }
export function unused() {}`,
  "src/app.ts": `import { Base, Cart } from "./cart";
export function main() { const cart = new Cart(); show(cart); }
function show(cart: Base) { cart.total(); }`,
  "src/cart.test.ts": `import { Cart } from "./cart";
function testTotal() { new Cart().total(); }`,
  "src/other.test.ts": `import { unused } from "./price";`,
});

const names = ({ write }: TestRepository, nodes: readonly { readonly node: Node }[]) =>
  nodes.map(({ node }) => write(node));

describe("call chains", () => {
  test("list callees by depth and mark recursion", async () => {
    const repo = await shop;
    const { nodes, hasCycle, isCut } = followCalls(repo.graph, repo.node("src/cart.ts Cart.total"), CHAIN);
    expect(nodes.map(({ node, depth, isCycle }) => [repo.write(node), depth, isCycle])).toEqual([
      ["src/cart.ts Cart.total", 0, false],
      ["src/cart.ts Cart.items", 1, false],
      ["src/price.ts price", 1, false],
      ["src/price.ts round", 2, true],
      ["src/price.ts odd", 3, true],
    ]);
    expect({ hasCycle, isCut }).toEqual({ hasCycle: true, isCut: false });
    const price = nodes.find(({ node }) => repo.write(node) === "src/price.ts price");
    expect(price?.callers.map(repo.write)).toEqual(["src/cart.ts Cart.total"]);
    expect(price?.callees.map(repo.write)).toEqual(["src/price.ts round"]);
  });

  test("list callers; following both directions never reverses on a path", async () => {
    const repo = await shop;
    const callers = followCalls(repo.graph, repo.node("src/price.ts price"), { ...CHAIN, direction: "callers" });
    expect(names(repo, callers.nodes)).toEqual([
      "src/price.ts price",
      "src/cart.ts Cart.total",
      "src/cart.test.ts testTotal",
    ]);
    const both = followCalls(repo.graph, repo.node("src/price.ts price"), { ...CHAIN, direction: "both", depth: 1 });
    expect(names(repo, both.nodes)).toEqual(["src/price.ts price", "src/cart.ts Cart.total", "src/price.ts round"]);
    expect(both.isCut).toBe(true);
  });

  test("leave room for callees if there are many callers", () => {
    const graph = graphOf([...Array.from({ length: 80 }, (_, at) => [at + 2, 0, 1] as const), [0, 1, 1]]);
    const { nodes } = followCalls(graph, node(0), { ...CHAIN, direction: "both", maxNodes: 10 });
    expect(nodes.map((own) => own.node)).toContainEqual(node(1));
    expect(nodes.length).toBeLessThanOrEqual(10);
  });

  test("end at their limits and say so", async () => {
    const repo = await shop;
    const start = repo.node("src/cart.ts Cart.total");
    expect(followCalls(repo.graph, start, { ...CHAIN, depth: 1 }).isCut).toBe(true);
    expect(followCalls(repo.graph, start, { ...CHAIN, maxNodes: 2 })).toMatchObject({
      isCut: true,
      nodes: { length: 2 },
    });
    expect(followCalls({ ...repo.graph, isLate: () => true }, start, CHAIN)).toMatchObject({
      isCut: true,
      nodes: { length: 1 },
    });
    expect(followCalls(repo.graph, start, { ...CHAIN, leastConfidence: 1.1 }).nodes).toHaveLength(1);
  });
});

describe("paths", () => {
  test("are the shortest between two functions, with the lines of the calls", async () => {
    const repo = await shop;
    const found = findPaths(repo.graph, repo.node("src/cart.ts Cart.total"), repo.node("src/price.ts odd"), PATHS);
    expect(found.map(({ nodes, lines }) => [nodes.map(repo.write), lines])).toEqual([
      [
        ["src/cart.ts Cart.total", "src/price.ts price", "src/price.ts round", "src/price.ts odd"],
        [4, 1, 2],
      ],
    ]);
    expect(found[0]?.confidence).toBeGreaterThan(0.8);
  });

  test("are empty if there is none, for a function itself, too far away, or too late", async () => {
    const repo = await shop;
    const [total, odd] = [repo.node("src/cart.ts Cart.total"), repo.node("src/price.ts odd")];
    expect(findPaths(repo.graph, odd, total, PATHS)).toEqual([]);
    expect(findPaths(repo.graph, odd, odd, PATHS)).toEqual([]);
    expect(findPaths(repo.graph, total, odd, { ...PATHS, maxDepth: 2 })).toEqual([]);
    expect(findPaths({ ...repo.graph, isLate: () => true }, total, odd, PATHS)).toEqual([]);
  });

  test("of the same length come with the most confident first, up to the limit", () => {
    const graph = graphOf([
      [0, 1, 0.5],
      [0, 2, 0.9],
      [0, 3, 0.7],
      [1, 4, 1],
      [2, 4, 1],
      [3, 4, 1],
    ]);
    const found = findPaths(graph, node(0), node(4), { ...PATHS, maxPaths: 2 });
    expect(found.map(({ nodes, confidence }) => [nodes[1]?.symbol, confidence])).toEqual([
      [2, 0.9],
      [3, 0.7],
    ]);
  });
});

describe("impact", () => {
  test("decreases with each step and lists the tests that reach the change", async () => {
    const repo = await shop;
    const { affected, tests } = findImpact(repo.graph, [repo.node("src/price.ts price")], IMPACT);
    expect(affected.map(({ node, depth, reason }) => [repo.write(node), depth, reason])).toEqual([
      ["src/price.ts price", 0, "changed"],
      ["src/cart.ts Cart.total", 1, "calls"],
      ["src/cart.test.ts testTotal", 2, "calls"],
      ["src/cart.ts Base.total", 2, "may run instead"],
      ["src/app.ts show", 3, "calls"],
    ]);
    expect(affected.map(({ confidence }) => confidence)).toEqual(
      affected.map(({ confidence }) => confidence).toSorted((one, other) => other - one),
    );
    expect(tests.map(({ file, reason }) => [repo.paths[file], reason])).toEqual([
      ["src/cart.test.ts", "reaches the change"],
      ["src/other.test.ts", "imports the change"],
    ]);
  });

  test("of a type includes its members and its subtypes", async () => {
    const repo = await shop;
    const { affected, tests } = findImpact(repo.graph, [repo.node("src/cart.ts Base")], { ...IMPACT, depth: 1 });
    expect(affected.map(({ node, reason }) => [repo.write(node), reason])).toEqual([
      ["src/cart.ts Base", "changed"],
      ["src/cart.ts Base.total", "contains"],
      ["src/cart.ts Cart", "extends"],
    ]);
    expect(tests.map(({ file, reason }) => [repo.paths[file], reason])).toEqual([
      ["src/cart.test.ts", "is named after it"],
    ]);
  });

  test("of a file includes all its symbols and the file itself", async () => {
    const repo = await shop;
    expect(nodesOf(repo.graph, repo.paths.indexOf("src/cart.ts"))).toHaveLength(7);
  });

  test("of code outside all functions reaches the importers", async () => {
    const repo = await shop;
    const { affected } = findImpact(repo.graph, [repo.node("src/cart.ts")], IMPACT);
    expect(affected.map(({ node, reason }) => [repo.write(node), reason])).toEqual([
      ["src/cart.ts", "changed"],
      ["src/app.ts", "imports"],
      ["src/cart.test.ts", "imports"],
    ]);
  });

  test("ends at its limits", async () => {
    const repo = await shop;
    const start = [repo.node("src/price.ts price")];
    expect(findImpact(repo.graph, start, { ...IMPACT, maxNodes: 1 })).toMatchObject({
      isCut: true,
      affected: { length: 1 },
    });
    expect(findImpact({ ...repo.graph, isLate: () => true }, start, IMPACT)).toMatchObject({ isCut: true });
    expect(findImpact(repo.graph, start, { ...IMPACT, threshold: 0.9 }).affected).toHaveLength(1);
    expect(findImpact(repo.graph, [], IMPACT)).toEqual({ affected: [], tests: [], isCut: false });
  });
});

describe("neighbours", () => {
  test("come with their relation, nearest first", async () => {
    const repo = await shop;
    const found = expand(repo.graph, [{ node: repo.node("src/price.ts price"), score: 1 }], { depth: 1, maxNodes: 10 });
    expect(
      found.map(({ node, relation, of, distance }) => [repo.write(node), relation, repo.write(of), distance]),
    ).toEqual([
      ["src/price.ts price", "seed", "src/price.ts price", 0],
      ["src/price.ts round", "calls", "src/price.ts price", 1],
      ["src/cart.ts Cart.total", "called by", "src/price.ts price", 1],
    ]);
  });

  test("of a type are its members and bases; a seed that is reached again keeps its score", async () => {
    const repo = await shop;
    const seeds = [
      { node: repo.node("src/cart.ts Cart"), score: 1 },
      { node: repo.node("src/cart.ts Base"), score: 0.9 },
    ];
    const found = expand(repo.graph, seeds, { depth: 1, maxNodes: 3 });
    expect(found.map(({ node, score, relation }) => [repo.write(node), score, relation])).toEqual([
      ["src/cart.ts Cart", 1, "seed"],
      ["src/cart.ts Base", 0.9, "seed"],
      ["src/app.ts main", 0.5, "called by"],
    ]);
  });

  test("that everything calls get a low score", () => {
    const graph = graphOf(Array.from({ length: 80 }, (_, at) => [at + 1, 0, 1] as const));
    const [, first] = expand(graph, [{ node: node(0), score: 1 }], { depth: 1, maxNodes: 5 });
    expect(first?.score).toBeCloseTo(0.05);
  });
});

describe("any graph", () => {
  const edges = fc.array(fc.tuple(fc.nat(12), fc.nat(12), fc.constantFrom(0.3, 0.6, 1)), { maxLength: 60 });

  test("is followed to its end, and exactly the nodes that reach themselves are marked", () => {
    fc.assert(
      fc.property(edges, (list) => {
        const chain = followCalls(graphOf(list), node(0), { ...CHAIN, depth: 50 });
        const next = new Map(chain.nodes.map((one) => [keyOf(one.node), one.callees.map(keyOf)]));
        for (const one of chain.nodes) expect(one.isCycle).toBe(reaches(next, keyOf(one.node)));
        expect(chain.isCut).toBe(false);
      }),
    );
  });

  test("has an impact that never grows and never passes the threshold", () => {
    fc.assert(
      fc.property(edges, (list) => {
        const { affected } = findImpact(graphOf(list), [node(0)], IMPACT);
        for (const { confidence, depth } of affected) {
          expect(confidence).toBeLessThanOrEqual(0.8 ** depth + 1e-9);
          expect(confidence).toBeGreaterThanOrEqual(IMPACT.threshold);
        }
        expect(new Set(affected.map((one) => keyOf(one.node))).size).toBe(affected.length);
      }),
    );
  });

  test("has paths that follow its edges", () => {
    fc.assert(
      fc.property(edges, (list) => {
        const calls = new Set(list.map(([from, to]) => `${from} ${to}`));
        for (const { nodes } of findPaths(graphOf(list), node(0), node(1), PATHS)) {
          expect(nodes[0]).toEqual(node(0));
          expect(nodes.at(-1)).toEqual(node(1));
          for (const [at, one] of nodes.slice(1).entries())
            expect(calls).toContain(`${nodes[at]?.symbol} ${one.symbol}`);
        }
      }),
    );
  });
});

test("the innermost symbol of a line", async () => {
  const repo = await shop;
  const file = repo.paths.indexOf("src/cart.ts");
  expect([2, 4, 3, 99].map((line) => repo.write(nodeAt(repo.graph, file, line)))).toEqual([
    "src/cart.ts Base.total",
    "src/cart.ts Cart.total",
    "src/cart.ts Cart",
    "src/cart.ts",
  ]);
});

const node = (symbol: number): Node => ({ file: 0, symbol });

function reaches(next: ReadonlyMap<string, readonly string[]>, start: string): boolean {
  const seen = new Set<string>();
  const open = [...(next.get(start) ?? [])];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (key === start) return true;
    if (!seen.has(key)) open.push(...(next.get(key) ?? []));
    seen.add(key);
  }
  return false;
}

/** A graph of functions in one file, made from calls with their confidence. */
function graphOf(calls: readonly (readonly [number, number, number])[]): CodeGraph {
  const links =
    (one: 0 | 1, other: 0 | 1) =>
    (at: Node): Link[] =>
      calls
        .filter((call) => call[one] === at.symbol)
        .map((call) => ({ node: node(call[other]), kind: "call", confidence: call[2], line: 1 }));
  const symbol = { name: "f", kind: "function", parent: null, startLine: 1, endLine: 1, nameLine: 1 } as const;
  return {
    path: () => "a.ts",
    symbols: () => Array.from({ length: 100 }, () => symbol),
    linksFrom: links(0, 1),
    linksTo: links(1, 0),
    importersOf: () => [],
    isTest: () => false,
    isLate: () => false,
  };
}
