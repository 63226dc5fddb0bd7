import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { Linter, type Rule } from "eslint";
import { builtinRules } from "eslint/use-at-your-own-risk";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../tests/support/doors.ts";
import { makeTestParser } from "../../../tests/support/grammars.ts";
import type { Language } from "./language.ts";
import { go } from "./languages/go.ts";
import { java } from "./languages/java.ts";
import { python } from "./languages/python.ts";
import { rust } from "./languages/rust.ts";
import { javascript, tsx, typescript } from "./languages/typescript.ts";

const parser = makeTestParser();

/** Cyclomatic complexity of every named function, in source order. */
type Ways = Map<string, number[]>;

function add(ways: Ways, name: string, count: number): void {
  ways.set(name, [...(ways.get(name) ?? []), count]);
}

interface Node {
  readonly type: string;
  readonly range: readonly [number, number];
  readonly parent: Node;
  readonly id?: Node | null;
  readonly key?: Node;
  readonly left?: Node;
  readonly property?: Node;
}

/** The node of the name that defines a function; null if it has none. */
function nameNode({ type, id, parent }: Node): Node | null | undefined {
  if (type === "FunctionDeclaration") return id;
  if (parent.type === "VariableDeclarator") return parent.id;
  if (parent.type !== "AssignmentExpression") return parent.key;
  // A private field is defined where it is declared.
  return parent.left?.property?.type === "PrivateIdentifier" ? null : parent.left?.property;
}

