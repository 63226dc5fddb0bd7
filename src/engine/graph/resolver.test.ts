import { describe, expect, test } from "vitest";
import { makeRepository } from "../../../tests/support/code-graph.ts";
import { makeTestParser } from "../../../tests/support/grammars.ts";

const parser = makeTestParser();
const callsOf = async (files: Record<string, string>) => (await makeRepository(parser, files)).calls();

describe("TypeScript", () => {
  test("scopes, imports, re-exports and default exports", async () => {
    const calls = await callsOf({
      "src/shapes.ts": `export function area() { return helper(); }
function helper() { function helper() { return 1; } return helper(); }
export default function main() {}
function hidden() {}
export { hidden as shown };`,
      "src/index.ts": `export * from "./shapes.js";
export { area as surface } from "./shapes";`,
      "src/app.ts": `import start, { area as a } from "./shapes";
import { surface, shown } from "./index";
import * as all from "./shapes";
import { outside } from "elsewhere";
export function run(area: () => void) { a(); surface(); shown(); all.area(); start(); area(); outside(); parseInt("1"); }`,
    });
    expect(calls).toEqual([
      "src/app.ts run → src/shapes.ts area",
      "src/app.ts run → src/shapes.ts area",
      "src/app.ts run → src/shapes.ts area",
      "src/app.ts run → src/shapes.ts hidden",
      "src/app.ts run → src/shapes.ts main",
      "src/shapes.ts area → src/shapes.ts helper",
      "src/shapes.ts helper → src/shapes.ts helper.helper",
    ]);
  });

  test("types of variables, parameters, fields and results", async () => {
    const calls = await callsOf({
      "store.ts": `import type { Log } from "./log";
export class Base { protected open() {} }
export class Store extends Base {
  private readonly rows: Row[] = [];
  constructor(private readonly log: Log) { super(); this.open(); }
  first(): Promise<Row | undefined> { return Promise.resolve(this.rows[0]); }
  all() { for (const row of this.rows) row.show(); this.log.write("all"); return this; }
}
export class Row { show() {} }
export const makeStore = (log: Log) => new Store(log);`,
      "log.ts": `export interface Log { write(text: string): void; child: () => Log }`,
      "app.ts": `import { makeStore } from "./store";
async function run() {
  const store = makeStore(make());
  const row = await store.all().first();
  row?.show();
  const { log } = options();
  log.child().write("x");
}
function options(): Options { return null as never; }
interface Options { log: import("./log").Log }
function make(): never { throw new Error(); }
function guess(x) { x.show(); }`,
    });
    expect(calls).toEqual([
      "app.ts run → app.ts make",
      "app.ts run → app.ts options",
      "app.ts run → store.ts Row.show",
      "app.ts run → store.ts Store.all",
      "app.ts run → store.ts Store.first",
      "app.ts run → store.ts makeStore",
      "store.ts Store.all → log.ts Log.write",
      "store.ts Store.all → store.ts Row.show",
      "store.ts Store.constructor → store.ts Base",
      "store.ts Store.constructor → store.ts Base.open",
      "store.ts makeStore → store.ts Store",
    ]);
  });

  test("paths of tsconfig and packages of the repository", async () => {
    const calls = await callsOf({
      "tsconfig.json": `{ // with a comment
  "compilerOptions": { "baseUrl": ".", "paths": { "~/*": ["app/*"], }, } }`,
      "app/tool.ts": `export function tool() {}`,
      "app/main.ts": `import { tool } from "~/tool"; import { core } from "@x/core"; import { deep } from "@x/core/deep/it"; import { tool as same } from "app/tool";
export const go = () => { tool(); core(); deep(); same(); };`,
      "packages/core/package.json": `{ "name": "@x/core", "exports": { ".": { "import": "./dist/index.mjs" } } }`,
      "packages/core/src/index.ts": `export function core() {}`,
      "packages/core/src/deep/it.ts": `export function deep() {}`,
    });
    expect(calls).toEqual([
      "app/main.ts go → app/tool.ts tool",
      "app/main.ts go → app/tool.ts tool",
      "app/main.ts go → packages/core/src/deep/it.ts deep",
      "app/main.ts go → packages/core/src/index.ts core",
    ]);
  });

  test("files that import each other in cycles, and missing files", async () => {
    const calls = await callsOf({
      "a.ts": `export * from "./b"; export { lost } from "./missing"; import { x } from "./a"; export const y = () => x();`,
      "b.ts": `export * from "./a"; export const x = () => y; export const z = z.z();`,
      "c.js": `const { x } = require("./a"); const b = require("./b"); function go() { x(); b.x(); lost(); }`,
    });
    expect(calls).toEqual(["a.ts y → b.ts x", "c.js go → b.ts x", "c.js go → b.ts x"]);
  });
});

