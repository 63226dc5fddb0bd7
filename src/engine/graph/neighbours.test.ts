import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CodeGraph, Link, Node } from "./code-graph.ts";
import { expand, type Neighbour } from "./neighbours.ts";

const SYMBOLS = 12;

/** A graph of one file in which any symbol may call or extend any other; it counts the lookups of incoming links. */
function makeGraph(links: readonly { from: number; to: number; confidence: number; isCall: boolean }[]) {
  const toLink = (node: Node, { confidence, isCall }: (typeof links)[number]): Link => ({
    node,
    kind: isCall ? "call" : "base",
    confidence,
    line: 1,
  });
  const at = (symbol: number): Node => ({ file: 0, symbol });
  let asked = 0;
  const graph: CodeGraph = {
    path: () => "a.ts",
    symbols: () =>
      Array.from({ length: SYMBOLS }, (_, index) => ({
        ...{ name: `s${index}`, kind: index === 0 ? ("class" as const) : ("function" as const) },
        ...{ parent: index === 1 || index === 2 ? 0 : null, startLine: index, endLine: index, nameLine: index },
      })),
    linksFrom: ({ symbol }) => links.filter(({ from }) => from === symbol).map((link) => toLink(at(link.to), link)),
    linksTo: ({ symbol }) => {
      asked++;
      return links.filter(({ to }) => to === symbol).map((link) => toLink(at(link.from), link));
    },
    importersOf: () => [],
    isTest: () => false,
    isLate: () => false,
  };
  return { graph, asked: () => asked };
}

const toLines = (found: readonly Neighbour[]) =>
  found.map(
    ({ node, score, distance, relation, of }) => `${node.symbol} ${score} ${distance} ${relation} ${of.symbol}`,
  );

describe("the surroundings of seeds", () => {
  const link = fc.record({
    from: fc.nat(SYMBOLS - 1),
    to: fc.nat(SYMBOLS - 1),
    confidence: fc.constantFrom(0.3, 0.5, 0.9, 1),
    isCall: fc.boolean(),
  });
  const seeds = fc.array(fc.record({ symbol: fc.nat(SYMBOLS - 1), score: fc.constantFrom(0.2, 0.6, 0.9) }), {
    minLength: 1,
    maxLength: 4,
  });

  it("are the best of all reachable nodes, although not all are visited", () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 40 }), seeds, fc.integer({ min: 1, max: 8 }), (links, given, most) => {
        const from = given.map(({ symbol, score }) => ({ node: { file: 0, symbol }, score }));
        // If all nodes fit, nothing is skipped.
        const all = expand(makeGraph(links).graph, from, { depth: 2, maxNodes: SYMBOLS + 1 });
        const some = expand(makeGraph(links).graph, from, { depth: 2, maxNodes: most });
        const scores = (found: readonly Neighbour[]) => found.map(({ score }) => score).slice(0, most);
        expect(scores(some)).toEqual(scores(all));
        const worst = some.at(-1)?.score ?? 0;
        // Nodes tied for the last place are interchangeable.
        const certain = (found: readonly Neighbour[]) => toLines(found.filter(({ score }) => score > worst));
        expect(certain(some)).toEqual(certain(all.slice(0, most)));
      }),
    );
  });

  it("do not need the callers of a node from which no result can be among the best", () => {
    const callers = Array.from({ length: 6 }, (_, at) => ({ from: at + 3, to: 10, confidence: 1, isCall: true }));
    const { graph, asked } = makeGraph(callers);
    const found = expand(graph, [{ node: { file: 0, symbol: 10 }, score: 0.9 }], { depth: 2, maxNodes: 4 });
    expect(found).toHaveLength(4);
    expect(asked()).toBe(1);
  });
});