/** The counts of ESLint's complexity rule, which reports every function if the limit is 0. */
function byEslint(code: string): Ways {
  const told: { readonly node: Node; readonly at: number; readonly name: string; readonly count: number }[] = [];
  const complexity = builtinRules.get("complexity");
  const counting: Rule.RuleModule = {
    create: (context) => {
      const report = (said: { node: Node; data: { complexity: number } }) => {
        const [from, to] = nameNode(said.node)?.range ?? [0, 0];
        const name = code.slice(from, to).replace(/^["']|["']$/g, "");
        // A function that initialises a field is reported twice: once as the field's own code, which has no branches.
        const before = told.findIndex(({ node }) => node === said.node);
        if (before >= 0) told.splice(before, 1);
        told.push({ node: said.node, at: said.node.range[0], name, count: said.data.complexity });
      };
      const options = { value: [0] };
      return complexity?.create(Object.create(context, { report: { value: report }, options })) ?? {};
    },
  };
  const [problem] = new Linter().verify(
    code,
    {
      languageOptions: {
        ecmaVersion: "latest",
        sourceType: /^(?:import|export)\b/m.test(code) ? "module" : "commonjs",
      },
      plugins: { ours: { rules: { counting } } },
      rules: { "ours/counting": "error" },
    },
    { allowInlineConfig: false },
  );
  if (problem) throw new Error(problem.message);
  const ways: Ways = new Map();
  told.sort((one, other) => one.at - other.at);
  for (const { name, count } of told) if (name !== "") add(ways, name, count);
  return ways;
}

async function byParser(language: Language, code: string): Promise<Ways> {
  const ways: Ways = new Map();
  const { symbols } = await parser.parse(language, code);
  for (const { name, cyclomatic } of symbols) if (cyclomatic > 0) add(ways, name, cyclomatic);
  return ways;
}

/** Compares functions with a plain name; computed and quoted keys are written differently. */
async function compare(language: Language, code: string, plain: string) {
  const [ours, theirs] = [await byParser(language, code), byEslint(plain)];
  const different: string[] = [];
  let equal = 0;
  for (const [name, counts] of ours) {
    if (!/^#?[\w$]+$/.test(name)) continue;
    const told = theirs.get(name);
    if (told && `${told}` === `${counts}`) equal += counts.length;
    else different.push(`${name}: ${counts} instead of ${told}`);
  }
  return { equal, different };
}

const filesIn = (folder: string, ending: string) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending) && !path.endsWith(`.test${ending}`))
    .sort()
    .map((path) => readFileSync(join(projectRoot, folder, path), "utf8"));

async function compareAll(language: Language, codes: readonly string[], toPlain: (code: string) => string) {
  let equal = 0;
  const different: string[] = [];
  for (const code of codes) {
    const compared = await compare(language, code, toPlain(code));
    equal += compared.equal;
    different.push(...compared.different);
  }
  return { equal, different };
}

describe("the cyclomatic complexity of a function", () => {
  it.each([javascript, typescript, tsx])(
    "is what ESLint computes for its own rules, parsed as $id",
    async (language) => {
      const rules = filesIn("node_modules/eslint/lib/rules", ".js").slice(0, 60);
      const { equal, different } = await compareAll(language, rules, (code) => code);
      expect(different).toEqual([]);
      expect(equal).toBeGreaterThan(300);
    },
  );

  it("is what ESLint computes for our own sources without types", async () => {
    const toPlain = (code: string) => transformSync(code, { loader: "ts", target: "esnext" }).code;
    const some = filesIn("src", ".ts").filter((_, at) => at % 3 === 0);
    const { equal, different } = await compareAll(typescript, some, toPlain);
    expect(different).toEqual([]);
    expect(equal).toBeGreaterThan(500);
  });
});

/** Cognitive complexity of the only function of a text. */
async function cognitiveOf(language: Language, code: string): Promise<number | undefined> {
  return (await parser.parse(language, code)).symbols.find(({ cyclomatic }) => cyclomatic > 0)?.cognitive;
}

/** Counted by hand according to the published rules: one point per break in the flow, plus one per nesting level. */
const COGNITIVE: readonly (readonly [string, Language, string, number])[] = [
  ["a straight line", javascript, "function f() { a(); return b; }", 0],
  ["a switch as a whole", javascript, "function f(x) { switch (x) { case 1: a(); case 2: b(); default: c(); } }", 1],
  ["each level", javascript, "function f() { for (;;) { while (a) { if (b) c(); } } }", 1 + 2 + 3],
  [
    "a jump to a label",
    java,
    "class A { int f() { out: for (;;) { for (;;) { if (a) continue out; } } } }",
    1 + 2 + 3 + 1,
  ],
  [
    "else and else if without their level",
    javascript,
    "function f() { if (a) b(); else if (c) d(); else { if (e) g(); } }",
    1 + 1 + 1 + 2,
  ],
  ["the same in Python", python, "def f():\n  if a: b()\n  elif c: d()\n  else:\n    if e: g()\n", 1 + 1 + 1 + 2],
  ["the same in Go", go, "package p\nfunc f() { if a { b() } else if c { d() } else { if e { g() } } }", 1 + 1 + 1 + 2],
  ["the same in Rust", rust, "fn f() { if a { b() } else if c { d() } else { if e { g() } } }", 1 + 1 + 1 + 2],
  ["catch, but not try", javascript, "function f() { try { if (a) b(); } catch (e) { if (c) d(); } }", 1 + 1 + 2],
  ["a conditional expression inside another", javascript, "function f() { return a ? b : (c ? d : e); }", 1 + 2],
  ["a row of equal operators once", javascript, "function f() { return a && b && (c && d); }", 1],
  ["each change of operator", javascript, "function f() { return a && b || c && d; }", 3],
  ["a row inside of a negation", javascript, "function f() { return a && !(b && c); }", 2],
  ["a row inside of an argument", javascript, "function f() { return a && g(b && c); }", 2],
  ["rows in Python", python, "def f():\n  return a and b and not (c and d)\n", 2],
  ["what is in an unnamed function deeper", javascript, "function f() { return a.map((b) => { if (b) c(); }); }", 2],
  ["a function that calls itself", javascript, "function f(n) { if (n) return f(n - 1) + f(n - 2); }", 1 + 1],
  [
    "a method that calls itself, not another of its name",
    python,
    "class A:\n  def f(self):\n    f()\n    return self.f()\n",
    1,
  ],
];

describe("the cognitive complexity of a function", () => {
  it.each(COGNITIVE)("counts %s", async (_, language, code, expected) => {
    expect(await cognitiveOf(language, code)).toBe(expected);
  });
});
