import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files of one language that refer to each other in every way that resolution supports. */
interface Tangle {
  readonly paths: readonly string[];
  /** Parts of which a file may consist, in their order in the file. */
  readonly pieces: readonly string[];
}

const TANGLES: readonly Tangle[] = [
  {
    paths: ["app/__init__.py", "app/core.py", "app/util.py", "lib/core.py", "core.py", "app/sub/__init__.py", "run.py"],
    pieces: [
      "from app.core import Shape, area",
      "from .util import *",
      "from core import area as measure",
      "import app.util",
      "from app import util, core",
      "class Shape:\n    def grow(self):\n        return self.paint_once()\n    def twice(self):\n        return area()",
      "class Round(Shape):\n    def spin(self):\n        self.grow()\n        return Shape()",
      "def area():\n    return make().grow()",
      "def make():\n    thing = Shape()\n    return thing",
      "def paint_once():\n    return measure()",
      "default = Round()",
      "def use(shape: Shape):\n    shape.grow()\n    util.make().twice()\n    app.util.area()\n    default.spin()\n    shape.odd().paint_once()",
      "class Painter:\n    def paint_once(self):\n        return area()",
    ],
  },
  {
    paths: [
      "web/a.ts",
      "web/b.ts",
      "web/deep/index.ts",
      "web/deep/c.ts",
      "kit/src/index.ts",
      "kit/src/tool.ts",
      "web/b.d.ts",
    ],
    pieces: [
      'import { Store, open } from "./b";',
      'import start from "./deep";',
      'import * as tool from "kit/tool";',
      'import { Store as Kept } from "@/deep/c";',
      'export * from "./a.js";',
      'export { open as begin } from "kit";',
      "export class Store {\n  save() { return open().load(); }\n  load(): Store { return this; }\n}",
      "export class Shop extends Store {\n  close() { this.save(); super.load(); }\n}",
      "export function open(): Store { return new Store(); }",
      "export default function start() { return open().save(); }",
      "export const shop = new Shop();",
      "export function use(store: Store) {\n  store.save();\n  tool.open().load();\n  start();\n  begin();\n  shop.close();\n  new Kept().load();\n}",
      "export interface Store { save(): void; load(): Store }",
    ],
  },
  {
    paths: ["srv/a.go", "srv/b.go", "srv/sub/c.go", "other/d.go"],
    pieces: [
      "package srv",
      'import "example.com/srv/sub"',
      "type Box struct{ inner Lid }",
      "type Lid struct{}",
      "func (b Box) Open() Lid { return b.inner }",
      "func (l Lid) Close() {}",
      "func New() Box { return Box{} }",
      "func Use() {\n\tNew().Open().Close()\n\tsub.New().Open()\n\tHelp()\n}",
      "func Help() { b := New(); b.Open() }",
    ],
  },
  {
    paths: ["src/lib.rs", "src/one.rs", "src/one/two.rs", "src/two.rs", "src/two/mod.rs"],
    pieces: [
      "mod one;\nmod two;",
      "use crate::one::Node;",
      "use super::two::link;",
      "use my_crate::one::two;",
      "pub struct Node { next: Option<Box<Node>> }",
      "impl Node { pub fn walk(&self) -> Node { link() } }",
      "pub fn link() -> Node { Node { next: None } }",
      "pub fn go(node: Node) { node.walk().walk(); link(); two::link(); }",
    ],
  },
  {
    paths: ["rb/a.rb", "rb/lib/b.rb", "rb/c.rb", "bin/tool", "Rakefile"],
    pieces: [
      "#!/usr/bin/env ruby",
      'require "b"',
      'require_relative "../c"',
      "class Cart\n  def total\n    tax_of(sum)\n  end\nend",
      "class Cart\n  def sum\n    Cart.new.total\n  end\nend",
      "module Shop\n  class Item < Cart\n    def price\n      total\n    end\n  end\nend",
      "def tax_of(sum)\n  sum\nend",
      "Cart.new.total\ntax_of(1)\nunknown.price_now",
      "class Deal\n  def price_now\n    price?\n  end\n  def price?\n    true\n  end\nend",
    ],
  },
  {
    paths: ["c/a.c", "c/a.h", "c/include/b.h", "c/b.c"],
    pieces: [
      '#include "a.h"',
      '#include "b.h"',
      "struct node { int size; };",
      "int measure(struct node *n);",
      "int measure(struct node *n) { return weigh(n); }",
      "static int weigh(struct node *n) { return n->size; }",
      "int weigh(struct node *n) { return 1; }",
      "int main(void) { return measure(0) + weigh(0); }",
    ],
  },
  {
    paths: ["j/p/A.java", "j/p/B.java", "j/q/C.java"],
    pieces: [
      "package p;",
      "import q.C;",
      "class A extends B {\n  C other;\n  void run() { stop(); other.start(); helper(); }\n}",
      "class B {\n  void stop() { new A().run(); }\n  C helper() { return null; }\n}",
      "public class C {\n  public B start() { return new B(); }\n  void all() { start().stop(); }\n}",
    ],
  },
];

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  "go.mod": ["module example.com\n", "module example.com/srv\n"],
  "Cargo.toml": ['[package]\nname = "my-crate"\n', '[package]\nname = "other"\n'],
  "kit/package.json": ['{ "name": "kit" }', '{ "name": "kit", "main": "dist/tool.js" }', '{ "name": "box" }'],
  "tsconfig.json": [
    '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["web/*"] } } }',
    '{ "extends": "./base.json" }',
  ],
  "base.json": [
    '{ "compilerOptions": { "baseUrl": "web" } }',
    '{ "compilerOptions": { "paths": { "@/deep/*": ["kit/src/*"] } } }',
  ],
};

