import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hidePrivate, readMarks } from "./prompt-marks.ts";

const NONE = { isOff: false, isDeep: false, hasPrivate: false };
const OFF = { ...NONE, isOff: true };
const DEEP = { ...NONE, isDeep: true };
const PRIVATE = { ...NONE, hasPrivate: true };
const FENCE = "```";

describe("[K 3] marks in a prompt", () => {
  it.each([
    ["who calls rateFor? #nocontext", "who calls rateFor?", OFF],
    ["#nocontext who calls rateFor?", "who calls rateFor?", OFF],
    ["who #nocontext calls rateFor?", "who calls rateFor?", OFF],
    ["#NoContext", "", OFF],
    ["请看#nocontext", "请看", OFF],
    ["请看#nocontext谢谢", "请看 谢谢", OFF],
    ["看看，＃deep。", "看看， 。", DEEP],
    ["(#deep) who calls rateFor?", "( ) who calls rateFor?", DEEP],
    ['"who calls rateFor? #deep"', '"who calls rateFor? "', DEEP],
    ["#deep, and #nocontext.", ", and .", { ...NONE, isOff: true, isDeep: true }],
    ["first\n#deep\nsecond", "first\n\nsecond", DEEP],
  ])("%j: counts as a separate word and is not searched for", (given, text, marks) => {
    expect(readMarks(given)).toEqual({ text, marks });
  });

  it.each([
    "#deeper into #nocontexts",
    "docs/page.html#deep",
    "https://example.com/#deep",
    "##deep",
    "#deep-link and #deep_link and #deep.css",
    "this.#deep = 1; a?.#deep",
    "div#deep > a",
    'does "#deep" do something?',
    "url(#deep)",
    "href=#deep",
    "`#deep` is a mark, and `` `#nocontext` `` is one",
    `${FENCE}c\n#deep\n#nocontext\n${FENCE}\nwhat is this?`,
    `  ~~~~\n#deep\n${FENCE}\n~~~~`,
    `> ${FENCE}xml\n> <private>yes</private>\n> ${FENCE}`,
    "what does `<private>` mean in `<private>x</private>`?",
    "＜private＞full-width＜/private＞",
    "<privately> <private/> <private key>",
    "deep nocontext private",
  ])("%j contains no mark and stays unchanged", (given) => {
    expect(readMarks(given)).toEqual({ text: given, marks: null });
  });

  it.each([
    ["who calls <private>our customer</private> rateFor?", "who calls rateFor?"],
    ["rateFor<private>secret</private>Again", "rateFor Again"],
    ["<PRIVATE>x</Private >rateFor", "rateFor"],
    ["rateFor <private>all of\nthe\nrest", "rateFor"],
    ["a <private>b <private>c</private> d</private> e", "a e"],
    ["a <private>b</private> c <private>d</private> e", "a c e"],
    ["a </private> b", "a b"],
    ["密码是<private>天王盖地虎</private>，为什么报错", "密码是 ，为什么报错"],
    [`a <private>${FENCE}\nb</private> c`, "a c"],
    ["a <private>it`s b</private> c `#deep`", "a c `#deep`"],
    ["<private>#nocontext #deep</private> a", "a"],
    // An unclosed fence hides no mark: better to pass on too little than too much.
    [`${FENCE}\na <private>b</private>`, `${FENCE}\na`],
    ["one ` only <private>b</private>\nand ` another", "one ` only\nand ` another"],
  ])("%j: private text is removed", (given, text) => {
    expect(readMarks(given)).toEqual({ text, marks: PRIVATE });
  });

  it("are kept for another program, except private text", () => {
    expect(hidePrivate("a <private>b #nocontext</private> #deep")).toBe("a #deep");
    expect(hidePrivate("who calls rateFor? #deep")).toBe("who calls rateFor? #deep");
  });

  it("private text never comes out, whatever surrounds it", () => {
    const around = fc.stringMatching(/^[a-z #\n<>/。请]{0,20}$/);
    void fc.assert(
      fc.property(around, around, around, (before, inside, after) => {
        const { text } = readMarks(`${before}<private>${inside}SECRET</private>${after}`);
        expect(text).not.toContain("SECRET");
        expect(hidePrivate(`${before}<private>${inside}SECRET</private>${after}`)).not.toContain("SECRET");
      }),
    );
  });

  it("a text without marks is returned unchanged, however long and odd", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "binary" }), (given) => {
        fc.pre(!/[#＃<]/.test(given));
        expect(readMarks(given)).toEqual({ text: given, marks: null });
      }),
    );
    const ticks = Array.from({ length: 600 }, (_, at) => "`".repeat(at + 1)).join(" ");
    expect(readMarks(`${ticks} #deep`).marks).toEqual(DEEP);
    expect(readMarks(`${`${FENCE}a\n`.repeat(40_000)}#deep`).marks).toEqual(DEEP);
  });
});
