/** Private keys as text, in any layout: complete or cut, escaped, on one line, indented, quoted or commented. */

import { isTemplate } from "./authorization.ts";
import { isReference } from "./judge.ts";

const KEY_BEGIN = /-{4,5} ?BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}|OpenVPN Static key V\d)-{4,5}/g;
const KEY_END = /-{4,5} ?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}|OpenVPN Static key V\d)-{4,5}/g;
/** A piece of base64 up to the end of its line, apart from punctuation that closes a string or a list. */
const PIECE = "[A-Za-z0-9+/=]{1,200}[\\s\\\\nr\"'`,;+.)]{0,20}$";
/** A line that consists only of a piece between decorations, or is a header or empty. */
const PURE_LINE = new RegExp(
  `^[\\s>#*/+|"'\`\\\\;%-]{0,40}(?:${PIECE}|$)|Proc-Type|DEK-Info|^(?:Version|Comment|Hash): `,
);
const PIECE_LINE = new RegExp(`^["'\`]?${PIECE}`);
/** A long piece at the end of a line, in any column. */
const LONG_END = /[A-Za-z0-9+/=]{24,200}[\s\\nr"'`,;+.)]{0,20}$/;
const FEW_LINES = 6;
const LONG_PIECE = /[A-Za-z0-9+/=]{24}/;
const MARK = "<redacted private key>";

/** Hides private keys. Contract: linear; keeps the number of lines; the mark is placed where the key began. */
export function hidePrivateKeys(text: string, hit: (kind: string) => void): string {
  if (!/-- ?(?:BEGIN|END) /.test(text)) return text;
  const ends = [...text.matchAll(KEY_END)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
  let out = "";
  let at = 0;
  let nextEnd = 0;
  /** Each END before `limit` that no BEGIN precedes closes a key whose beginning was cut off. */
  const hideTails = (limit: number) => {
    for (; nextEnd < ends.length && (ends[nextEnd]?.from ?? 0) < limit; nextEnd++) {
      const end = ends[nextEnd];
      if (end === undefined || end.from < at) continue;
      out += hideTail(text.slice(at, end.from), hit) ?? text.slice(at, end.to);
      at = end.to;
    }
  };
  const begins = [...text.matchAll(KEY_BEGIN)];
  for (const [i, begin] of begins.entries()) {
    if (begin.index < at) continue;
    hideTails(begin.index);
    const bodyAt = begin.index + begin[0].length;
    // An END after the next BEGIN closes that one: this key was cut off.
    const end = (ends[nextEnd]?.from ?? 0) > (begins[i + 1]?.index ?? text.length) ? undefined : ends[nextEnd];
    const column = begin.index - text.lastIndexOf("\n", begin.index) - 1;
    if (end !== undefined && isEmpty(text.slice(bodyAt, end.from))) continue;
    const isWhole = end !== undefined && isBody(text.slice(bodyAt, end.from), column);
    const stop = isWhole ? end.to : toBodyEnd(text, bodyAt, column);
    if (stop === bodyAt) continue;
    out += `${text.slice(at, begin.index)}${MARK}${toLineBreaks(text.slice(bodyAt, stop))}`;
    hit("private-key");
    at = stop;
  }
  hideTails(text.length);
  return out + text.slice(at);
}

/**
 * True for a line that can belong to the body of a key: only base64 between decorations, or base64 from the column of
 * the key's frame on, give or take one character: logs and searches put a prefix before each line.
 */
function belongs(line: string, column: number): boolean {
  if (PURE_LINE.test(line)) return true;
  if (column === 0 || column > 200) return false;
  return [column, column + 1, column - 1].some((at) => at > 0 && PIECE_LINE.test(line.slice(at)));
}

/** True for text that can stand between BEGIN and END: a few lines of anything, or lines that nearly all fit a key. */
function isBody(text: string, column: number): boolean {
  const lines = text.split("\n");
  const strange = lines.filter((line) => !LONG_END.test(line) && !belongs(line.slice(0, 2_000), column)).length;
  return lines.length <= FEW_LINES || strange <= 1 + lines.length / 10;
}

/** True if BEGIN and END enclose only an ellipsis, a template, a pattern, a variable in code, or nothing. */
function isEmpty(body: string): boolean {
  if (body.length > 80) return false;
  const shown = body.replace(/\\[nr]/g, " ").trim();
  if (!/[A-Za-z0-9]/.test(shown) || isTemplate(shown) || /^(?:\[\^?|\.[*+]|\(\?|\\[sSwWdD])/.test(shown)) return true;
  // A closing quote and the name of another string: code that searches for both ends.
  if (/^["'`][;,)]{0,2}\s{1,8}[\w.$ ]{1,40}\s{0,2}[:=]\s{0,2}[bru]?["'`]$/.test(shown)) return true;
  // A closing quote and a variable between two operators: code that assembles a key.
  return (
    /^["'`]\s{0,2}[+.,]\s{0,2}[A-Za-z_$][\w$.()[\]]{0,60}\s{0,2}[+.,]\s{0,2}["'`]$/.test(shown) || isReference(shown)
  );
}

function toLineBreaks(text: string): string {
  return text.replace(/[^\n]+/g, "");
}

/** End of the body of a key without END: before the first line that cannot be part of it, or after a short line. */
function toBodyEnd(text: string, from: number, column: number): number {
  let at = from;
  let seenLong = false;
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    const lineEnd = next < 0 ? text.length : next;
    const line = text.slice(at, Math.min(lineEnd, at + 2_000));
    // The rest of the BEGIN line is included if it contains part of the key: escaped, or on one line.
    // A quote that closes immediately ends the string: code that searches for keys.
    const isClosed = /^["'`]\s{0,2}[),\]};]/.test(line) && !LONG_PIECE.test(line);
    if (at === from && (isClosed || !/[A-Za-z0-9+/]{8}|\\n["']?/.test(line.slice(0, 160)))) {
      const following = next < 0 ? "" : text.slice(next + 1, next + 400).split("\n", 1)[0];
      if (line.length > 0 && !LONG_PIECE.test(following ?? "")) return from;
    }
    if (at !== from && !belongs(line, column)) return at - 1;
    // Only the last line of a body is short.
    const isLong = LONG_PIECE.test(line);
    if (seenLong && !isLong && /[A-Za-z0-9]/.test(line)) return lineEnd;
    seenLong ||= isLong && at !== from;
    if (next < 0) return text.length;
    at = next + 1;
  }
  return text.length;
}

/** Hides the lines before an END whose BEGIN was cut off; null if they contain no part of a key. */
function hideTail(text: string, hit: (kind: string) => void): string | null {
  const lines = text.split("\n");
  const column = lines.at(-1)?.length ?? 0;
  let first = lines.length - 1;
  while (first > 0 && belongs((lines[first - 1] ?? "").slice(-2_000), column)) first--;
  if (!/[A-Za-z0-9+/]{8}/.test(lines.slice(first).join("\n"))) return null;
  hit("private-key");
  return [...lines.slice(0, first), MARK, ...lines.slice(first + 1).map(() => "")].join("\n");
}