const PATHS = [...TANGLES.flatMap(({ paths }) => paths), ...Object.keys(SETTINGS)];
/** Age of the first file; each change is a second later. Files that were just written count as unsure. */
const AGE_S = 24 * 60 * 60;

/** One change of a file. Numbers of any size are valid; they are reduced to a choice. */
export interface Step {
  readonly kind: "write" | "remove" | "rename";
  readonly file: number;
  /** Selects the pieces of its text, or its new path. */
  readonly pieces: number;
  /** Number of extra blank lines between pieces. */
  readonly shift: number;
}

/** A small repository in many languages whose files depend on each other and can change in every way. */
export class TangledRepo {
  readonly root: string;
  readonly #startS = Date.now() / 1_000 - AGE_S;
  #ticks = 0;

  constructor(root: string) {
    this.root = root;
    for (const file of PATHS.keys())
      this.change({ kind: "write", file, pieces: 2 ** 16 - 1 - 2 ** (file % 13), shift: 0 });
  }

  /** Writes, rewrites, renames or removes a file. */
  change({ kind, file, pieces, shift }: Step): void {
    const path = PATHS[file % PATHS.length] ?? "";
    const place = join(this.root, path);
    if (kind === "remove") rmSync(place, { force: true });
    else if (kind === "rename") this.#rename(path, pieces);
    else this.#write(path, textOf(path, pieces, shift));
  }

  #write(path: string, text: string): void {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    const atS = this.#startS + this.#ticks++;
    utimesSync(place, atS, atS);
  }

  /** Moves a file unchanged to another path of its language. */
  #rename(path: string, which: number): void {
    const own = TANGLES.find(({ paths }) => paths.includes(path))?.paths ?? [path];
    const to = join(this.root, own[which % own.length] ?? path);
    if (!existsSync(join(this.root, path))) return;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(join(this.root, path), to);
  }
}

function textOf(path: string, pieces: number, shift: number): string {
  const settings = SETTINGS[path];
  if (settings !== undefined) return settings[pieces % settings.length] ?? "";
  const own = TANGLES.find(({ paths }) => paths.includes(path))?.pieces ?? [];
  const chosen = own.filter((_, at) => (pieces & (1 << at)) !== 0);
  return `${chosen.join(`\n${"\n".repeat(shift % 3)}`)}\n`;
}
