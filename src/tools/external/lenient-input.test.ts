import { describe, expect, it } from "vitest";
import { toLenientInput } from "./lenient-input.ts";

const accepts = (schema: unknown, value: unknown) => toLenientInput(schema).safeParse(value).success;

describe("the checked part of a server's tool schema", () => {
  it.each<[string, unknown, unknown, boolean]>([
    ["a basic type", { properties: { a: { type: "string" } } }, { a: "x" }, true],
    ["another one", { properties: { a: { type: "string" } } }, { a: 1 }, false],
    ["a whole number", { properties: { a: { type: "integer" } } }, { a: 1.5 }, false],
    ["a list", { properties: { a: { type: "array" } } }, { a: ["x", 1] }, true],
    ["an object", { properties: { a: { type: "object" } } }, { a: [] }, false],
    ["left out", { properties: { a: { type: "boolean" } } }, {}, true],
    ["left out, but required", { properties: { a: { type: "boolean" } }, required: ["a"] }, {}, false],
    ["required, of no basic type", { properties: { a: { $ref: "#/x" } }, required: ["a"] }, {}, false],
    ["given, of no basic type", { properties: { a: { $ref: "#/x" } }, required: ["a"] }, { a: null }, true],
    ["required, but not described", { required: ["a"] }, { a: 1 }, true],
    ["several types", { properties: { a: { type: ["string", "null"] } } }, { a: null }, true],
    ["more than described", { properties: {}, additionalProperties: false }, { b: 1 }, true],
    ["a pattern that would never end", { properties: { a: { type: "string", pattern: "(a+)+$" } } }, { a: "b" }, true],
    ["names of every object", { properties: { constructor: { type: "string" } } }, {}, true],
    ["a type of no kind", { properties: { a: { type: "toString" } } }, { a: 1 }, true],
    ["no schema at all", "nonsense", { a: 1 }, true],
    ["lists in the place of mappings", { properties: [], required: {} }, {}, true],
  ])("%s", (_name, schema, value, expected) => {
    expect(accepts(schema, value)).toBe(expected);
  });
});
