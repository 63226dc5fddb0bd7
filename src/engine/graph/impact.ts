import { byPlace, type CodeGraph, keyOf, membersOf, type Node } from "./code-graph.ts";

/** Why something is affected. */
type ImpactReason = "changed" | "calls" | "extends" | "contains" | "may run instead" | "imports";

/** A node that a change may affect. */
export interface Affected {
  readonly node: Node;
  /** Number of steps from what is changed; 0 for the change itself. */
  readonly depth: number;
  /** 1 for what is changed, then decreasing. */
  readonly confidence: number;
  readonly reason: ImpactReason;
  /** The node that it depends on; null for what is changed. */
  readonly via: Node | null;
}

/** A test worth running. */
export interface TestToRun {
  readonly file: number;
  readonly confidence: number;
  readonly reason: "changed" | "reaches the change" | "imports the change" | "is named after it";
}

/** What a change may affect. */
export interface Impact {
  /** Highest confidence first. */
  readonly affected: readonly Affected[];
  /** Highest confidence first. */
  readonly tests: readonly TestToRun[];
  /** Whether results were left out because of a limit. */
  readonly isCut: boolean;
}

/** How far an impact is followed. */
interface ImpactOptions {
  readonly depth: number;
  /** Factor by which each step reduces the confidence. */
  readonly decay: number;
  /** Results with less confidence are left out. */
  readonly threshold: number;
  readonly maxNodes: number;
}

/** A call of an overridden method may run the overriding one. */
const OVERRIDE = 0.6;
/** A file that imports another may use its code outside all functions. */
const IMPORT = 0.5;

/** Every symbol of a file, and the file itself. */
export function nodesOf(graph: CodeGraph, file: number): Node[] {
  return [{ file, symbol: null }, ...graph.symbols(file).map((_, symbol) => ({ file, symbol }))];
}

/** Direct and indirect dependants of what is changed. */
export function findImpact(graph: CodeGraph, changed: readonly Node[], options: ImpactOptions): Impact {
  const best = new Map<string, Affected>();
  for (const node of changed) best.set(keyOf(node), { node, depth: 0, confidence: 1, reason: "changed", via: null });
  let level = [...best.values()];
  let isCut = false;
  for (let depth = 0; depth < options.depth && level.length > 0; depth++) {
    const next = new Map<string, Affected>();
    for (const from of level) {
      if (graph.isLate()) isCut = true;
      if (isCut) break;
      for (const to of dependentsOf(graph, from, options)) {
        const old = best.get(keyOf(to.node)) ?? next.get(keyOf(to.node));
        if (to.confidence < options.threshold || (old && old.confidence >= to.confidence)) continue;
        next.set(keyOf(to.node), to);
      }
    }
    level = [...next.values()].sort(bySureness);
    if (best.size + level.length > options.maxNodes) {
      isCut = true;
      level = level.slice(0, Math.max(0, options.maxNodes - best.size));
    }
    for (const affected of level) best.set(keyOf(affected.node), affected);
  }
  const affected = [...best.values()].sort(bySureness);
  return { affected, tests: findTests(graph, affected, options), isCut };
}

const bySureness = (one: Affected, other: Affected) =>
  other.confidence - one.confidence || one.depth - other.depth || byPlace(one.node, other.node);

function* dependentsOf(graph: CodeGraph, from: Affected, { decay }: ImpactOptions): Iterable<Affected> {
  const { node, depth, confidence } = from;
  const to = (other: Node, reason: ImpactReason, factor: number): Affected => ({
    node: other,
    depth: depth + 1,
    confidence: confidence * decay * factor,
    reason,
    via: node,
  });
  for (const link of graph.linksTo(node))
    yield to(link.node, link.kind === "call" ? "calls" : "extends", link.confidence);
  // A changed type includes its members; a type that is only affected does not.
  if (from.reason === "changed")
    for (const member of membersOf(graph, node)) yield { ...to(member, "contains", 1), confidence };
  for (const overridden of overriddenBy(graph, node)) yield to(overridden, "may run instead", OVERRIDE);
  if (node.symbol === null && from.reason === "changed") {
    for (const file of graph.importersOf(node.file)) yield to({ file, symbol: null }, "imports", IMPORT);
  }
}

/** The members that a method overrides: same name, in the bases of its type. */
function overriddenBy(graph: CodeGraph, { file, symbol }: Node): Node[] {
  const own = symbol === null ? undefined : graph.symbols(file)[symbol];
  if (own?.kind !== "method" || own.parent === null) return [];
  return graph
    .linksFrom({ file, symbol: own.parent })
    .filter(({ kind }) => kind === "base")
    .flatMap(({ node }) => membersOf(graph, node).filter((member) => nameOf(graph, member) === own.name));
}

const nameOf = (graph: CodeGraph, { file, symbol }: Node) =>
  symbol === null ? undefined : graph.symbols(file)[symbol]?.name;

function findTests(graph: CodeGraph, affected: readonly Affected[], { decay, threshold }: ImpactOptions): TestToRun[] {
  const best = new Map<number, TestToRun>();
  const put = (test: TestToRun) => {
    if (test.confidence >= threshold && (best.get(test.file)?.confidence ?? 0) < test.confidence)
      best.set(test.file, test);
  };
  for (const { node, confidence, depth } of affected) {
    if (graph.isTest(node.file))
      put({ file: node.file, confidence, reason: depth === 0 ? "changed" : "reaches the change" });
  }
  for (const file of new Set(affected.filter(({ depth }) => depth === 0).map(({ node }) => node.file))) {
    for (const importer of graph.importersOf(file)) {
      if (!graph.isTest(importer)) continue;
      const isNamesake = stemOf(graph.path(importer)) === stemOf(graph.path(file));
      put({
        file: importer,
        confidence: isNamesake ? decay : decay * IMPORT,
        reason: isNamesake ? "is named after it" : "imports the change",
      });
    }
  }
  return [...best.values()].sort((one, other) => other.confidence - one.confidence || one.file - other.file);
}

/** The name that a file and its test share: `a/foo.test.ts`, `test_foo.py`, `FooTest.java`, `foo_spec.rb` → `foo`. */
function stemOf(path: string): string {
  const base = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  return base
    .replace(/^(?:test|spec)[_-]|[_-](?:test|tests|spec)$/i, "")
    .replace(/(?:Tests?|Spec)$/, "")
    .toLowerCase();
}
