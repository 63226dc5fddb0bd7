import { describe, expect, it } from "vitest";
import { findImports, makeImportFinder } from "./imports.ts";

const PATHS = [
  "app/__init__.py",
  "app/db/query.py",
  "app/models.py",
  "lib/store.ts",
  "lib/util/index.ts",
  "src/acme/Reader.java",
  "src/parser.rs",
];

function targets(from: string, line: string): string[] {
  return makeImportFinder(PATHS)(PATHS.indexOf(from), findImports([line])).map((file) => PATHS[file] ?? "");
}

describe("imports", () => {
  it.each([
    ["app/models.py", "from app.db import query", ["app/db/query.py"]],
    ["app/models.py", "from .db.query import run", ["app/db/query.py"]],
    ["app/models.py", "import os", []],
    ["lib/util/index.ts", 'import { get } from "../store.ts";', ["lib/store.ts"]],
    ["lib/store.ts", 'export { x } from "./util/index.js";', ["lib/util/index.ts"]],
    ["lib/store.ts", 'const x = require("./util");', ["lib/util/index.ts"]],
    ["app/models.py", "import acme.Reader;", ["src/acme/Reader.java"]],
    ["app/models.py", "use crate::parser;", ["src/parser.rs"]],
    ["lib/store.ts", 'import { self } from "./store.ts";', []],
    ["lib/store.ts", "const important = from;", []],
  ])("in %s: %s", (from, line, expected) => {
    expect(targets(from, line)).toEqual(expected);
  });

  it("are limited to four hundred, and long lines are skipped", () => {
    expect(findImports(Array.from({ length: 900 }, () => "import a.b"))).toHaveLength(400);
    expect(findImports([`import ${"a".repeat(400)}`])).toEqual([]);
  });

  it("resolve to nothing if they match many files", () => {
    const many = ["a/x.py", "b/x.py", "c/x.py", "d/x.py", "e/main.py"];
    expect(makeImportFinder(many)(4, findImports(["import x"]))).toEqual([]);
  });
});