test("Python: packages, self, super, fields, results and protocols", async () => {
  const calls = await callsOf({
    "src/pkg/__init__.py": `from .models import Model\nfrom . import tools`,
    "src/pkg/base.py": `class Base:\n    def save(self):\n        return self\n    def __call__(self) -> "Base":\n        return self`,
    "src/pkg/models.py": `from pkg.base import Base
class Model(Base):
    def __init__(self, other: "Model", plain):
        super().__init__()
        self.other = other
        self.made = make()
    def save(self):
        super().save()
        self.other.save()
        self.made.save().save()
        self.missing.save()
def make() -> "Model":
    return Model(None, 1)`,
    "src/pkg/tools.py": `import json\ndef use(x):\n    return json.dumps(x)\ndef dumps(): pass`,
    "tests/test_models.py": `import pkg.base as base
import pkg.models
from pkg import Model, tools
def test_it(save):
    tools.use(Model(1, 2))
    pkg.models.make().save()
    base.Base()().save()
    save()`,
  });
  expect(calls).toEqual(
    [
      "src/pkg/models.py Model.save → src/pkg/base.py Base.save",
      "src/pkg/models.py Model.save → src/pkg/models.py Model.save",
      "src/pkg/models.py Model.save → src/pkg/models.py Model.save",
      "src/pkg/models.py make → src/pkg/models.py Model",
      "src/pkg/models.py Model.__init__ → src/pkg/models.py make",
      "tests/test_models.py test_it → src/pkg/base.py Base",
      "tests/test_models.py test_it → src/pkg/base.py Base.save",
      "tests/test_models.py test_it → src/pkg/models.py Model",
      "tests/test_models.py test_it → src/pkg/models.py Model.save",
      "tests/test_models.py test_it → src/pkg/models.py make",
      "tests/test_models.py test_it → src/pkg/tools.py use",
    ].sort(),
  );
});

test("Go: modules, packages over several files, receivers, fields and embedded types", async () => {
  const calls = await callsOf({
    "go.mod": "module example.org/shop\n\ngo 1.22\n",
    "cart/cart.go": `package cart
import "example.org/shop/price"
type Cart struct { Base; items []*price.Item; total *price.Sum }
func New() *Cart { return &Cart{} }
func (c *Cart) Add(i *price.Item) { c.log(i.Name()); for _, x := range c.items { x.Name() }; c.total.Plus(); helper() }`,
    "cart/base.go": `package cart
type Base struct{}
func (b Base) log(s string) {}
func helper() { New().Add(nil) }`,
    "price/price.go": `package price
type Item struct{}
func (i *Item) Name() string { return "" }
type Sum struct{}
func (s *Sum) Plus() (*Sum, error) { return s, nil }`,
    "main.go": `package main
import ( "fmt"; c "example.org/shop/cart" )
func main() { x := c.New(); x.Add(nil); fmt.Println(x); y, err := (&c.Cart{}).total.Plus(); y.Plus(); _ = err }`,
  });
  expect(calls).toEqual(
    [
      "cart/base.go helper → cart/cart.go Cart.Add",
      "cart/base.go helper → cart/cart.go New",
      "cart/cart.go Cart.Add → cart/base.go Base.log",
      "cart/cart.go Cart.Add → cart/base.go helper",
      "cart/cart.go Cart.Add → price/price.go Item.Name",
      "cart/cart.go Cart.Add → price/price.go Item.Name",
      "cart/cart.go Cart.Add → price/price.go Sum.Plus",
      "cart/cart.go New → cart/cart.go Cart",
      "main.go main → cart/cart.go Cart",
      "main.go main → cart/cart.go Cart.Add",
      "main.go main → cart/cart.go New",
    ].sort(),
  );
});

