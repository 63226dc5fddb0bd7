/**
 * Neutralises text from a repository so that it cannot act as anything but text: no invisible characters, no terminal
 * control sequences, no tags or tokens that a client or a model treats as structure, no copies of our own frame.
 */

import { isWideText, withPlain } from "../plain.ts";
import { isExample, isOption } from "./examples.ts";
import { defangFetches } from "./fetch.ts";
import { CLOSING_TAG, fold, OPEN_ANGLES, OPEN_SQUARES, ROLE, SQUARE_NAME, STRONG_TAG, WEAK_TAG } from "./names.ts";

/** Replaces a run of invisible characters that encodes a message; the instruction filter counts it. */
export const HIDDEN_TEXT = "[filtered: hidden text]";

/** A message in tag characters, variation selectors or zero-width characters: longer than any emoji or script needs. */
const HIDDEN_RUN =
  /(?:[\u200B-\u200F\u2060-\u2064\uFEFF]|\u034F|[\u180B-\u180F]|[\uFE00-\uFE0F]|[\u{E0000}-\u{E0FFF}]){8,}/gu;
/** Format characters (zero-width, bidirectional, tags) and every control character except tab and newline. */
const INVISIBLE = /(?![\t\n])[\p{Cf}\p{Cc}]/gu;
/** Fillers, variation selectors and joiners that render as nothing but count as letters or marks. */
const BLANK_MARKS =
  /\u034F|\u115F|\u1160|\u17B4|\u17B5|[\u180B-\u180F]|\u2800|\u3164|[\uFE00-\uFE0E]|(?<!\p{Extended_Pictographic})\uFE0F|\uFFA0|[\u{E0000}-\u{E0FFF}]/gu;
/** Complete terminal escape sequences; an incomplete one loses its escape character through `INVISIBLE`. */
const TERMINAL = /\u001B(?:\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\][^\u0007\u001B]{0,512}(?:\u0007|\u001B\\)|[@-Z\\^_])/g;
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
/** A character like `<` and the name after it. Only some names matter: code is full of other tags. */
const TAGS = withPlain(
  new RegExp(
    `([\\p{L}\\p{N}_$:.]?)[${OPEN_ANGLES}](\\s*(?:[\\\\/]\\s*)?)([\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_-]{0,60}(?:\\s+mode)?)(?=(\\s*[\\\\/]?[>＞›〉⟩〉﹥❯❭˃ᐳ]|\\s[^<>\\n]{0,200}>|\\s*$)?)`,
    "gimu",
  ),
);
/** Special tokens of chat templates: `<|name|>` with any kind of bar, `<<SYS>>`. */
const TOKENS =
  /[<＜‹⟨〈]{1,2}\s*[|｜¦ǀ∣│❘](?=\s*(?:[^|｜¦ǀ∣│❘\s<>＞›⟩〉]{1,64}(?:\s+|(?=[|｜¦ǀ∣│❘>＞›⟩〉]))){0,4}(?:[|｜¦ǀ∣│❘]\s*)?[>＞›⟩〉])|<<(?=\s*(?:\/\s*)?SYS\s*>>)/gi;
