import { once } from "../base/once.ts";

/** Requests that a person makes by marks in a prompt. */
export interface PromptMarks {
  /** `#nocontext`: run and inject nothing for this prompt. */
  readonly isOff: boolean;
  /** `#deep`: use tools of tier 2. */
  readonly isDeep: boolean;
  /** True if text between `<private>` and `</private>` was removed. */
  readonly hasPrivate: boolean;
}

/** A longer prompt with marks is truncated to this length: no model takes as much, and the kernel reads less. */
const MAX_CHARS = 1_000_000;

/** First line of a code fence, a run of backticks, or a possible mark. */
const TOKEN =
  /^[ \t>]{0,40}(`{3,}|~{3,})[^`\n]*$|`+|<private[ \t]{0,8}>|<\/private[ \t]{0,8}>|[#＃](?:nocontext|deep)/gim;
const ANY_MARK = /<\/?private[ \t]{0,8}>|[#＃](?:nocontext|deep)/i;
const PRIVATE_MARK = /<(\/?)private[ \t]{0,8}>/gi;

/** Negative lookahead for scripts that put no spaces between words. */
const UNSPACED =
  "(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}])";
/**
 * Characters next to a mark that make it part of an address, a selector or a name. Compiled on first use, because that
 * is slow.
 */
const joins = once(() => ({
  before: new RegExp(`(?:${UNSPACED}[\\p{L}\\p{N}\\p{M}_#＃/\\\\&@=$%~+*^.-]|[\\w$]\\()$`, "u"),
  after: new RegExp(`^(?:${UNSPACED}[\\p{L}\\p{N}\\p{M}_#＃/\\\\&@=$%~+*^({[<-]|[.:][A-Za-z0-9_])`, "u"),
}));
const QUOTE = /["'“”‘’]/;

/**
 * Returns a prompt without its marks and private text, and what the marks request. A mark counts if it is a separate
 * word outside backticks and code fences. Contract: pure; a prompt without marks is returned unchanged, with null; text
 * between `<private>` and `</private>`, or the end of the prompt, is in no part of the result.
 */
export function readMarks(given: string): { readonly text: string; readonly marks: PromptMarks | null } {
  return scan(given, { keepsWords: false });
}

/** Removes the private text from a prompt but keeps the other marks, for a program that reads them itself. */
export function hidePrivate(given: string): string {
  return scan(given, { keepsWords: true }).text;
}

function scan(given: string, { keepsWords }: { readonly keepsWords: boolean }) {
  // Fast path for nearly every prompt.
  if (!ANY_MARK.test(given)) return { text: given, marks: null };
  const text = given.slice(0, MAX_CHARS);
  const token = new RegExp(TOKEN);
  const found = { isOff: false, isDeep: false, hasPrivate: false };
  const cut = makeCut(text);
  const endFence = makeFenceSearch(text);
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [word, fence] = match;
    const end = match.index + word.length;
    if (fence !== undefined) token.lastIndex = endFence(end, fence) ?? match.index + word.indexOf(fence) + fence.length;
    else if (word.startsWith("`")) token.lastIndex = endOfSpan(text, end, word) ?? end;
    else if (word.startsWith("<")) {
      token.lastIndex = word.startsWith("</") ? end : endOfPrivate(text, end);
      found.hasPrivate = true;
      cut.take(match.index, token.lastIndex);
    } else if (isWhole(text, match.index, end)) {
      if (word.toLowerCase().endsWith("deep")) found.isDeep = true;
      else found.isOff = true;
      if (!keepsWords) cut.take(match.index, end);
    }
  }
  return { text: cut.rest(), marks: found.isOff || found.isDeep || found.hasPrivate ? found : null };
}

/** Removes parts of a text, leaving a space where words would otherwise run together. */
function makeCut(text: string) {
  const kept: string[] = [];
  let at = 0;
  return {
    take: (start: number, end: number) => {
      const before = text.slice(at, start);
      const isAtEdge = end >= text.length || /\s/.test(text.charAt(end));
      kept.push(isAtEdge ? before.replace(/[ \t]{1,1000}$/, "") : /(?:^|\s)$/.test(before) ? before : `${before} `);
      at = end;
    },
    rest: () => (kept.length === 0 ? text : (kept.join("") + text.slice(at)).trim()),
  };
}

/**
 * Returns a function that finds the end of a fenced block; it returns null for an unclosed fence, which therefore hides
 * no mark.
 */
function makeFenceSearch(text: string): (from: number, fence: string) => number | null {
  // Shortest unclosed fence per character. Longer fences are unclosed too, so a text full of them is not searched once
  // per fence.
  const strays = new Map<string, number>();
  return (from, fence) => {
    const sign = fence.charAt(0);
    if (fence.length >= (strays.get(sign) ?? Number.POSITIVE_INFINITY)) return null;
    const closing = new RegExp(`^[ \\t>]{0,40}${fence}${sign}*[ \\t]*$`, "gm");
    closing.lastIndex = from;
    if (closing.exec(text) !== null) return closing.lastIndex;
    strays.set(sign, fence.length);
    return null;
  };
}

/** Maximum length of code between backticks; backticks further apart belong to different spans. */
const MAX_SPAN_CHARS = 2_000;

/**
 * Returns the end of code between backticks: after an equally long run of backticks in the same line. Null if there is
 * none.
 */
function endOfSpan(text: string, from: number, ticks: string): number | null {
  const [line = ""] = text.slice(from, from + MAX_SPAN_CHARS).split("\n", 1);
  const closing = [...line.matchAll(/`+/g)].find(([run]) => run.length === ticks.length);
  return closing === undefined ? null : from + closing.index + ticks.length;
}

/**
 * Returns the end of private text: after the closing mark, wherever that is, or the end of the text if there is none.
 */
function endOfPrivate(text: string, from: number): number {
  const mark = new RegExp(PRIVATE_MARK);
  mark.lastIndex = from;
  let open = 1;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    open += match[1] === "" ? 1 : -1;
    if (open === 0) return mark.lastIndex;
  }
  return text.length;
}

function isWhole(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  const isQuoted = QUOTE.test(before.slice(-1)) && QUOTE.test(after.charAt(0));
  return !isQuoted && !joins().before.test(before) && !joins().after.test(after);
}
