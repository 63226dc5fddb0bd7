import { describe, expect, it } from "vitest";
import { makeTestParser } from "../../../tests/support/grammars.ts";
import { PARSED_LANGUAGES } from "./languages/table.ts";

const parser = makeTestParser();

/** `source: name as alias, …`; `*` for a source as a whole, without an alias if every name is imported unchanged. */
async function importsIn(id: string, text: string): Promise<string[]> {
  const language = PARSED_LANGUAGES.find((known) => known.id === id);
  if (!language) throw new Error(`no language ${id}`);
  const { imports } = await parser.parse(language, text);
  return imports.map(({ source, names }) => {
    const told = names.map(({ name, alias }) => (alias === name || alias === "" ? name : `${name} as ${alias}`));
    return `${source}: ${told.join(", ")}`;
  });
}

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ["typescript", 'import "./a";', ["./a: "]],
  ["typescript", 'import a, { b, type C as D } from "./a";', ["./a: default as a, b, C as D"]],
  ["typescript", 'import type { A } from "./a.ts";', ["./a.ts: A"]],
  ["typescript", 'import * as a from "a";', ["a: * as a"]],
  ["typescript", 'export { a as b } from "./a";', ["./a: a as b"]],
  ["typescript", 'export * from "./a";\nexport * as c from "./c";', ["./a: *", "./c: * as c"]],
  ["typescript", 'const a = await import("./a");', ["./a: * as a", "./a: "]],
  ["javascript", 'const a = require("a");', ["a: * as a"]],
  ["javascript", 'const { b, c: d } = require("./a");', ["./a: b, c as d"]],
  ["javascript", 'require("./a");', ["./a: "]],
  ["javascript", 'const a = b("./a"), s = "import x from y";', []],
  ["python", "import a, b.c as d", ["a: * as a", "b.c: * as d"]],
  ["python", "from . import a", [".: a"]],
  ["python", "from ..a.b import (c,\n  d as e,  # why\n)", ["..a.b: c, d as e"]],
  ["python", "from a import *", ["a: *"]],
  ["go", 'package p\nimport "a/b"\nimport c "a/d"', ["a/b: * as b", "a/d: * as c"]],
  ["go", 'package p\nimport (\n  . "a"\n  _ "b"\n  "c/v2"\n)', ["a: *", "b: * as _", "c/v2: * as c"]],
  ["rust", "use a::b;", ["a: b"]],
  ["rust", "pub(crate) use a::{self, b::{c, d as e}, f::*};", ["a: self as a", "a::b: c, d as e", "a::f: *"]],
  ["java", "import a.b.C;\nimport static a.D.e;\nimport a.f.*;", ["a.b: C", "a.D: e", "a.f: *"]],
  ["c", '#include <a/b.h>\n#include "c.h"', ["a/b.h: *", "c.h: *"]],
  ["cpp", "#include <vector>\n", ["vector: *"]],
  ["csharp", "using A.B;\nusing static A.C;\nusing D = A.E;", ["A.B: *", "A.C: *", "A: E as D"]],
  ["ruby", 'require "a"\nrequire_relative "../b"\nx.require "c"', ["a: *", "../b: *"]],
  ["php", "<?php use A\\B; use A\\{C, D as E}; use function A\\f;", ["A: B", "A: C, D as E", "A: f"]],
  ["php", "<?php require_once 'a.php';", ["a.php: *"]],
  ["kotlin", "import a.b.C\nimport a.d.*\nimport a.e as f", ["a.b: C", "a.d: *", "a: e as f"]],
  ["swift", "import A\nimport struct B.C\n@testable import D", ["A: *", "B: C", "D: *"]],
  ["scala", "import a.b.C\nimport a.{D, E => F}\nimport a.g._", ["a.b: C", "a: D, E as F", "a.g: *"]],
  ["bash", 'source ./a.sh\n. "b.sh"', ["./a.sh: *", "b.sh: *"]],
];

describe("imports", () => {
  it.each(CASES)("of %s: %j", async (id, text, expected) => {
    expect(await importsIn(id, text)).toEqual(expected);
  });

  it("with nested groups are followed to a limited depth", async () => {
    const [first] = await importsIn("rust", `use ${"a::{".repeat(50)}b${"}".repeat(50)};`);
    expect(first).toBe(undefined);
  });
});