const NO_SQUARE = `${OPEN_SQUARES}\\]］】〕〗⟧❳〛﹞`;
/** A bracket like `[` with up to three words, followed by a closing bracket. */
const SQUARES = withPlain(
  new RegExp(
    `([\\p{L}\\p{N}_$)\\]]?)[${OPEN_SQUARES}](\\s*)([^\\s${NO_SQUARE}]{1,40}(?:\\s+[^\\s${NO_SQUARE}]{1,40}){0,2})(?=\\s*[\\]］】〕〗⟧❳〛﹞])`,
    "gu",
  ),
);
/** The heading of our own block, closed or not. */
const OPEN_FRAME = new RegExp(`[${OPEN_SQUARES}](?=\\s*Auto\\s*Tools)`, "giu");
/** Spaces within a line, which collapse into one where lines are joined. */
const BLANKS = " \\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";
/** A line that may impersonate another speaker: one or two words, then a colon. */
const ROLE_LINES = withPlain(
  new RegExp(
    `^([${BLANKS}>*#_=~|-]*)(\\p{L}[\\p{L}\\p{M}]{0,20}(?:[${BLANKS}]+[\\p{L}\\p{M}]{1,12})?)([${BLANKS}*_]*(?:\\n\\s*)?)([:：﹕꞉∶])(?=\\s*([^\\n]{0,80}))`,
    "gmu",
  ),
);
/** `[System]`, `【用户】` at the start of a line. */
const ROLE_BRACKETS = withPlain(
  new RegExp(
    `^([${BLANKS}>*#_-]*)[${OPEN_SQUARES}](\\s*)(\\p{L}[\\p{L}\\p{M}]{0,20}(?:\\s+[\\p{L}\\p{M}]{1,12})?)(?=\\s*[\\]］】〕〗⟧])`,
    "gmu",
  ),
);
/** Text after the first colon of `Class::member`: the second colon and a name that is called, ended or used as is. */
const MEMBER = /^:[A-Za-z_$][\w$]{0,36}(?:[(;,)<.]|$)/;
/** Begin and end markers of a frame. Dashes only with words typical of a frame: PEM keys are left to the redactor. */
const FRAME_MARKS = withPlain(
  new RegExp(
    `^([${BLANKS}]*(?:[=*#~+]{3,40}|<{3,12}(?=[^\\n]{0,80}>>>)|[-—–]{2,40}(?=[^\\n]{0,60}\\b(?:untrusted|data|tool|context|system|prompt|output|results?|instructions?|evidence|background|user)\\b))[${BLANKS}]*)(begin|end|start|stop)(?![\\p{L}\\p{N}_])`,
    "gimu",
  ),
);
/** Sentences that only our frame contains, with any whitespace, so that joining lines cannot complete one. */
const FRAME_WORDS = new RegExp(
  [
    ["End of ", "background", "; the request"],
    ["资料", "到此为止", ""],
    ["Background ", "for the request above", ""],
    ["Already ", "in this conversation:", ""],
    ["本次对话中", "已给出", ""],
    ["以下是只读工具", "在本仓库中查到的资料", ""],
    ["A guess: ", "nothing here fits", ""],
    ["仅供猜测：", "仓库中没有", ""],
  ]
    .map(
      ([first = "", second = "", then = ""]) =>
        `(${toLoose(first)}${/[\u3000-\uffef]$/.test(first) ? "\\s*" : ""})(${toLoose(second)})(?=${toLoose(then)})`,
    )
    .join("|"),
  "gi",
);

/** A pattern that allows any whitespace for a space, beside punctuation and between Chinese characters. */
function toLoose(words: string): string {
  return words
    .replace(/(?<=[\u3000-\uffef])(?=.)|(?=[:;：])/gu, "\\s*")
    .replace(/([:;]) /g, "$1\\s*")
    .replaceAll(" ", "\\s+");
}

/** Removing one marker can form another out of the surrounding text; only hostile text needs more than two passes. */
const MAX_PASSES = 6;
const EVERY_BRACKET = new RegExp(`[${OPEN_ANGLES}${OPEN_SQUARES}]`, "gu");

/**
 * Quick test for anything that a rule above could match: characters beyond plain text, an opening bracket, a colon, the
 * punctuation of a frame or its words. Most strings of a document have none of these, and compiling the rules costs
 * more than running them.
 */
const SUSPECT = /[^\t\n -~\u3001\u3002\u4e00-\u9fff\uff01\uff0c\uff1f]|[<[:=*#~+]|--|[\\/]{2}|request|资料|本次对话/i;

/** Neutralises structure in a text. Contract: linear; keeps the number of lines; idempotent. */
export function defang(text: string): string {
  if (!SUSPECT.test(text)) return text;
  let calm = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = calm;
    calm = defangOnce(before);
    if (calm === before) return calm;
  }
  // Still changing after the last pass: the text is hostile, so all of its opening brackets are replaced.
  return defangOnce(calm.replace(EVERY_BRACKET, "("));
}

function defangOnce(text: string): string {
  // The rules insert no letters: a text that is not wide at first does not need the wide patterns later.
  const isWide = isWideText(text);
  let calm = isWide ? dropUnseen(text) : text;
  // A text without an opening bracket of a kind skips the rules for it, which take long to compile.
  if (isWide || calm.includes("<")) {
    // After the tags: a neutralised tag no longer ends the token before it.
    calm = calm.replace(TAGS(isWide), toTag).replace(TOKENS, (mark) => `‹${mark.replace(/[^\n]/g, "")}`);
  }
  if (isWide || calm.includes("[")) calm = calm.replace(OPEN_FRAME, "(").replace(SQUARES(isWide), toSquare);
  calm = calm.replace(ROLE_LINES(isWide), toRoleLine);
  if (isWide || calm.includes("[")) {
    calm = calm.replace(ROLE_BRACKETS(isWide), (all, lead: string, gap: string, name: string) =>
      ROLE.test(toRead(name)) ? `${lead}(${gap}${name}` : all,
    );
  }
  calm = calm.replace(FRAME_MARKS(isWide), "$1($2)").replace(FRAME_WORDS, (all, ...parts: (string | undefined)[]) => {
    const [first = all, second = ""] = parts.slice(0, -2).filter((part) => part !== undefined);
    return `${first}(${second})`;
  });
  return defangFetches(calm);
}

/** Removes invisible characters and terminal control sequences, and normalises line breaks. */
function dropUnseen(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_BREAKS, "\n")
    .replace(TERMINAL, "")
    .replace(HIDDEN_RUN, HIDDEN_TEXT)
    .replace(INVISIBLE, "")
    .replace(BLANK_MARKS, "");
}

