import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitVisible } from "./visible-text.ts";

const join = (text: string) =>
  splitVisible(text)
    .map((piece) => piece.text)
    .join("");

describe("[K 4] texts are shown completely, including invisible characters", () => {
  it("marks of removed text are highlighted", () => {
    expect(splitVisible("token = <redacted>; [filtered: instruction-like text] <redacted private key>")).toEqual([
      { kind: "text", text: "token = " },
      { kind: "mark", text: "<redacted>" },
      { kind: "text", text: "; " },
      { kind: "mark", text: "[filtered: instruction-like text]" },
      { kind: "text", text: " " },
      { kind: "mark", text: "<redacted private key>" },
    ]);
  });

  it.each([
    ["\u001b[31m", "ESC"],
    ["\u202e", "RLO"],
    ["\u2066", "LRI"],
    ["\u200b", "ZWSP"],
    ["\r", "CR"],
    ["\u0000", "NUL"],
    ["\u{e0041}", "U+E0041"],
    ["\u0085", "U+0085"],
  ])("%j is shown by name", (text, name) => {
    expect(splitVisible(`a${text}b`)).toContainEqual({ kind: "control", text: [...text][0], name });
  });

  it("ordinary text stays in one piece, with its line breaks and tabs", () => {
    for (const text of ["", "a\tb\nc", "价格 <b>bold</b> &amp; é"])
      expect(splitVisible(text)).toEqual([{ kind: "text", text }]);
  });

  it("no character of any text is lost", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => join(text) === text));
    const lone = "\ud800x\udc00\u202e";
    expect(join(lone)).toBe(lone);
  });
});
