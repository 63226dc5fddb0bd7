import { describe, expect, it } from "vitest";
import { makeTestParser } from "../../../tests/support/grammars.ts";
import type { FileFacts, SymbolFact } from "./facts.ts";
import { PARSED_LANGUAGES } from "./languages/table.ts";

const parser = makeTestParser();

async function factsOf(id: string, text: string): Promise<FileFacts> {
  const language = PARSED_LANGUAGES.find((known) => known.id === id);
  if (!language) throw new Error(`no language ${id}`);
  return parser.parse(language, text);
}

async function symbolOf(id: string, text: string, name: string): Promise<SymbolFact | undefined> {
  return (await factsOf(id, text)).symbols.find((symbol) => symbol.name === name);
}

describe("symbols", () => {
  it("have all facts that the code contains", async () => {
    const text = `
/**
 * Adds one.
 * In a second line.
 *
 * @param by what to add
 */
export async function add(
  value: number, // the first
  by = 1,
): Promise<number> {
  return value ? value + by : 0;
}
`;
    expect(await factsOf("typescript", text)).toEqual({
      symbols: [
        {
          name: "add",
          kind: "function",
          parent: null,
          owner: "",
          signature: "export async function add( value: number, // the first by = 1, ): Promise<number>",
          startLine: 8,
          endLine: 13,
          nameLine: 8,
          doc: "Adds one. In a second line.",
          visibility: "public",
          exported: true,
          cyclomatic: 3,
          cognitive: 1,
          type: "Promise<number>",
        },
      ],
      calls: [],
      imports: [],
      bases: [],
      variables: [],
      namespace: "",
      complete: true,
    });
  });

  it.each([
    ["python", "def f():\n    '''Says what.\n\n    More.'''\n", "Says what."],
    ["python", "# Not this one.\n\ndef f():\n    pass\n", ""],
    ["python", "# Says what.\n@decorated\ndef f():\n    pass\n", "Says what."],
    ["go", "package p\n\n// Says\n// what.\nfunc f() {}\n", "Says what."],
    ["rust", "/// Says what.\n#[inline]\nfn f() {}\n", "Says what."],
    ["csharp", "class A {\n  /// <summary>Says what.</summary>\n  void f() {}\n}", "Says what."],
    ["java", "class A {\n  /** Says what. */\n  @Override\n  void f() {}\n}", "Says what."],
    ["ruby", "# Says what.\ndef f\nend\n", "Says what."],
    ["bash", "#!/bin/sh\n# Says what.\nf() { :; }\n", "Says what."],
    ["c", "int a; // not this\n\nint f(void) { return 1; }\n", ""],
  ])("in %s have the comment of %j", async (id, text, doc) => {
    expect((await symbolOf(id, text, "f"))?.doc).toBe(doc);
  });

  it.each([
    ["typescript", "class A { private f() {} }", "private", false],
    ["typescript", "class A { #f() {} }", "private", false],
    ["typescript", "export class A { protected f() {} }", "protected", true],
    ["typescript", "function f() {}\nexport { f };", "public", true],
    ["javascript", "function f() {}\nmodule.exports = { f };", "public", true],
    ["javascript", "function f() {}", "public", false],
    ["python", "def _f(): pass", "private", false],
    ["go", "package p\nfunc F() {}", "public", true],
    ["go", "package p\nfunc f() {}", "package", false],
    ["rust", "pub(crate) fn f() {}", "internal", true],
    ["rust", "fn f() {}", "private", false],
    ["java", "public class A { void f() {} }", "package", true],
    ["java", "public class A { private void f() {} }", "private", false],
    ["c", "static int f(void) { return 1; }", "private", false],
    ["cpp", "class A {\n  void f();\n};", "private", false],
    ["cpp", "class A {\npublic:\n  void f();\n};", "public", true],
    ["csharp", "public class A { void f() {} }", "private", false],
    ["csharp", "public class A { internal void f() {} }", "internal", true],
    ["ruby", "class A\n  private\n  def f\n  end\nend", "private", false],
    ["php", "<?php class A { protected function f() {} }", "protected", true],
    ["kotlin", "internal fun f() {}", "internal", true],
    ["swift", "fileprivate func f() {}", "private", false],
    ["scala", "class A { private def f = 1 }", "private", false],
  ])("in %s have the visibility of %j", async (id, text, visibility, exported) => {
    const symbol = await symbolOf(
      id,
      text,
      /\bF\b/.test(text) ? "F" : id === "python" ? "_f" : text.includes("#f") ? "#f" : "f",
    );
    expect(symbol).toMatchObject({ visibility, exported });
  });

  it("with the same name are all kept, in source order", async () => {
    const { symbols } = await factsOf("python", "def f(): pass\nif a:\n    def f(): pass\n");
    expect(symbols.map(({ name, startLine }) => [name, startLine])).toEqual([
      ["f", 1],
      ["f", 3],
    ]);
  });

  it("have texts of limited length", async () => {
    const long = "x".repeat(5_000);
    const symbol = await symbolOf("typescript", `/** ${long} */\nfunction f(a = "${long}") {}`, "f");
    expect(symbol?.doc.length).toBeLessThanOrEqual(300);
    expect(symbol?.signature.length).toBeLessThanOrEqual(200);
  });
});

