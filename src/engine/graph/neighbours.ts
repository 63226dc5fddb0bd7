import { byPlace, type CodeGraph, keyOf, membersOf, type Node } from "./code-graph.ts";

/** How a node is related to another. */
type Relation = "seed" | "calls" | "called by" | "extends" | "extended by" | "member of" | "has member";

/** A node related to a seed. */
export interface Neighbour {
  readonly node: Node;
  /** The seed's score, reduced by each step. */
  readonly score: number;
  /** Number of steps from the nearest seed. */
  readonly distance: number;
  /** Its relation to `of`; a seed's `of` is itself. */
  readonly relation: Relation;
  readonly of: Node;
}

/** Where an expansion starts. */
interface Seed {
  readonly node: Node;
  readonly score: number;
}

/** How far an expansion goes. */
interface ExpandOptions {
  readonly depth: number;
  readonly maxNodes: number;
}

/**
 * Factor that each kind of step applies to the score. Callees explain a node better than its callers, of which there
 * can be many; a function that everything calls explains nothing.
 */
const WEIGHTS: Readonly<Record<Exclude<Relation, "seed">, number>> = {
  calls: 0.6,
  "called by": 0.5,
  extends: 0.6,
  "extended by": 0.4,
  "member of": 0.4,
  "has member": 0.3,
};

/** Largest factor of any step, and of a step to a caller or a subtype. */
const BEST_STEP = Math.max(...Object.values(WEIGHTS));
const BEST_STEP_TO = Math.max(WEIGHTS["called by"], WEIGHTS["extended by"]);

/** A node with more links than this divides its score among them. */
const MANY_LINKS = 8;

/** The nodes around some seeds, best first, including the seeds. */
export function expand(graph: CodeGraph, seeds: readonly Seed[], { depth, maxNodes }: ExpandOptions): Neighbour[] {
  const best = new Map<string, Neighbour>();
  for (const { node, score } of seeds) {
    if ((best.get(keyOf(node))?.score ?? 0) < score)
      best.set(keyOf(node), { node, score, distance: 0, relation: "seed", of: node });
  }
  let level = [...best.values()];
  for (let distance = 1; distance <= depth && level.length > 0; distance++) {
    const next = new Map<string, Neighbour>();
    for (const from of level.sort(byScore).slice(0, maxNodes)) {
      if (graph.isLate()) break;
      // Incoming links are expensive to look up, so steps whose result cannot be among the best are skipped.
      const least = leastOf(maxNodes, best, next);
      if (from.score * BEST_STEP < least) break;
      for (const { node, relation, factor } of stepsFrom(graph, from.node, {
        withLinksTo: from.score * BEST_STEP_TO >= least,
      })) {
        const score = from.score * factor;
        const old = next.get(keyOf(node)) ?? best.get(keyOf(node));
        if (!old || old.score < score) next.set(keyOf(node), { node, score, distance, relation, of: from.node });
      }
    }
    level = [...next.values()];
    for (const neighbour of level) best.set(keyOf(neighbour.node), neighbour);
  }
  return [...best.values()].sort(byScore).slice(0, maxNodes);
}

const byScore = (one: Neighbour, other: Neighbour) =>
  other.score - one.score || one.distance - other.distance || byPlace(one.node, other.node);

/** Minimum score needed to be among the best `most` nodes; 0 while there is room. */
function leastOf(most: number, best: ReadonlyMap<string, Neighbour>, next: ReadonlyMap<string, Neighbour>): number {
  const scores = new Map<string, number>();
  for (const [key, { score }] of best) scores.set(key, score);
  for (const [key, { score }] of next) scores.set(key, Math.max(score, scores.get(key) ?? 0));
  if (scores.size < most) return 0;
  return Float64Array.from(scores.values()).sort()[scores.size - most] ?? 0;
}

interface StepOut {
  readonly node: Node;
  readonly relation: Exclude<Relation, "seed">;
  readonly factor: number;
}

function stepsFrom(graph: CodeGraph, node: Node, { withLinksTo }: { readonly withLinksTo: boolean }): StepOut[] {
  const from = graph.linksFrom(node).filter((link) => link.node.symbol !== null);
  const to = withLinksTo ? graph.linksTo(node).filter((link) => link.node.symbol !== null) : [];
  const members = membersOf(graph, node);
  const parent = node.symbol === null ? null : (graph.symbols(node.file)[node.symbol]?.parent ?? null);
  const step = (other: Node, relation: StepOut["relation"], confidence: number, count: number): StepOut => ({
    node: other,
    relation,
    factor: WEIGHTS[relation] * confidence * Math.min(1, MANY_LINKS / count),
  });
  return [
    ...from.map((link) => step(link.node, link.kind === "call" ? "calls" : "extends", link.confidence, from.length)),
    ...to.map((link) =>
      step(link.node, link.kind === "call" ? "called by" : "extended by", link.confidence, to.length),
    ),
    ...members.map((member) => step(member, "has member", 1, members.length)),
    ...(parent === null ? [] : [step({ file: node.file, symbol: parent }, "member of", 1, 1)]),
  ];
}