test("Java: packages, imports, static imports, fields, inherited members", async () => {
  const calls = await callsOf({
    "src/main/java/a/Base.java": `package a; public class Base { protected void open() {} static int count() { return 1; } }`,
    "src/main/java/a/Shop.java": `package a;
import b.Item; import static b.Item.parse; import b.c.*;
public class Shop extends Base {
  private Item item; private final List<Item> items = null;
  Shop(Item i) { super(); this.item = i; }
  Item first() { open(); Base.count(); item.show(); for (Item x : items) { x.show(); } parse("x").show(); new Deep().dig(); var y = first(); y.show(); return item; }
}`,
    "src/main/java/b/Item.java": `package b; public class Item { public void show() {} public static Item parse(String s) { return new Item(); } }`,
    "src/main/java/b/c/Deep.java": `package b.c; public class Deep { public void dig() {} }`,
    "src/main/java/z/Deep.java": `package z; public class Deep { public void dig() {} }`,
  });
  expect(calls).toEqual([
    "src/main/java/a/Shop.java Shop.Shop → src/main/java/a/Base.java Base",
    "src/main/java/a/Shop.java Shop.first → src/main/java/a/Base.java Base.count",
    "src/main/java/a/Shop.java Shop.first → src/main/java/a/Base.java Base.open",
    "src/main/java/a/Shop.java Shop.first → src/main/java/a/Shop.java Shop.first",
    "src/main/java/a/Shop.java Shop.first → src/main/java/b/Item.java Item.parse",
    "src/main/java/a/Shop.java Shop.first → src/main/java/b/Item.java Item.show",
    "src/main/java/a/Shop.java Shop.first → src/main/java/b/Item.java Item.show",
    "src/main/java/a/Shop.java Shop.first → src/main/java/b/Item.java Item.show",
    "src/main/java/a/Shop.java Shop.first → src/main/java/b/Item.java Item.show",
    "src/main/java/a/Shop.java Shop.first → src/main/java/b/c/Deep.java Deep",
    "src/main/java/a/Shop.java Shop.first → src/main/java/b/c/Deep.java Deep.dig",
    "src/main/java/b/Item.java Item.parse → src/main/java/b/Item.java Item",
  ]);
});

test("Rust: crates, modules, separate impl blocks, Self, options and loops", async () => {
  const calls = await callsOf({
    "core/Cargo.toml": `[package]\nname = "my-core"\n`,
    "core/src/lib.rs": `pub mod shape; pub use shape::Shape; pub fn top() {}`,
    "core/src/shape.rs": `use crate::top;
pub struct Shape { inner: Option<Inner>, all: Vec<Inner> }
pub struct Inner;
impl Inner { pub fn go(&self) {} }
impl Shape {
  pub fn new() -> Self { top(); Self::with() }
  fn with() -> Shape { super::top(); Shape { inner: None, all: vec![] } }
  pub fn run(&self) { self.inner.as_ref().unwrap().go(); for x in self.all.iter() { x.go(); } if let Some(y) = self.inner { y.go(); } }
}`,
    "core/src/extra.rs": `use crate::shape::Shape; impl Shape { pub fn extra(&self) { self.run(); } }`,
    "app/Cargo.toml": `[package]\nname = "app"\n`,
    "app/src/main.rs": `use my_core::{Shape, shape::Inner}; fn main() { let s = Shape::new(); s.run(); s.extra(); my_core::top(); println!("x"); }`,
  });
  expect(new Set(calls)).toEqual(
    new Set([
      "app/src/main.rs main → core/src/extra.rs Shape.extra",
      "app/src/main.rs main → core/src/lib.rs top",
      "app/src/main.rs main → core/src/shape.rs Shape.new",
      "app/src/main.rs main → core/src/shape.rs Shape.run",
      "core/src/extra.rs Shape.extra → core/src/shape.rs Shape.run",
      "core/src/shape.rs Shape.new → core/src/lib.rs top",
      "core/src/shape.rs Shape.new → core/src/shape.rs Shape.with",
      "core/src/shape.rs Shape.run → core/src/shape.rs Inner.go",
      "core/src/shape.rs Shape.with → core/src/lib.rs top",
      "core/src/shape.rs Shape.with → core/src/shape.rs Shape",
    ]),
  );
});

