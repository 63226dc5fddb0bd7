/**
 * Makes text from a repository unable to act as anything but text: no invisible characters, no terminal control, no
 * tags or tokens that a client or a model treats as structure, no copies of our own frame.
 */

import { defangFetches } from "./fetch.ts";
import { CLOSING_TAG, fold, OPEN_ANGLES, OPEN_SQUARES, ROLE, SQUARE_NAME, STRONG_TAG, WEAK_TAG } from "./names.ts";

/** Stands where a whole text was written in characters that nobody sees; the instruction filter counts it. */
export const HIDDEN_TEXT = "[filtered: hidden text]";

/** A message in tags, variation selectors or zero-width characters: longer than any emoji or script needs. */
const HIDDEN_RUN =
  /(?:[\u200B-\u200F\u2060-\u2064\uFEFF]|\u034F|[\u180B-\u180F]|[\uFE00-\uFE0F]|[\u{E0000}-\u{E0FFF}]){8,}/gu;
/** Format characters (zero-width, bidirectional, tags) and every control character but tab and newline. */
const INVISIBLE = /(?![\t\n])[\p{Cf}\p{Cc}]/gu;
/** Fillers, variation selectors and joiners that are drawn as nothing but count as letters or marks. */
const BLANK_MARKS =
  /\u034F|\u115F|\u1160|\u17B4|\u17B5|[\u180B-\u180F]|\u2800|\u3164|[\uFE00-\uFE0E]|(?<!\p{Extended_Pictographic})\uFE0F|\uFFA0|[\u{E0000}-\u{E0FFF}]/gu;
/** Terminal sequences go whole; what is left of a broken one loses its escape character above. */
const TERMINAL = /\u001B(?:\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\][^\u0007\u001B]{0,512}(?:\u0007|\u001B\\)|[@-Z\\^_])/g;
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
/** A bracket like `<` with the name after it. Only some names count: code is full of other tags. */
const TAGS = new RegExp(
  `([\\p{L}\\p{N}_$:.]?)[${OPEN_ANGLES}](\\s*(?:[\\\\/]\\s*)?)([\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_-]{0,60}(?:\\s+mode)?)(?=(\\s*[\\\\/]?[>＞›〉⟩〉﹥❯❭˃ᐳ]|\\s[^<>\\n]{0,200}>|\\s*$)?)`,
  "gimu",
);
/** Special tokens of chat templates: `<|name|>` with any kind of bar, `<<SYS>>`. */
const TOKENS =
  /[<＜‹⟨〈]{1,2}\s*[|｜¦ǀ∣│❘](?=\s*(?:[^|｜¦ǀ∣│❘\s<>＞›⟩〉]{1,64}(?:\s+|(?=[|｜¦ǀ∣│❘>＞›⟩〉]))){0,4}(?:[|｜¦ǀ∣│❘]\s*)?[>＞›⟩〉])|<<(?=\s*(?:\/\s*)?SYS\s*>>)/gi;
const NO_SQUARE = `${OPEN_SQUARES}\\]］】〕〗⟧❳〛﹞`;
/** A bracket like `[` with up to three words after it, up to its end. */
const SQUARES = new RegExp(
  `([\\p{L}\\p{N}_$)\\]]?)[${OPEN_SQUARES}](\\s*)([^\\s${NO_SQUARE}]{1,40}(?:\\s+[^\\s${NO_SQUARE}]{1,40}){0,2})(?=\\s*[\\]］】〕〗⟧❳〛﹞])`,
  "gu",
);
/** The head of our own block, closed or not. */
const OPEN_FRAME = new RegExp(`[${OPEN_SQUARES}](?=\\s*Auto\\s*Tools)`, "giu");
/** Blanks inside a line, as they become one where lines are joined. */
const BLANKS = " \\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";
/** A line that may pretend to be another speaker: a word or two, then a colon. */
const ROLE_LINES = new RegExp(
  `^([${BLANKS}>*#_=~|-]*)(\\p{L}[\\p{L}\\p{M}]{0,20}(?:[${BLANKS}]+[\\p{L}\\p{M}]{1,12})?)([${BLANKS}*_]*(?:\\n\\s*)?)([:：﹕꞉∶])(?=\\s*([^\\n]{0,80}))`,
  "gmu",
);
/** `[System]`, `【用户】` at the start of a line. */
const ROLE_BRACKETS = new RegExp(
  `^([${BLANKS}>*#_-]*)[${OPEN_SQUARES}](\\s*)(\\p{L}[\\p{L}\\p{M}]{0,20}(?:\\s+[\\p{L}\\p{M}]{1,12})?)(?=\\s*[\\]］】〕〗⟧])`,
  "gmu",
);
/** What follows the first colon of a member: the second, and a name that is called, ended or taken as it is. */
const MEMBER = /^:[A-Za-z_$][\w$]{0,36}(?:[(;,)<.]|$)/;
/** Begin and end marks of somebody's frame. Dashes only with words of a frame: keys in PEM are for the redactor. */
const FRAME_MARKS = new RegExp(
  `^([${BLANKS}]*(?:[=*#~+]{3,40}|<{3,12}(?=[^\\n]{0,80}>>>)|[-—–]{2,40}(?=[^\\n]{0,60}\\b(?:untrusted|data|tool|context|system|prompt|output|results?|instructions?|evidence|background|user)\\b))[${BLANKS}]*)(begin|end|start|stop)(?![\\p{L}\\p{N}_])`,
  "gimu",
);
/** The sentences that only our frame says, with any blanks: whoever joins lines must not complete one. */
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

