import fc from "fast-check";
import { expect, test } from "vitest";
import { elementOf, namesIn, resultOf } from "./type-text.ts";

test.each([
  ["Foo", ["Foo"]],
  ["a.b.Foo<Bar>", ["a.b.Foo"]],
  ["Promise<Foo | null>", ["Foo"]],
  ["Foo | Bar & Baz", ["Foo", "Bar", "Baz"]],
  ['"Foo"', ["Foo"]],
  ["Optional[pkg.Foo]", ["pkg.Foo"]],
  ["*cart.Cart", ["cart.Cart"]],
  ["&'a mut Foo", ["Foo"]],
  ["Option<Box<dyn Foo>>", ["Foo"]],
  ["const std::shared_ptr<ns::Foo>&", ["ns.Foo"]],
  ["Foo?", ["Foo"]],
  ["\\App\\Foo", ["\\App\\Foo"]],
  ["(Foo)", ["Foo"]],
  ["Foo[]", []],
  ["List<Foo>", []],
  ["(x: A) => B", []],
  ["string", []],
  ["", []],
])("names in %s", (type, names) => {
  expect(namesIn(type)).toEqual(names);
});

test.each([
  ["Foo[]", "Foo"],
  ["readonly Foo[]", "Foo"],
  ["Array<Foo>", "Foo"],
  ["Map<string, Foo>", "Foo"],
  ["list[Foo]", "Foo"],
  ["[]*Foo", "*Foo"],
  ["map[string]*Foo", "*Foo"],
  ["&[Foo]", "Foo"],
  ["[String: Foo]", "Foo"],
  ["Promise<Foo[]>", "Foo"],
  ["Foo", ""],
])("an element of %s", (type, element) => {
  expect(elementOf(type).trim()).toBe(element);
});

test.each([
  ["() => Foo", "Foo"],
  ["<T>(x: T) => Foo<T>", "Foo<T>"],
  ["func(int) *Foo", "*Foo"],
  ["Callable[[int], Foo]", "Foo"],
  ["Foo", ""],
])("a call of %s", (type, result) => {
  expect(resultOf(type)).toBe(result);
});

test("terminates on any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."AB<>[](){}|&,.:*?'\" =>-\\") }), (text) => {
      expect(namesIn(text).length).toBeLessThanOrEqual(8);
      expect(elementOf(text).length).toBeLessThanOrEqual(text.length);
      expect(resultOf(text).length).toBeLessThanOrEqual(text.length);
    }),
  );
});