test("C and C++: headers and sources, statics, methods defined outside their class", async () => {
  expect(
    await callsOf({
      "inc/ring.h": `struct ring { int n; };\nstruct ring *ring_new(void);\nint ring_push(struct ring *r);`,
      "src/ring.c": `#include "ring.h"\nstatic int grow(struct ring *r) { return 1; }\nstruct ring *ring_new(void) { return 0; }\nint ring_push(struct ring *r) { return grow(r); }`,
      "src/other.c": `static int grow(int x) { return x; }\nint other(void) { return grow(1); }`,
      "src/main.c": `#include "../inc/ring.h"\nint main(void) { struct ring *r = ring_new(); return ring_push(r) + printf("x"); }`,
    }),
  ).toEqual([
    "src/main.c main → src/ring.c ring_new",
    "src/main.c main → src/ring.c ring_push",
    "src/other.c other → src/other.c grow",
    "src/ring.c ring_push → src/ring.c grow",
  ]);
  expect(
    await callsOf({
      "shape.hpp": `class Pen { public: void draw(); };\nclass Shape : public Base { Pen* pen; public: Shape(); void paint(); Pen& tip(); };`,
      "shape.cpp": `#include "shape.hpp"\nvoid Pen::draw() {}\nvoid Shape::paint() { pen->draw(); tip().draw(); reset(); auto p = new Pen(); p->draw(); }\nPen& Shape::tip() { return *pen; }`,
      "base.hpp": `class Base { public: void reset() {} };`,
    }),
  ).toEqual([
    "shape.cpp Shape.paint → base.hpp Base.reset",
    "shape.cpp Shape.paint → shape.cpp Pen.draw",
    "shape.cpp Shape.paint → shape.cpp Pen.draw",
    "shape.cpp Shape.paint → shape.cpp Pen.draw",
    "shape.cpp Shape.paint → shape.cpp Shape.tip",
    "shape.cpp Shape.paint → shape.hpp Pen",
  ]);
});

test("C#: namespaces, usings, partial classes, properties and base constructors", async () => {
  const calls = await callsOf({
    "A.cs": `using Shop.Data;
namespace Shop.App;
public partial class Desk : BaseDesk { private Store store = new Store(); public Store Other { get; set; }
  public Desk(Store s) : base(s) { }
  public Row Run() { store.Load(); Other.Load().Show(); var r = Run(); r.Show(); foreach (var x in store.All()) { x.Show(); } Later(); Open(); return r; } }`,
    "B.cs": `namespace Shop.App { public partial class Desk { void Later() {} } public class BaseDesk { protected void Open() {} } }`,
    "C.cs": `namespace Shop.Data { public class Store { public Row Load() => new Row(); public List<Row> All() => null; } public class Row { public void Show() {} } }`,
    "D.cs": `namespace Other { public class Store { public void Load() {} } }`,
  });
  expect(new Set(calls)).toEqual(
    new Set([
      "A.cs Desk.Desk → B.cs App.BaseDesk",
      "A.cs Desk.Run → A.cs Desk.Run",
      "A.cs Desk.Run → B.cs BaseDesk.Open",
      "A.cs Desk.Run → B.cs Desk.Later",
      "A.cs Desk.Run → C.cs Row.Show",
      "A.cs Desk.Run → C.cs Store.All",
      "A.cs Desk.Run → C.cs Store.Load",
      "A.cs Desk.store → C.cs Data.Store",
      "C.cs Store.Load → C.cs Data.Row",
    ]),
  );
});

test("Ruby: constants, mixins, fields, super and reopened classes", async () => {
  const calls = await callsOf({
    "lib/song.rb": `module Loud\n  def shout\n    title\n  end\nend\nclass Base\n  def play\n  end\nend\nclass Song < Base\n  include Loud\n  def initialize\n    @player = Player.new\n  end\n  def play\n    super\n    shout\n    @player.start\n    Tools::Fix.run\n  end\n  def title\n  end\nend`,
    "lib/player.rb": `class Player\n  def start\n    other = Song.new\n    other.play\n    other.added\n  end\nend\nmodule Tools\n  class Fix\n    def self.run\n    end\n  end\nend`,
    "lib/more.rb": `require_relative "song"\nclass Song\n  def added\n    play\n  end\nend`,
  });
  expect(new Set(calls)).toEqual(
    new Set([
      "lib/more.rb Song.added → lib/song.rb Song.play",
      "lib/player.rb Player.start → lib/more.rb Song.added",
      "lib/player.rb Player.start → lib/song.rb Song",
      "lib/player.rb Player.start → lib/song.rb Song.play",
      "lib/song.rb Song.initialize → lib/player.rb Player",
      "lib/song.rb Song.play → lib/player.rb Fix.run",
      "lib/song.rb Song.play → lib/player.rb Player.start",
      "lib/song.rb Song.play → lib/song.rb Base.play",
      "lib/song.rb Song.play → lib/song.rb Loud.shout",
    ]),
  );
});