/** A pattern in which blanks are any blanks, and any may stand beside signs and between Chinese characters. */
function toLoose(words: string): string {
  return words
    .replace(/(?<=[\u3000-\uffef])(?=.)|(?=[:;：])/gu, "\\s*")
    .replace(/([:;]) /g, "$1\\s*")
    .replaceAll(" ", "\\s+");
}

/** What one pass takes away can make another mark of what stood around it; more than two passes only hostile text needs. */
const MAX_PASSES = 6;
const EVERY_BRACKET = new RegExp(`[${OPEN_ANGLES}${OPEN_SQUARES}]`, "gu");

/**
 * What some rule above could match at all: characters beyond plain text, an opening bracket, a colon, the signs of a frame
 * or its words. Most strings of a document have none of it, and compiling the rules costs more than running them.
 */
const SUSPECT = /[^\t\n -~\u3001\u3002\u4e00-\u9fff\uff01\uff0c\uff1f]|[<[:=*#~+]|--|[\\/]{2}|request|资料|本次对话/i;

/** Anything but printable ASCII, tab and newline. */
const WIDE = /[^\t\n -~]/;

/** Makes a text harmless as structure. Contract: linear; keeps the number of lines; applying it twice changes nothing. */
export function defang(text: string): string {
  if (!SUSPECT.test(text)) return text;
  let calm = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = calm;
    calm = defangOnce(before);
    if (calm === before) return calm;
  }
  // Still not at rest: made for nothing but that, and no bracket in it is worth keeping.
  return defangOnce(calm.replace(EVERY_BRACKET, "("));
}

function defangOnce(text: string): string {
  const isWide = WIDE.test(text);
  let calm = isWide ? dropUnseen(text) : text;
  // What has no opening bracket of a kind needs none of its rules, which take long to compile.
  if (isWide || calm.includes("<")) {
    // After the tags: what was a tag is no longer an end of the token before it.
    calm = calm.replace(TAGS, toTag).replace(TOKENS, (mark) => `‹${mark.replace(/[^\n]/g, "")}`);
  }
  if (isWide || calm.includes("[")) calm = calm.replace(OPEN_FRAME, "(").replace(SQUARES, toSquare);
  calm = calm.replace(ROLE_LINES, toRoleLine);
  if (isWide || calm.includes("[")) {
    calm = calm.replace(ROLE_BRACKETS, (all, lead: string, gap: string, name: string) =>
      ROLE.test(toRead(name)) ? `${lead}(${gap}${name}` : all,
    );
  }
  calm = calm.replace(FRAME_MARKS, "$1($2)").replace(FRAME_WORDS, (all, ...parts: (string | undefined)[]) => {
    const [first = all, second = ""] = parts.slice(0, -2).filter((part) => part !== undefined);
    return `${first}(${second})`;
  });
  return defangFetches(calm);
}

/** Takes away what nobody sees and what moves a cursor. */
function dropUnseen(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_BREAKS, "\n")
    .replace(TERMINAL, "")
    .replace(HIDDEN_RUN, HIDDEN_TEXT)
    .replace(INVISIBLE, "")
    .replace(BLANK_MARKS, "");
}

/** A name as it is read, with single blanks. */
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
  // `Array<User>` and `a<data` are code; a prompt's tag is closed or stands alone.
  const isGeneric = before !== "" && !isClosing && /^[A-Z][a-z]/.test(name);
  const counts = STRONG_TAG.test(read)
    ? !(isGeneric && !/[-_]/.test(name))
    : (WEAK_TAG.test(read) &&
        !isGeneric &&
        (isClosing || (end !== undefined && !isFilledIn(text.charAt(at - 1), before, after)))) ||
      (isClosing && CLOSING_TAG.test(read));
  return counts ? `${before}‹${gap}${name}` : all;
}

/** A part of an address or a path that the reader fills in: `github.com/<user>/<repo>.git`. */
function isFilledIn(previous: string, before: string, after: string): boolean {
  return before === "" && /[/@=]/.test(previous) && /^>(?:[/.@:"'`\s),]|$)/.test(after);
}

/** A function as Python prints it: `<function load at 0x7f…>`. */
function isPrinted(name: string, after: string): boolean {
  return name === "function" && /^ [\w.<>]{1,60} at (?:0x|[.*])/.test(after);
}

function toSquare(all: string, before: string, gap: string, name: string, at: number, text: string): string {
  // A link of Markdown whose text is one of these words.
  if (/^(?:img|args)$/.test(name) && text.startsWith("](", at + all.length)) return all;
  // `list[results]` is an index, and no heading starts inside a line.
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
  // `Model::query()` is a member of a class; no class is called like those that talk.
  if (
    gap === "" &&
    !/^(?:human|assistant)$/i.test(name) &&
    MEMBER.test(text.slice(at + all.length, at + all.length + 40))
  )
    return all;
  // `user: string;` in code and settings stays; a speaker has words to say.
  const isKey = /^[a-z]/.test(name) && colon === ":" && !/[*#=~|]/.test(lead + gap) && !isProse(rest);
  return isKey ? all : `${lead}(${name})${gap}${colon}`;
}

/** True where three words stand in a row, as no type or value does. */
function isProse(rest: string): boolean {
  return /^[^\s,;{}()[\]=<>"'|]{1,40}[ \t]{1,4}[^\s,;{}()[\]=<>"'|]{1,40}[ \t]{1,4}\S|^[\p{Script=Han}，。、]{4}/u.test(
    rest,
  );
}
