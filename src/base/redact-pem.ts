/** Private keys as text, in any layout: whole or cut, escaped, on one line, indented, quoted or commented line by line. */

import { isPlaceholder } from "./redact-judge.ts";

const KEY_BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-{4,5}/g;
const KEY_END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-{4,5}/g;
/** A line that can belong to a key's body: nothing but base64 between decorations, or a long piece of it, or a header. */
const BODY_LINE =
  /^[\s>#*/+|"'`\\;%-]{0,40}(?:[A-Za-z0-9+/=]{1,200}[\s\\nr"'`,;+.)]{0,20}|)$|[A-Za-z0-9+/=]{24}|Proc-Type|DEK-Info|^(?:Version|Comment|Hash): /;
const LONG_PIECE = /[A-Za-z0-9+/=]{24}/;
const MARK = "<redacted private key>";

/** Hides private keys. Contract: linear; the number of lines stays the same; the mark stands where the key began. */
export function hidePrivateKeys(text: string, hit: (kind: string) => void): string {
  if (
    !text.includes("-- BEGIN ") &&
    !text.includes("--BEGIN ") &&
    !text.includes("--END ") &&
    !text.includes("-- END ")
  ) {
    return text;
  }
  const ends = [...text.matchAll(KEY_END)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
  let out = "";
  let at = 0;
  let nextEnd = 0;
  for (const begin of text.matchAll(KEY_BEGIN)) {
    if (begin.index < at) continue;
    // An END before this BEGIN closes a key whose head was cut off.
    for (; nextEnd < ends.length && (ends[nextEnd]?.from ?? 0) < begin.index; nextEnd++) {
      const end = ends[nextEnd];
      if (end === undefined || end.from < at) continue;
      const tail = hideTail(text.slice(at, end.from), hit);
      out += tail ?? text.slice(at, end.to);
      at = end.to;
    }
    const bodyAt = begin.index + begin[0].length;
    const end = ends[nextEnd];
    if (end !== undefined && isEmpty(text.slice(bodyAt, end.from))) continue;
    const stop = end === undefined || !isBody(text.slice(bodyAt, end.from)) ? toBodyEnd(text, bodyAt) : end.to;
    if (stop === bodyAt) continue;
    out += `${text.slice(at, begin.index)}${MARK}${toLineBreaks(text.slice(bodyAt, stop))}`;
    hit("private-key");
    at = stop;
  }
  for (; nextEnd < ends.length; nextEnd++) {
    const end = ends[nextEnd];
    if (end === undefined || end.from < at) continue;
    const tail = hideTail(text.slice(at, end.from), hit);
    out += tail ?? text.slice(at, end.to);
    at = end.to;
  }
  return out + text.slice(at);
}

/** True for what can stand between BEGIN and END: code that only speaks of keys has other lines and no long piece. */
function isBody(text: string): boolean {
  return LONG_PIECE.test(text) || text.split("\n").every((line) => BODY_LINE.test(line.slice(0, 2_000)));
}

/** True between a BEGIN and an END that enclose an ellipsis, a placeholder or nothing. */
function isEmpty(body: string): boolean {
  const shown = body.replace(/\\[nr]/g, " ").trim();
  return body.length < 40 && (!/[A-Za-z0-9+/]{4}/.test(shown) || isPlaceholder(shown));
}

function toLineBreaks(text: string): string {
  return text.replace(/[^\n]+/g, "");
}

/** Where the body of a key without END stops: at the first line that cannot be part of one. */
function toBodyEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    const lineEnd = next < 0 ? text.length : next;
    const line = text.slice(at, Math.min(lineEnd, at + 2_000));
    // The rest of the line of BEGIN is taken whole where it holds a part of the key: escaped, or on one line.
    // A quote that closes at once ends the string: code that looks for keys.
    const isClosed = /^["'`]\s{0,2}[),\]};]/.test(line) && !LONG_PIECE.test(line);
    if (at === from && (isClosed || !/[A-Za-z0-9+/]{8}|\\n["']?/.test(line.slice(0, 160)))) {
      const following = next < 0 ? "" : text.slice(next + 1, next + 400).split("\n", 1)[0];
      if (line.length > 0 && !LONG_PIECE.test(following ?? "")) return from;
    }
    if (at !== from && !BODY_LINE.test(line)) return at - 1;
    if (next < 0) return text.length;
    at = next + 1;
  }
  return text.length;
}

/** Hides the lines before an END whose BEGIN was cut off; null where no part of a key stands there. */
function hideTail(text: string, hit: (kind: string) => void): string | null {
  const lines = text.split("\n");
  let first = lines.length - 1;
  while (first > 0 && BODY_LINE.test((lines[first - 1] ?? "").slice(-2_000))) first--;
  if (!/[A-Za-z0-9+/]{8}/.test(lines.slice(first).join("\n"))) return null;
  hit("private-key");
  return [...lines.slice(0, first), MARK, ...lines.slice(first + 1).map(() => "")].join("\n");
}