test("PHP: namespaces, uses, promoted and typed fields, static and parent", async () => {
  const calls = await callsOf({
    "src/Post.php": `<?php\nnamespace App\\Blog;\nuse App\\Data\\Store;\nuse function App\\Data\\clean;\nclass Post extends Model {\n  private Store $store;\n  public function __construct(private Store $other, $plain) { $this->store = $other; parent::boot(); }\n  public function save(?Store $s): self { $this->store->put(); $this->other->put(); $s->put(); clean(); Store::open()->put(); $n = new Store(); $n->put(); static::make(); $plain->go(); return $this->save($s); }\n  static function make() {}\n}`,
    "src/Model.php": `<?php\nnamespace App\\Blog;\nclass Model { static function boot() {} }`,
    "src/Store.php": `<?php\nnamespace App\\Data;\nclass Store { public function put() {} public static function open(): Store { return new self(); } }\nfunction clean() {}`,
    "src/Other.php": `<?php\nnamespace Elsewhere;\nclass Store { public function put() {} }\nclass Model {}`,
  });
  expect(new Set(calls)).toEqual(
    new Set([
      "src/Post.php Post.__construct → src/Model.php Model.boot",
      "src/Post.php Post.save → src/Post.php Post.make",
      "src/Post.php Post.save → src/Post.php Post.save",
      "src/Post.php Post.save → src/Store.php Store",
      "src/Post.php Post.save → src/Store.php Store.open",
      "src/Post.php Post.save → src/Store.php Store.put",
      "src/Post.php Post.save → src/Store.php clean",
      "src/Store.php Store.open → src/Store.php Store",
    ]),
  );
});

test("Kotlin: packages, constructors, extension functions, inferred types", async () => {
  const calls = await callsOf({
    "a/Desk.kt": `package a\nimport b.Store\nimport b.shorten\nclass Desk(private val store: Store, other: Store) : Base() {\n  private val made = Store()\n  fun run(x: Store?): Store {\n    store.load()\n    made.load()\n    x?.load()\n    unlock()\n    help()\n    "x".shorten()\n    store.wide()\n    val y = run(x)\n    y.load()\n    return y\n  }\n}\nfun help() {}`,
    "a/Base.kt": `package a\nopen class Base {\n  fun unlock() {}\n}`,
    "b/Store.kt": `package b\nclass Store {\n  fun load() {}\n}\nfun Store.wide() {\n  load()\n}\nfun String.shorten() {}`,
  });
  expect(new Set(calls)).toEqual(
    new Set([
      "a/Desk.kt Desk → a/Base.kt Base",
      "a/Desk.kt Desk.made → b/Store.kt Store",
      "a/Desk.kt Desk.run → a/Base.kt Base.unlock",
      "a/Desk.kt Desk.run → a/Desk.kt Desk.run",
      "a/Desk.kt Desk.run → a/Desk.kt help",
      "a/Desk.kt Desk.run → b/Store.kt Store.load",
      "a/Desk.kt Desk.run → b/Store.kt Store.wide",
      "b/Store.kt Store.wide → b/Store.kt Store.load",
    ]),
  );
});

test("Swift: the whole module, separate extensions, properties and optionals", async () => {
  const calls = await callsOf({
    "Desk.swift": `class Desk: Base {\n  let store = Store()\n  var other: Store?\n  func run(_ x: Store) -> Store { store.load(); other?.load(); x.load(); self.later(); open(); let y = run(x); y.load(); help(); return y }\n}`,
    "More.swift": `extension Desk { func later() { store.load() } }\nclass Base { func open() {} }\nfunc help() {}`,
    "Store.swift": `struct Store { func load() {} }`,
  });
  expect(new Set(calls)).toEqual(
    new Set([
      "Desk.swift Desk.run → Desk.swift Desk.run",
      "Desk.swift Desk.run → More.swift Base.open",
      "Desk.swift Desk.run → More.swift Desk.later",
      "Desk.swift Desk.run → More.swift help",
      "Desk.swift Desk.run → Store.swift Store.load",
      "Desk.swift Desk.store → Store.swift Store",
      "More.swift Desk.later → Store.swift Store.load",
    ]),
  );
});

