import fc from "fast-check";
import { expect, test } from "vitest";
import { headOf, toChain } from "./chain.ts";

test.each([
  ["a", "a"],
  ["a.b", "a.b"],
  ["a.b(x, y)[0]?.c", "a.b()[].c"],
  ["new Foo(x)", "new Foo()"],
  ["new Foo<Bar>()", "new Foo()"],
  ["new Foo", "new Foo()"],
  ["await load({ a: ')' })", "load()"],
  ["(await load(x)).rows", "load().rows"],
  ["a::b::<T>(x)", "a.b()"],
  ["&mut a.b", "a.b"],
  ["&Cart{items: x}", "new Cart()"],
  ["this.a!.b", "this.a.b"],
  ["$this->a->b(1)", "$this.a.b()"],
  ["@player.start", "@player.start"],
  ["useState<Map<string, () => void>>(x)", "useState()"],
  ["z\n  .object({})\n  .min(1)", "z.object().min()"],
])("%s → %s", (text, chain) => {
  expect(toChain(text)).toBe(chain);
});

test.each([
  "",
  "1",
  "1.5",
  "'text'",
  "a + b",
  "a < b",
  "a ? b : c",
  "(x) => x",
  "x => x.y",
  "[a, b]",
  "{ a: 1 }",
  "a.",
  "a(",
  "a('",
  "async () => 1",
  `a.${"b".repeat(99)}`,
])("%s is not a chain", (text) => {
  expect(toChain(text)).toBe("");
});

test("the head of a chain", () => {
  expect(["a.b", "new A()", ":Props.x", "f()[]", ""].map(headOf)).toEqual(["a", "A", "Props", "f", ""]);
});

test("any text gives a chain of names, calls and elements, or nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab.()[]{}<>'\"`!?:-& \n=\\$@0") }), (text) => {
      expect(toChain(text)).toMatch(/^(?:(?:new )?[\w$@\\]+(?:\.[\w$@\\]+|\(\)|\[\])*)?$/);
    }),
  );
});
