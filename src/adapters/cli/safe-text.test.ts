import { describe, expect, it } from "vitest";
import { printSafeJson, safeLine, safeText } from "./safe-text.ts";

const HOSTILE = "a\u001b]0;title\u0007b\u001b[2Jc\u009b31md\u202ee\u200bf\u{e0041}g\rh\u0000i";

describe("[K 2] text of a run on a terminal", () => {
  it("loses what controls a terminal or is invisible, and nothing else", () => {
    expect(safeText(HOSTILE)).toBe("abcdefghi");
    expect(safeText("if (x) {\n\treturn 价格;\n}")).toBe("if (x) {\n  return 价格;\n}");
    expect(safeText("👩‍💻 می‌خواهم é")).toBe("👩‍💻 می‌خواهم é");
    expect(safeLine(" a\n\n b\tc\u2028d ")).toBe("a b c d");
  });

  it("loses nothing as JSON, and cannot control a terminal", () => {
    const value = { text: HOSTILE, list: ["价格", "\u{e0041}"] };
    const json = printSafeJson(value).trimEnd();
    expect(JSON.parse(json)).toEqual(value);
    expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]|\p{Cf}/u);
    expect(json).toContain("价格");
  });
});
