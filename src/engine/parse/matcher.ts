import { pushTo } from "../../base/maps.ts";
import type { FlatTree } from "./flat-tree.ts";
import type { Pattern, TreeRule } from "./pattern.ts";

/** A capture: its name, and the node's index in the tree. */
export interface Capture {
  readonly name: string;
  readonly node: number;
}

/** Called for each match with the index of its rule and its captures, which are valid only during the call. */
type Visit = (rule: number, captures: readonly Capture[]) => void;

/**
 * Maximum number of attempts per node of a tree. Patterns with several children try their combinations, which is
 * quadratic in the number of siblings of a hostile text; code stays below 4.
 */
const TRIES_A_NODE = 40;

/** Finds the matches of a language's rules in a tree, in source order. */
export class Matcher {
  readonly #byType = new Map<number, { readonly pattern: Pattern; readonly rule: number }[]>();
  /** 1 for every node type that a rule begins with; most nodes have other types. */
  readonly #begins = new Uint8Array(1 << 16);
  readonly #rules: readonly TreeRule[];
  readonly #isNamed: Uint8Array;

  /** `isNamed` has 1 at the id of every type that is not a token. */
  constructor(rules: readonly TreeRule[], isNamed: Uint8Array) {
    this.#rules = rules;
    this.#isNamed = isNamed;
    for (const [rule, { pattern }] of rules.entries()) this.#index(pattern, rule, pattern.captures);
  }

  /** Visits every match. Contract: linear in the size of the tree; matches beyond that budget are left out. */
  search(tree: FlatTree, text: string, visit: Visit): void {
    const captures: Capture[] = [];
    const search = new Search(tree, captures, this.#isNamed);
    for (let node = 0; node < tree.count; node++) {
      const type = tree.type[node] ?? 0;
      if (this.#begins[type] === 0) continue;
      for (const { pattern, rule } of this.#byType.get(type) ?? []) {
        search.match(pattern, node, () => {
          if (this.#holds(rule, captures, tree, text)) visit(rule, captures);
        });
      }
    }
  }

  #holds(rule: number, captures: readonly Capture[], tree: FlatTree, text: string): boolean {
    for (const { capture, fits } of this.#rules[rule]?.conditions ?? []) {
      const found = captures.find(({ name }) => name === capture);
      if (found && !fits(text.slice(tree.start[found.node], tree.end[found.node]))) return false;
    }
    return true;
  }

  /** A rule that begins with alternatives is indexed under the type of each. */
  #index(pattern: Pattern, rule: number, captures: readonly string[]): void {
    for (const other of pattern.either) this.#index(other, rule, [...other.captures, ...captures]);
    if (pattern.either.length > 0) return;
    for (const type of pattern.types ?? []) {
      pushTo(this.#byType, type, { pattern: { ...pattern, captures }, rule });
      this.#begins[type] = 1;
    }
  }
}

/** One walk through a tree: tries patterns and continues with every way in which they match. */
class Search {
  readonly #tree: FlatTree;
  readonly #captures: Capture[];
  readonly #isNamed: Uint8Array;
  #tries: number;

  constructor(tree: FlatTree, captures: Capture[], isNamed: Uint8Array) {
    this.#tree = tree;
    this.#captures = captures;
    this.#isNamed = isNamed;
    this.#tries = 10_000 + tree.count * TRIES_A_NODE;
  }

  match(pattern: Pattern, node: number, goOn: () => void): void {
    if (pattern.either.length > 0) {
      this.#capture(pattern, node);
      for (const other of pattern.either) if (this.#fits(other, node)) this.match(other, node, goOn);
      this.#release(pattern);
      return;
    }
    if (pattern.absent.length > 0 && this.#hasOneOf(node, pattern.absent)) return;
    this.#capture(pattern, node);
    if (pattern.steps.length === 0) goOn();
    else this.#matchSteps(pattern, 0, node + 1, this.#tree.next[node] ?? 0, goOn);
    this.#release(pattern);
  }

  #capture({ captures }: Pattern, node: number): void {
    for (const name of captures) this.#captures.push({ name, node });
  }

  #release({ captures }: Pattern): void {
    // Setting the length would be slower than everything else here.
    for (let left = captures.length; left > 0; left--) this.#captures.pop();
  }

  #matchSteps(pattern: Pattern, at: number, from: number, end: number, goOn: () => void): void {
    const step = pattern.steps[at];
    if (!step) {
      if (!pattern.endsLast || !this.#hasNamed(from, end)) goOn();
      return;
    }
    const wanted = step.pattern;
    for (let child = from; child < end; child = this.#tree.next[child] ?? end) {
      if (this.#tries-- <= 0) return;
      if (this.#fits(wanted, child)) {
        const after = this.#tree.next[child] ?? end;
        this.match(wanted, child, () => this.#matchSteps(pattern, at + 1, after, end, goOn));
      }
      // Tokens between adjacent nodes are allowed, as in tree-sitter's own queries.
      if (step.isNext && this.#isNamed[this.#tree.type[child] ?? 0] === 1) return;
    }
  }

  #fits(pattern: Pattern, node: number): boolean {
    if (pattern.field !== 0 && this.#tree.field[node] !== pattern.field) return false;
    if (pattern.either.length > 0) return pattern.either.some((other) => this.#fits(other, node));
    const type = this.#tree.type[node] ?? 0;
    if (pattern.types) return pattern.types.has(type);
    return pattern.types === undefined || this.#isNamed[type] === 1;
  }

  #hasOneOf(node: number, fields: readonly number[]): boolean {
    const end = this.#tree.next[node] ?? 0;
    for (let child = node + 1; child < end; child = this.#tree.next[child] ?? end) {
      if (fields.includes(this.#tree.field[child] ?? 0)) return true;
    }
    return false;
  }

  #hasNamed(from: number, end: number): boolean {
    for (let child = from; child < end; child = this.#tree.next[child] ?? end) {
      if (this.#isNamed[this.#tree.type[child] ?? 0] === 1) return true;
    }
    return false;
  }
}
