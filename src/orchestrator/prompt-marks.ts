import { once } from "../base/once.ts";

/** What a person's marks in a prompt ask for. */
export interface PromptMarks {
  /** `#nocontext`: nothing is to be run or injected for this prompt. */
  readonly isOff: boolean;
  /** `#deep`: tools of tier 2 are wanted. */
  readonly isDeep: boolean;
  /** True where text between `<private>` and `</private>` was taken out. */
  readonly hasPrivate: boolean;
}

/** Of a longer prompt that holds marks the rest is dropped: no model takes as much, and the kernel looks at less. */
const MAX_CHARS = 1_000_000;

/** A code fence's first line, a run of backticks, or what may be a mark. */
const TOKEN =
  /^[ \t>]{0,40}(`{3,}|~{3,})[^`\n]*$|`+|<private[ \t]{0,8}>|<\/private[ \t]{0,8}>|[#＃](?:nocontext|deep)/gim;
const ANY_MARK = /<\/?private[ \t]{0,8}>|[#＃](?:nocontext|deep)/i;
const PRIVATE_MARK = /<(\/?)private[ \t]{0,8}>/gi;

/** Scripts that put no blanks between words. */
const UNSPACED =
  "(?![\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}])";
/** What a mark hangs on to: it is a part of an address, a selector or a name then. Made once needed: it takes a while. */
const joins = once(() => ({
  before: new RegExp(`(?:${UNSPACED}[\\p{L}\\p{N}\\p{M}_#＃/\\\\&@=$%~+*^.-]|[\\w$]\\()$`, "u"),
  after: new RegExp(`^(?:${UNSPACED}[\\p{L}\\p{N}\\p{M}_#＃/\\\\&@=$%~+*^({[<-]|[.:][A-Za-z0-9_])`, "u"),
}));
const QUOTE = /["'“”‘’]/;

/**
 * A prompt without its marks and its private text, and what the marks ask for. A mark counts as a word of its own, outside
 * of backticks and code fences. Contract: pure; a prompt without marks comes back as it is, with null; what is between
 * `<private>` and `</private>`, or the end, is in no part of the result.
 */
export function readMarks(given: string): { readonly text: string; readonly marks: PromptMarks | null } {
  return scan(given, { keepsWords: false });
}

/** A prompt without its private text, the other marks kept: for a program that reads them itself. */
export function hidePrivate(given: string): string {
  return scan(given, { keepsWords: true }).text;
}

function scan(given: string, { keepsWords }: { readonly keepsWords: boolean }) {
  // Nearly every prompt ends here.
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

/** A text from which parts are taken, leaving a blank where words would run together. */
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

/** Finds where a fenced block ends; null where it never does, so that a stray fence hides no mark. */
function makeFenceSearch(text: string): (from: number, fence: string) => number | null {
  // A fence that nothing closes leaves longer ones open, too: a text full of them is not searched again for each.
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

/** Code between backticks is short; what lies further apart belongs to two of them. */
const MAX_SPAN_CHARS = 2_000;

/** Where code between backticks ends: at as many backticks in the same line; null where there are none. */
function endOfSpan(text: string, from: number, ticks: string): number | null {
  const [line = ""] = text.slice(from, from + MAX_SPAN_CHARS).split("\n", 1);
  const closing = [...line.matchAll(/`+/g)].find(([run]) => run.length === ticks.length);
  return closing === undefined ? null : from + closing.index + ticks.length;
}

/** Where private text ends: at the mark that closes it, wherever that stands; at the end where none does. */
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
