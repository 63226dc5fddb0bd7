import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWideText, withPlain } from "./plain.ts";

describe("withPlain", () => {
  const pattern = withPlain(/(?<=[\p{L}\p{N}_]\s?)[<‹[](\p{L}[\p{L}\p{M}]{0,3}|[\]\p{N}]{2})(?!\p{M})/giu);

  it("keeps the pattern for wide texts", () => {
    expect(pattern(true).source).toContain("\\p{L}");
    expect(pattern(true).flags).toBe("giu");
    expect("é <éa".replace(pattern(true), "x")).toBe("é x");
  });

  it("uses no Unicode classes for other texts", () => {
    expect(pattern(false).source).toBe("(?<=[A-Za-z0-9_]\\s?)[<‹[]([A-Za-z][A-Za-z]{0,3}|[\\]0-9]{2})(?![])");
    expect(pattern(false).flags).toBe("gi");
  });

  it("both patterns match the same in a text that is not wide", () => {
    const signs = [..."aZk09_<[]( \t\n:'", "ab", "<a"].map((sign) => fc.constant(sign));
    void fc.assert(
      fc.property(fc.array(fc.oneof(...signs), { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        expect(isWideText(text)).toBe(false);
        expect(text.replace(pattern(false), "($1)")).toBe(text.replace(pattern(true), "($1)"));
      }),
    );
  });
});
