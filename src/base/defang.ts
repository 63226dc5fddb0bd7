/**
 * Makes text from a repository unable to act as anything but text: no invisible characters, no terminal control, no
 * tags or tokens that a client or a model treats as structure, no copies of our own frame.
 */

import { defangFetches } from "./defang-fetch.ts";
import {
  CLOSING_TAG,
  fold,
  OPEN_ANGLES,
  OPEN_SQUARES,
  ROLE,
  SQUARE_NAME,
  STRONG_TAG,
  WEAK_TAG,
} from "./defang-names.ts";

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
  `([\\p{L}\\p{N}_$:.]?)[${OPEN_ANGLES}](\\s{0,4}[\\\\/]?\\s{0,4})([\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_-]{0,60}(?: mode)?)(?=(\\s{0,8}[\\\\/]?[>＞›〉⟩〉﹥❯❭˃ᐳ]|\\s[^<>\\n]{0,200}>|\\s{0,8}$)?)`,
  "gimu",
);
/** Special tokens of chat templates: `<|name|>` with any kind of bar, `<<SYS>>`. */
const TOKENS =
  /[<＜‹⟨〈]{1,2}[ \t]{0,2}[|｜¦ǀ∣│❘](?=[^|｜¦ǀ∣│❘\n<>]{0,64}[|｜¦ǀ∣│❘]?[ \t]{0,2}[>＞›⟩〉])|<<(?=\s{0,4}\/?\s{0,4}SYS\s{0,4}>>)/gi;
/** A bracket like `[` with the words after it, up to its end. */
const SQUARES = new RegExp(
  `([\\p{L}\\p{N}_$)\\]]?)[${OPEN_SQUARES}](\\s{0,4})([^${OPEN_SQUARES}\\]］】〕〗⟧❳〛﹞\\n]{1,40})(?=[\\]］】〕〗⟧❳〛﹞])`,
  "gu",
);
/** The head of our own block, closed or not. */
const OPEN_FRAME = new RegExp(`[${OPEN_SQUARES}](?=\\s{0,4}Auto\\s{0,4}Tools)`, "giu");
/** A line that may pretend to be another speaker: a word or two, then a colon. */
const ROLE_LINES =
  /^([ \t\u3000>*#_=~|-]{0,16})([\p{L}][\p{L}\p{M} ]{0,20}?)([ \t*_]{0,6})([:：﹕꞉∶])(?=[ \t]{0,4}([^\n]{0,80}))/gmu;
/** `[System]`, `【用户】` at the start of a line. */
const ROLE_BRACKETS = new RegExp(
  `^([ \\t>*#_-]{0,12})[${OPEN_SQUARES}]([ \\t]{0,4})([\\p{L}][\\p{L}\\p{M} ]{0,20})(?=[\\]］】〕〗⟧])`,
  "gmu",
);
/** Begin and end marks of somebody's frame. Dashes only with words of a frame: keys in PEM are for the redactor. */
const FRAME_MARKS =
  /^([ \t]{0,12}(?:[=*#~+]{3,40}|<{3,12}(?=[^\n]{0,80}>>>)|[-—–]{2,40}(?=[^\n]{0,60}\b(?:untrusted|data|tool|context|system|prompt|output|results?|instructions?|evidence|background|user)\b))[ \t]{0,4})(begin|end|start|stop)(?![\p{L}\p{N}_])/gimu;
/** The sentences that only our frame says. */
const FRAME_WORDS =
  /\b(End of )(background)(?=; the request)|(资料)(到此为止)|\b(Background )(for the request above)|\b(Already )(in this conversation:)|(本次对话中)(已给出)/gi;

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
    calm = calm.replace(TAGS, toTag).replace(TOKENS, "‹");
  }
  if (isWide || calm.includes("[")) calm = calm.replace(OPEN_FRAME, "(").replace(SQUARES, toSquare);
  calm = calm.replace(ROLE_LINES, toRoleLine);
  if (isWide || calm.includes("[")) {
    calm = calm.replace(ROLE_BRACKETS, (all, lead: string, gap: string, name: string) =>
      ROLE.test(fold(name).trim()) ? `${lead}(${gap}${name}` : all,
    );
  }
  calm = calm.replace(FRAME_MARKS, "$1($2)").replace(FRAME_WORDS, (all, ...parts: (string | undefined)[]) => {
    const [first = all, second = ""] = parts.slice(0, 10).filter((part) => part !== undefined);
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

function toTag(all: string, before: string, gap: string, name: string, end: string | undefined): string {
  const read = fold(name);
  const isClosing = /[\\/]/.test(gap);
  // `Array<User>` and `a<data` are code; a prompt's tag is closed or stands alone.
  const isGeneric = before !== "" && !isClosing && /^[A-Z][a-z]/.test(name);
  const counts = STRONG_TAG.test(read)
    ? !(isGeneric && !/[-_]/.test(name))
    : (WEAK_TAG.test(read) && !isGeneric && (isClosing || end !== undefined)) || (isClosing && CLOSING_TAG.test(read));
  return counts ? `${before}‹${gap}${name}` : all;
}

function toSquare(all: string, before: string, gap: string, name: string): string {
  // `list[results]` is an index, and no heading starts inside a line.
  if (before !== "" && !/inst|sys|tool/i.test(name)) return all;
  return SQUARE_NAME.test(fold(name)) ? `${before}(${gap}${name}` : all;
}

function toRoleLine(all: string, lead: string, name: string, gap: string, colon: string, rest: string): string {
  const role = name.trim();
  if (!ROLE.test(fold(role))) return all;
  // `user: string;` in code and settings stays; a speaker has words to say.
  const isKey = /^[a-z]/.test(role) && colon === ":" && !/[*#=~|]/.test(lead + gap) && !isProse(rest);
  return isKey ? all : `${lead}(${name})${gap}${colon}`;
}

/** True where three words stand in a row, as no type or value does. */
function isProse(rest: string): boolean {
  return /^[^\s,;{}()[\]=<>"'|]{1,40}[ \t]{1,4}[^\s,;{}()[\]=<>"'|]{1,40}[ \t]{1,4}\S|^[\p{Script=Han}，。、]{4}/u.test(
    rest,
  );
}