describe("calls", () => {
  it("have a kind, a receiver, a line and a caller", async () => {
    const { calls } = await factsOf(
      "typescript",
      "@Injectable()\nclass A {\n  m() {\n    this.x.run(new B());\n  }\n}\nf();\n",
    );
    expect(calls).toEqual([
      { callee: "Injectable", receiver: "", from: 0, line: 1, kind: "decorator" },
      { callee: "run", receiver: "this.x", from: 1, line: 4, kind: "call" },
      { callee: "B", receiver: "", from: 1, line: 4, kind: "new" },
      { callee: "f", receiver: "", from: null, line: 7, kind: "call" },
    ]);
  });

  it("include macros", async () => {
    const { calls } = await factsOf("rust", 'fn f() { log::info!("{}", g(1)); }');
    expect(calls.map(({ callee, receiver, kind }) => [callee, receiver, kind])).toEqual([
      ["info", "log", "macro"],
      ["g", "", "call"],
    ]);
  });
});

describe("bases", () => {
  it.each([
    ["typescript", "class A extends B<C> implements D, e.F {}", ["B", "D", "e.F"]],
    ["javascript", "class A extends b.C {}", ["b.C"]],
    ["python", "class A(B, c.D, Generic[T], metaclass=M): pass", ["B", "c.D", "Generic"]],
    ["go", "package p\ntype A struct {\n  B\n  *c.D\n  e int\n}", ["B", "c.D"]],
    ["rust", "struct A;\nimpl B for A {}\nimpl c::D<E> for A {}", ["B", "c::D"]],
    ["java", "class A extends B<C> implements D, E {}", ["B", "D", "E"]],
    ["cpp", "class A : public B, private c::D<E> {};", ["B", "c::D<E>"]],
    ["csharp", "class A : B, C<D> {}", ["B", "C"]],
    ["ruby", "class A < B::C\n  include D\nend", ["B::C", "D"]],
    ["php", "<?php class A extends B implements C { use D; }", ["B", "C", "D"]],
    ["kotlin", "class A : B(1), C by d", ["B", "C"]],
    ["swift", "class A: B, C {}", ["B", "C"]],
    ["scala", "class A extends B[C] with D", ["B", "D"]],
  ])("in %s are those of %j", async (id, text, expected) => {
    const { bases, symbols } = await factsOf(id, text);
    expect(bases.map(({ name }) => name)).toEqual(expected);
    expect(new Set(bases.map(({ symbol }) => symbols[symbol]?.name))).toEqual(new Set(["A"]));
  });
});
