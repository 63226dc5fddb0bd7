import { once } from "../../base/once.ts";

/** Maximum number of passages of one kind that are decoded. */
const MOST_PASSAGES = 8;

/** What every encoding contains: a long run, many short numbers, an escape sequence, or words joined by underscores. */
const ENCODED =
  /[a-z0-9+/_-]{20}|[0-9a-fx\\%u&#;, :]{24}|(?:_[^\s_]{1,32}){5}|&(?:#|[a-z]{2,8};)|(?:\\u[0-9a-f]{2}|\\u\{|\\x|%|=)[0-9a-f]{2}|(?:\\[0-7]{3}){4}/i;

/** Addresses contain escape sequences legitimately. */
const ADDRESS = /https?:\\?\/\\?\/[^\s"'<>]{1,400}/g;
/** Enough escape sequences to hide a word: a single one is a space in an address, or a name with its value. */
const ESCAPED =
  /(?:(?:&(?:#|[a-z]{2,8};)|\\u[0-9a-f]{4}|\\u\{[0-9a-f]{2,6}\}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|=[0-9A-F]{2}(?!\w)|=[0-9A-F]{2}(?==)).{0,40}?){4}/i;

/** A passage between the control characters that display it from right to left. */
const TURNED_ROUND = /[\u202e\u2067]([^\u202c\u2069\n]{6,400})/g;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** A run of Base32 characters only: a constant in capitals has no digits, and a word is shorter. */
const BASE32_RUN = /(?<![A-Za-z0-9_])(?=[A-Z]{0,40}[2-7])[A-Z2-7]{24,4000}={0,6}(?![A-Za-z0-9_])/g;

/** Where passages are searched (in the line, or only in the rest outside addresses), how they look, what they may mean. */
type Encoding = readonly [where: "line" | "rest", pattern: RegExp, decode: (run: string) => readonly string[]];

const ENCODINGS: readonly Encoding[] = [
  ["line", /[A-Za-z0-9+/_-]{20,8000}={0,2}/g, decodeRun],
  ["line", BASE32_RUN, (run) => [decodeBase32(run)]],
  ["rest", /(?:(?:\\x|0x|%|\\u00|&#x?)?[0-9a-f]{2,3}[;, :]{0,2}){12,4000}/gi, decodeCodes],
  ["line", /(?:[01]{8} ?){12,1000}/g, (run) => [toText(run.match(/[01]{8}/g), 2)]],
  ["rest", /(?:%[0-9a-f]{2}|\\x[0-9a-f]{2}){6,2000}/gi, (run) => [toText(run.match(/[0-9a-f]{2}/gi), 16)]],
  ["rest", /(?:\\[0-3][0-7]{2}){6,2000}/g, (run) => [toText(run.match(/\d{3}/g), 8)]],
  ["rest", /(?:=[0-9A-F]{2}){6,2000}/g, (run) => [toText(run.match(/[0-9A-F]{2}/g), 16)]],
  ["rest", /(?<![\w.])(?:\d{2,5}[, ]{1,2}){5,2000}\d{2,5}(?![\w.])/g, decodeNumbers],
];

/**
 * Decodes encoded passages of a line: base64, base32, hex, escape sequences, entities, upside-down letters, and text
 * that is displayed from right to left. Contract: linear; at most 8 of each kind; text only.
 */
export function decodePassages(line: string): readonly string[] {
  const turned = turn(line);
  const round = line.search(TURNED_ROUND) < 0 ? [] : firstMatches(line, TURNED_ROUND);
  if (turned === "" && round.length === 0 && !ENCODED.test(line)) return [];
  const found = round.map(([, text = ""]) => [...text].reverse().join(""));
  const rest = line.replace(ADDRESS, " ");
  for (const [where, pattern, decode] of ENCODINGS)
    for (const [run] of firstMatches(where === "line" ? line : rest, pattern)) found.push(...decode(run));
  found.push(turned, ESCAPED.test(rest) ? readEscapes(line) : "");
  return found.filter(isReadable);
}

/** The first matches of a pattern, at most as many as passages are decoded. */
export function firstMatches(text: string, pattern: RegExp): readonly RegExpMatchArray[] {
  const found: RegExpMatchArray[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push(match);
    if (found.length === MOST_PASSAGES) break;
  }
  return found;
}

/** Decodes hex digits, or base64, which may itself be encoded again. */
function decodeRun(run: string): readonly string[] {
  if (/^[0-9a-f]+$/i.test(run)) return [Buffer.from(run, "hex").toString("utf8")];
  if (!/[a-z]/.test(run) || !/[A-Z0-9]/.test(run)) return [];
  const text = Buffer.from(run, "base64").toString("utf8").replaceAll("\u0000", "");
  return /^[A-Za-z0-9+/=]{20,}$/.test(text) ? [text, Buffer.from(text, "base64").toString("utf8")] : [text];
}

function decodeBase32(run: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of run.replace(/=+$/, "")) {
    held = ((held << 5) | BASE32.indexOf(sign)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes).toString("utf8");
}

/** Decodes a list of character codes in hex or decimal notation; two hex digits may also be a byte. */
function decodeCodes(run: string): readonly string[] {
  const codes = run.match(/[0-9a-f]{2,3}/gi) ?? [];
  const read = (base: number) =>
    String.fromCharCode(...codes.slice(0, 2_000).map((code) => Number.parseInt(code, base)));
  const isDecimal = /&#\d/.test(run) || !/[a-f]/i.test(run.replace(/0x|\\x/gi, ""));
  return [
    read(isDecimal ? 10 : 16),
    ...(codes.every((code) => code.length === 2) ? [toText(codes, 16)] : []),
    ...(isDecimal ? [read(16)] : []),
  ];
}

function decodeNumbers(run: string): readonly string[] {
  return [(run.match(/\d+/g) ?? []).map((code) => toChar(Number(code))).join("")];
}

/** Decodes bytes that are written as numbers. */
function toText(bytes: readonly string[] | null, base: number): string {
  return Buffer.from((bytes ?? []).map((byte) => Number.parseInt(byte, base))).toString("utf8");
}

function toChar(code: number): string {
  return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : " ";
}

/** Decodes the escape sequences and entities of a line. */
function readEscapes(line: string): string {
  return line
    .replace(/&#(\d{1,7});?/g, (_, code: string) => toChar(Number(code)))
    .replace(
      /(?:(?:&#x|\\u\{)([0-9a-f]{2,6})[;}]|\\u([0-9a-f]{4})|(?:\\x|%|=)([0-9a-f]{2}))/gi,
      (_, a?: string, b?: string, c?: string) => toChar(Number.parseInt(a ?? b ?? c ?? "", 16)),
    )
    .replace(/&(?:nbsp|sp|Tab|ensp|emsp);/gi, " ");
}

/** Pairs of a letter that looks upside down and the upright letter. */
const TURNED = "\u0250aqb\u0254cpd\u01ddeɟfƃg\u0253gɥhᴉiıiɾjʞkןlɯmundpbqɹrʇtnuʌvʍwʎy";
const TURNED_LETTER = /[\u0250\u0254\u01ddɟƃɥᴉɾʞɯɹʇʌʍʎ]/;
const TURNED_LETTERS = new RegExp(TURNED_LETTER, "g");
const FEWEST_TURNED = 5;
const upright = once(() => new Map(TURNED.match(/../gsu)?.map((pair) => [pair.charAt(0), pair.charAt(1)])));

/** Restores a line written upside down. Empty if it has fewer than five such letters. */
function turn(line: string): string {
  if (!TURNED_LETTER.test(line) || (line.match(TURNED_LETTERS)?.length ?? 0) < FEWEST_TURNED) return "";
  return [...line.toLowerCase()]
    .reverse()
    .map((letter) => upright().get(letter) ?? letter)
    .join("");
}

/** True for text, false for binary data. */
function isReadable(text: string): boolean {
  const head = text.slice(0, 400);
  if (head.length < (/^[\u3400-\u9fff]/.test(head) ? 5 : 8) || head.includes("\ufffd")) return false;
  const good = head.match(/[\p{L}\p{N} .,:;!?'"()/@_~`<>=【】“”（），。：；！？、|-]/gu)?.length ?? 0;
  return good >= head.length * 0.9;
}