test("Scala: packages, imports, class parameters, objects and inferred types", async () => {
  const calls = await callsOf({
    "a/Desk.scala": `package a\nimport b.{Store, Tools => T}\nclass Desk(store: Store) extends Base {\n  val made = new Store()\n  def run(x: Store): Store = { store.load(); made.load(); x.load(); open(); T.fix(); val y = run(x); y.load(); y }\n}`,
    "a/Base.scala": `package a\ntrait Base { def open(): Unit = {} }`,
    "b/Store.scala": `package b\nclass Store { def load(): Unit = {} }\nobject Tools { def fix(): Unit = {} }`,
  });
  expect(new Set(calls)).toEqual(
    new Set([
      "a/Desk.scala Desk.made → b/Store.scala Store",
      "a/Desk.scala Desk.run → a/Base.scala Base.open",
      "a/Desk.scala Desk.run → a/Desk.scala Desk.run",
      "a/Desk.scala Desk.run → b/Store.scala Store.load",
      "a/Desk.scala Desk.run → b/Store.scala Tools.fix",
    ]),
  );
});

test("Bash: functions of the same script, of sourced scripts, and of the only script that defines them", async () => {
  const calls = await callsOf({
    "bin/run.sh": `source "$(dirname "$0")/../lib/log.sh"\nmain() { log "x"; local_one; curl x; }\nlocal_one() { :; }\nmain`,
    "lib/log.sh": `log() { echo "$1"; }`,
    "other/log.sh": `log() { :; }`,
  });
  expect(calls).toEqual([
    "bin/run.sh main → bin/run.sh local_one",
    "bin/run.sh main → lib/log.sh log",
    "bin/run.sh → bin/run.sh main",
  ]);
});

describe("edges", () => {
  test("bases and imports of a file", async () => {
    const { edges, paths } = await makeRepository(parser, {
      "a.ts": `import { B } from "./b"; import "./c"; import x from "react"; export class A extends B implements I {} interface I {}`,
      "b.ts": `export class B {}`,
      "c.ts": ``,
    });
    expect(paths.indexOf("a.ts")).toBe(0);
    expect(edges[0]).toEqual({
      calls: [],
      bases: [
        { symbol: 0, toFile: 1, toSymbol: 0 },
        { symbol: 0, toFile: 0, toSymbol: 1 },
      ],
      imports: [1, 2],
    });
  });

  test("a call on an unknown receiver is resolved only if one method has the name, with low confidence", async () => {
    const { edges } = await makeRepository(parser, {
      "a.ts": `export class A { loadEverything() {} load() {} }`,
      "b.ts": `function go(x) { x.loadEverything(); x.load(); window.loadEverything(); }`,
    });
    expect(edges[1]?.calls).toEqual([{ from: 0, toFile: 0, toSymbol: 1, line: 1, confidence: 0.4, kind: "call" }]);
  });

  test("types that contain and extend each other in cycles terminate", async () => {
    const classes = Array.from(
      { length: 40 },
      (_, at) =>
        `class C${at} : C${(at + 1) % 40}, C${(at + 7) % 40} { C${(at + 3) % 40} f${at} = C${at}.f${at}.g(); void Run() { f${at}.a().b().c(); x.y(); } }`,
    );
    const { edges } = await makeRepository(parser, {
      "a.cs": `namespace Circle.Inner { class Circle { void Go() { Missing(); } } }`,
      "b.cs": `namespace B; ${classes.join("\n")}`,
    });
    expect(edges.map(({ calls }) => calls)).toEqual([[], []]);
  });

  test("a plain text file has none", async () => {
    const { edges } = await makeRepository(parser, { "a.txt": "a()", "b.ts": "" });
    expect(edges[0]).toEqual({ calls: [], bases: [], imports: [] });
  });
});
