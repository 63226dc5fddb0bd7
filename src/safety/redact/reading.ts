import { once } from "../../base/once.ts";

/**
 * A line as a reader understands it: percent-encoding, escape sequences and entities decoded, and look-alikes of Latin
 * letters (other scripts, full width) replaced. `password%3D…` and `ｐａｓｓｗｏｒｄ：…` name a password to any reader.
 * Contract: linear; only printable ASCII is decoded, so a line stays one line.
 */

/** Cyrillic and Greek look-alikes of Latin letters, each followed by that letter. */
const ALIKE =
  "аa еe оo рp сc хx уy кk ѕs іi јj ԁd һh ԛq ԝw ѵv тt АA ВB ЕE КK МM НH ОO РP СC ТT ХX УY ІI ЈJ ЅS αa οo ρp νv κk ιi τt εe υu ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX";
const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  colon: ":",
  equals: "=",
};
const OTHER = /[\u0391-\u03c5\u0400-\u052f\uff0d\uff10-\uff5a]/;
const WRITTEN =
  /%(?:25){0,8}[2-7][0-9A-Fa-f]|\\u00[2-7][0-9a-fA-F]|&(?:#\d{2,3}|#[xX][2-7][0-9a-fA-F]|quot|apos|amp|lt|gt|colon|equals);/;
const WRITTEN_ALL = new RegExp(WRITTEN.source, "g");
const WORD = /[\w\u0391-\u03c5\u0400-\u052f]{2,60}/g;
const WIDE = /[\uff0d\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a]/g;
const ANNOUNCES = /passw|passphrase|secret|token|api_?key/i;
const MAX_LAYERS = 3;
/** Separates lines that are not adjacent. */
const APART = "\n\u00a7\n";

const letters = once(() => new Map(ALIKE.split(" ").map((pair) => [pair.charAt(0), pair.charAt(1)])));

/**
 * Hides secrets that are recognisable only after decoding. Contract: keeps the number of lines; `hide` receives lines
 * that are not adjacent and must not look for anything that spans lines.
 */
export function hideAsRead(text: string, hide: (lines: string) => string): string {
  if (!WRITTEN.test(text) && !OTHER.test(text)) return text;
  const lines = text.split("\n");
  const read = lines.map((line, at) => ({ line, reading: toReading(line), at }));
  const written = read.filter(({ line, reading }) => reading !== line);
  if (written.length === 0) return text;
  const hidden = hide(written.map(({ reading }) => reading).join(APART)).split(APART);
  if (hidden.length !== written.length) return text;
  for (const [i, { reading, at }] of written.entries()) {
    const shown = hidden[i];
    if (shown !== undefined && shown !== reading) lines[at] = shown;
  }
  return lines.join("\n");
}

/** Decodes a line. */
function toReading(line: string): string {
  let reading = line;
  for (let layer = 0; layer < MAX_LAYERS && WRITTEN.test(reading); layer++)
    reading = reading.replace(WRITTEN_ALL, toSign);
  return OTHER.test(reading) ? reading.replace(WIDE, toNarrow).replace(WORD, toLatin) : reading;
}

function toSign(written: string): string {
  const entity = /^&([a-z]+);$/.exec(written)?.[1];
  if (entity !== undefined) return ENTITIES[entity] ?? written;
  const decimal = /^&#(\d+);$/.exec(written)?.[1];
  const code = decimal === undefined ? Number.parseInt(written.replace(/;$/, "").slice(-2), 16) : Number(decimal);
  return code >= 32 && code < 127 ? String.fromCharCode(code) : written;
}

function toNarrow(wide: string): string {
  return String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
}

/** Converts a word to Latin letters if it mixes scripts or looks like the name of a secret. */
function toLatin(word: string): string {
  if (!OTHER.test(word)) return word;
  const latin = [...word].map((letter) => letters().get(letter) ?? letter).join("");
  return /[A-Za-z]/.test(word) || ANNOUNCES.test(latin) ? latin : word;
}