/** A name as a reader sees it, with single spaces. */
function toRead(name: string): string {
  return fold(name).replace(/\s+/g, " ").trim();
}

function toTag(
  all: string,
  before: string,
  gap: string,
  name: string,
  end: string | undefined,
  at: number,
  text: string,
): string {
  const read = toRead(name);
  const isClosing = /[\\/]/.test(gap);
  const after = text.slice(at + all.length, at + all.length + 80);
  if (!isClosing && isPrinted(read, after)) return all;
  if (name === "code" && isOneName(gap, text.slice(Math.max(0, at - 72), at + before.length), after)) return all;
  // `Array<User>` and `a<data` are code; a tag in a prompt is closed or stands alone.
  const isGeneric = before !== "" && !isClosing && /^[A-Z][a-z]/.test(name);
  const counts = STRONG_TAG.test(read)
    ? !(isGeneric && !/[-_]/.test(name))
    : (WEAK_TAG.test(read) &&
        !isGeneric &&
        (isClosing || (end !== undefined && !isFilledIn(text.charAt(at - 1), before, after)))) ||
      (isClosing && CLOSING_TAG.test(read));
  return counts ? `${before}‹${gap}${name}` : all;
}

/** True for a placeholder in an address or a path: `github.com/<user>/<repo>.git`. */
function isFilledIn(previous: string, before: string, after: string): boolean {
  return before === "" && /[/@=]/.test(previous) && /^>(?:[/.@:"'`\s),]|$)/.test(after);
}

/** True for either tag of `<code>name</code>`, as in documentation comments: a pair of tags around a single word. */
function isOneName(gap: string, head: string, after: string): boolean {
  if (gap === "") return /^>[^\s<>]{1,60}<\/code>/.test(after);
  return gap === "/" && after.startsWith(">") && /<code>[^\s<>]{1,60}$/.test(head);
}

/** True for a function as Python prints it: `<function load at 0x7f…>`. */
function isPrinted(name: string, after: string): boolean {
  return name === "function" && /^ [\w.<>]{1,60} at (?:0x|[.*])/.test(after);
}

function toSquare(all: string, before: string, gap: string, name: string, at: number, text: string): string {
  // A Markdown link whose text is one of these words.
  if (/^(?:img|args)$/.test(name) && text.startsWith("](", at + all.length)) return all;
  // `list[results]` is an index, and a heading never starts in the middle of a line.
  if (before !== "" && !/inst|sys|tool/i.test(name)) return all;
  return SQUARE_NAME.test(toRead(name)) ? `${before}(${gap}${name}` : all;
}

function toRoleLine(
  all: string,
  lead: string,
  name: string,
  gap: string,
  colon: string,
  rest: string,
  at: number,
  text: string,
): string {
  if (!ROLE.test(toRead(name))) return all;
  // `Model::query()` is a class member; no class is named `human` or `assistant`.
  if (
    gap === "" &&
    !/^(?:human|assistant)$/i.test(name) &&
    MEMBER.test(text.slice(at + all.length, at + all.length + 40))
  )
    return all;
  // `user: string;` in code, settings and the comments of code is kept; a speaker is followed by prose.
  const marks = lead.replace(/^\s*\*(?=[ \t])/, "") + gap;
  const isKey = /^[a-z]/.test(name) && colon === ":" && !/[*#=~|]/.test(marks) && (!isProse(rest) || isOption(lead));
  if (isKey || isExample(all, at, text)) return all;
  return `${lead}(${name})${gap}${colon}`;
}

/** True if the text starts with three consecutive words, which no type, value or expression does. */
function isProse(rest: string): boolean {
  return /^[^\s,;{}()[\]=<>"'|]{1,40}[ \t]{1,4}[^\s,;{}()[\]=<>"'|]{1,40}[ \t]{1,4}(?![=?&|]{2,3} )\S|^[\p{Script=Han}，。、]{4}/u.test(
    rest,
  );
}
