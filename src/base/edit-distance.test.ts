import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "./edit-distance.ts";

const word = fc.string({ maxLength: 12 });

describe("the distance between two words", () => {
  it.each([
    ["", "abc", 3],
    ["cart", "crat", 2],
    ["readRate", "readRat", 1],
    ["kitten", "sitting", 3],
  ])("%j and %j: %i", (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
  });

  it("is 0 only for equal words, symmetric, and satisfies the triangle inequality", () => {
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    );
  });
});
