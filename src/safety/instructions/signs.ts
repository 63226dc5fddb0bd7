import { once } from "../../base/once.ts";
import { COMMON, ENOUGH_COMMON, isHanBackwards, SHUFFLED_WORDS } from "./shadow.ts";

/** The result for most lines, which need no decoding. `moved` is ROT13. */
export const NO_SIGNS = {
  spelled: false,
  leet: false,
  shuffled: false,
  moved: false,
  backwards: false,
  doubled: false,
};
/** Which decodings of a line are worth trying. */
type Signs = Readonly<typeof NO_SIGNS>;

/** What a piece of up to four letters can be: a common word, its ROT13, or its reversal. */
const PIECE = { common: 1, moved: 2, backwards: 4 };
/** Removed when a line is read backwards, so that the letters on both sides form one word. */
const CLOSED_BACKWARDS = /'(?:n\\)? ?[+,.] ?'/;
const LONGEST_LEET = 24;

/** Classes of characters. */
const KIND = { letter: 1, digit: 2, leet: 4, gap: 8, quote: 16 };
const DOT_INSIDE = 0xb7;

const tables = once(() => {
  const pieces = new Map<number, number>();
  const put = (key: number, bit: number) => pieces.set(key, (pieces.get(key) ?? 0) | bit);
  for (const word of COMMON) {
    let moved = 0;
    let backwards = 0;
    for (let at = 0; at < word.length; at++) {
      moved = moved * 32 + (((word.charCodeAt(at) - 84) % 26) + 1);
      backwards = backwards * 32 + (word.charCodeAt(word.length - 1 - at) & 31);
    }
    put(toKey(word, 0, word.length), PIECE.common);
    put(moved, PIECE.moved);
    put(backwards, PIECE.backwards);
  }
  // By first and last letter, one bit per word length.
  const outlines = new Uint16Array(32 * 32);
  for (const word of SHUFFLED_WORDS) {
    const at = toOutline(word.charCodeAt(0), word.charCodeAt(word.length - 1));
    outlines[at] = (outlines[at] ?? 0) | (1 << word.length);
  }
  const kinds = new Uint8Array(128);
  const mark = (characters: string, kind: number) => {
    for (let at = 0; at < characters.length; at++) {
      const code = characters.charCodeAt(at);
      kinds[code] = (kinds[code] ?? 0) | kind;
    }
  };
  mark("abcdefghijklmnopqrstuvwxyz", KIND.letter);
  mark("0123456789", KIND.digit);
  mark("0134578@$!|+", KIND.leet);
  mark(" ._|~/*'-", KIND.gap);
  mark("'", KIND.quote);
  return { pieces, outlines, kinds, words: new Set(SHUFFLED_WORDS) };
});

/**
 * Looks at every character of a line once, because the decodings themselves cost many times as much. Contract: works on
 * shadows; linear; false only if the decoding would be empty; returns {@link NO_SIGNS} itself if all are false.
 */
export function toSigns(shadow: string): Signs {
  const { pieces, outlines, kinds, words } = tables();
  const { length } = shadow;
  let singles = 0;
  let leet = 0;
  let shuffled = 0;
  let common = 0;
  let moved = 0;
  let backwards = 0;
  let doubled = 0;
  let seen = 0;
  let leetFrom = 0;
  let inLeet = 0;
  let isWide = false;
  for (let at = 0; at < length; at++) {
    const from = at;
    const code = shadow.charCodeAt(at);
    let kind = code < 0x80 ? (kinds[code] ?? 0) : 0;
    if ((kind & KIND.letter) === 0) {
      seen |= kind;
      if ((kind & KIND.leet) !== 0) inLeet |= KIND.leet;
      else {
        if (inLeet === (KIND.letter | KIND.leet)) leet += countLeet(at - leetFrom);
        inLeet = 0;
        leetFrom = at + 1;
      }
      if (code < 0x80) continue;
      isWide ||= code >= 0x3400;
      if (code !== DOT_INSIDE && isSingle(shadow, at, kinds)) singles++;
      continue;
    }
    inLeet |= KIND.letter;
    while (at + 1 < length && (kind & KIND.letter) !== 0) {
      const next = shadow.charCodeAt(at + 1);
      kind = next < 0x80 ? (kinds[next] ?? 0) : 0;
      if ((kind & KIND.letter) !== 0) at++;
    }
    const end = at + 1;
    const size = end - from;
    if (size === 1) {
      if (isSingle(shadow, at, kinds)) singles++;
      continue;
    }
    if (size >= 4 && size <= 13 && ((outlines[toOutline(code, shadow.charCodeAt(at))] ?? 0) & (1 << size)) !== 0) {
      // The unshuffled words themselves do not count.
      if (!words.has(shadow.slice(from, end))) shuffled++;
    }
    if (size >= 4 && size % 2 === 0 && isDoubled(shadow, from, end)) doubled++;
    // Longer words are counted in pieces of four, as in `shadow.ts`.
    for (let start = from; end - start >= 2; start += 4) {
      const found = pieces.get(toKey(shadow, start, Math.min(start + 4, end)));
      if (found === undefined) continue;
      if ((found & PIECE.common) !== 0) common++;
      if ((found & PIECE.moved) !== 0) moved++;
    }
    for (let stop = end; stop - from >= 2; stop -= 4) {
      const found = pieces.get(toKey(shadow, Math.max(from, stop - 4), stop));
      if (found !== undefined && (found & PIECE.backwards) !== 0) backwards++;
    }
  }
  if (inLeet === (KIND.letter | KIND.leet)) leet += countLeet(length - leetFrom);
  const enough = ENOUGH_COMMON + common;
  const isBackwards =
    backwards >= enough ||
    (isWide && isHanBackwards(shadow)) ||
    ((seen & KIND.quote) !== 0 && CLOSED_BACKWARDS.test(shadow));
  const signs = {
    spelled: singles >= 3,
    leet: leet >= 2,
    shuffled: shuffled >= 2,
    moved: moved >= enough,
    backwards: isBackwards,
    doubled: doubled >= 3,
  };
  return Object.values(signs).includes(true) ? signs : NO_SIGNS;
}

/** Maximum number of words that a run of letters and symbols is read as. */
function countLeet(size: number): number {
  return size < 3 ? 0 : 1 + Math.floor(size / LONGEST_LEET);
}

/** True for a single character before a gap; a character that may not be a letter counts too. */
function isSingle(shadow: string, at: number, kinds: Uint8Array): boolean {
  const next = shadow.charCodeAt(at + 1);
  if (next !== DOT_INSIDE && ((kinds[next] ?? 0) & KIND.gap) === 0) return false;
  const before = shadow.charCodeAt(at - 1);
  const isHan = before >= 0x4e00 && before <= 0x9fff;
  return !isHan && ((kinds[before] ?? 0) & (KIND.letter | KIND.digit)) === 0;
}

/** True for a word in which every letter is doubled. */
function isDoubled(shadow: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 2) if (shadow.charCodeAt(at) !== shadow.charCodeAt(at + 1)) return false;
  return true;
}

/** Up to four letters as a number. */
function toKey(text: string, from: number, to: number): number {
  let key = 0;
  for (let at = from; at < to; at++) key = key * 32 + (text.charCodeAt(at) & 31);
  return key;
}

function toOutline(first: number, last: number): number {
  return (first & 31) * 32 + (last & 31);
}
