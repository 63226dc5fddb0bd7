import { pushTo } from "../../base/maps.ts";
import { splitPath } from "./traits.ts";

/** Prefix of a term for a whole compound identifier, so that it never equals a word. */
const WHOLE = "=";
/** Identifiers, runs of Chinese, and numbers that may be meaningful: ports, codes, years. */
const WORD = /[A-Za-z_$][A-Za-z0-9_$]*|(?<![0-9.])[0-9]{3,10}(?![0-9A-Za-z_$])|\p{Script=Han}+/gu;
/** Maximum number of characters read of a word; longer words are data. */
const LONGEST = 80;
/** Maximum number of cached words: more than a typical repository has, and a bound for a stream of hostile files. */
const MOST_KEPT = 100_000;

/** Suffixes to strip, longest first: [suffix, minimum length of the rest, replacement]. */
const ENDINGS: readonly (readonly [string, number, string])[] = [
  ["ization", 3, "ize"],
  ["isation", 3, "ize"],
  ["ational", 3, "ate"],
  ["fulness", 3, ""],
  ["iveness", 3, ""],
  ["ation", 3, "ate"],
  ["ition", 4, ""],
  ["ction", 3, "ct"],
  ["sion", 4, "s"],
  ["tion", 3, "t"],
  ["ator", 3, "ate"],
  ["ment", 4, ""],
  ["ness", 4, ""],
  ["able", 4, ""],
  ["ible", 4, ""],
  ["ally", 4, ""],
  ["ing", 3, ""],
  ["ied", 2, "y"],
  ["ed", 3, ""],
  ["er", 3, ""],
  ["or", 4, ""],
  ["ly", 4, ""],
  ["al", 4, ""],
  ["ive", 4, ""],
  ["ity", 4, ""],
];

const ENDINGS_BY_LETTER = new Map<string, (readonly [string, number, string])[]>();
for (const rule of ENDINGS) pushTo(ENDINGS_BY_LETTER, rule[0].charAt(rule[0].length - 1), rule);

/**
 * The stem shared by a word and its relatives (`validators`, `validation`, `validate`). Contract: takes lower-case
 * letters; the result is for comparison, not for display.
 */
function toWordStem(word: string): string {
  if (word.length < 4 || isDigit(word.charCodeAt(0))) return word;
  const kept = stems.get(word);
  if (kept !== undefined) return kept;
  const stem = findStem(word);
  if (stems.size >= MOST_KEPT) stems.clear();
  stems.set(word, stem);
  return stem;
}

const stems = new Map<string, string>();

function findStem(word: string): string {
  let stem = withoutPlural(word);
  for (const [ending, shortest, instead] of ENDINGS_BY_LETTER.get(stem.charAt(stem.length - 1)) ?? []) {
    if (stem.length - ending.length >= shortest && stem.endsWith(ending)) {
      stem = stem.slice(0, -ending.length) + instead;
      break;
    }
  }
  const last = stem.charAt(stem.length - 1);
  if (stem.length > 3 && last === stem.charAt(stem.length - 2) && !"lszaeiou".includes(last)) stem = stem.slice(0, -1);
  if (stem.endsWith("ie")) stem = `${stem.slice(0, -2)}y`;
  if (stem.length > 3 && stem.endsWith("e")) stem = stem.slice(0, -1);
  return stem.length > 3 && stem.endsWith("y") ? `${stem.slice(0, -1)}i` : stem;
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s")) return word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return "sui".includes(word.charAt(word.length - 2)) ? word : word.slice(0, -1);
}

const known = new Map<string, readonly string[]>();

/**
 * The terms of one word: for a compound identifier the whole and its parts, for Chinese every pair of characters.
 * Contract: `getUserName`, `get_user_name` and `GetUserName` have the same terms.
 */
export function termsOfWord(word: string): readonly string[] {
  const kept = known.get(word);
  if (kept !== undefined) return kept;
  const terms = toTerms(word);
  if (known.size >= MOST_KEPT) known.clear();
  known.set(word, terms);
  return terms;
}

/** Like `termsOfWord`, but without caching the terms: for a caller that passes each word only once. */
export function toTerms(word: string): string[] {
  return word.charCodeAt(0) >= 0x2e80 ? pairsOf(word) : splitWord(word);
}

function splitWord(word: string): string[] {
  const end = Math.min(word.length, LONGEST);
  const terms: string[] = [];
  for (let at = 0; at < end; ) {
    const next = endOfPart(word, at, end);
    if (next > at) terms.push(toWordStem(word.slice(at, next).toLowerCase()));
    at = Math.max(next, at + 1);
  }
  return terms.length > 1 ? [wholeTerm(terms.join("")), ...terms] : terms;
}

/** The end of the word part that begins at `at`: `HTTP|Server|2|go`; returns `at` if none begins there. */
function endOfPart(word: string, at: number, end: number): number {
  if (isDigit(word.charCodeAt(at))) return endOf(isDigit, word, at, end);
  const capitals = endOf(isCapital, word, at, end);
  const small = endOf(isSmall, word, capitals, end);
  // The last of several capitals begins the next part if lower-case letters follow.
  return capitals - at > 1 && small > capitals ? capitals - 1 : capitals - at > 1 ? capitals : small;
}

function endOf(is: (code: number) => boolean, word: string, from: number, end: number): number {
  let at = from;
  while (at < end && is(word.charCodeAt(at))) at++;
  return at;
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isCapital = (code: number) => code >= 65 && code <= 90;
const isSmall = (code: number) => code >= 97 && code <= 122;

/** The term for a compound identifier as a whole. */
export function wholeTerm(joined: string): string {
  return WHOLE + joined.toLowerCase();
}

/** Whether a term represents a whole identifier rather than a word. */
export function isWhole(term: string): boolean {
  return term.startsWith(WHOLE);
}

/** The stems of an identifier's parts. */
export function partsOf(identifier: string): readonly string[] {
  return termsOfWord(identifier).filter((term) => !isWhole(term));
}

/**
 * Pairs of adjacent characters. Works on code points, because all lone surrogates become the same bytes when stored.
 */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(0, -1).map((character, at) => character + (characters[at + 1] ?? ""));
}

/** The words of a text as written: identifiers, runs of Chinese, and numbers that may be meaningful. */
export function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** All terms of a text in order, duplicates included. */
function termsOfText(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text)) for (const term of termsOfWord(word)) terms.push(term);
  return terms;
}

/** Number of innermost folders that are considered informative. */
const FOLDERS_READ = 3;

/** The terms of a path. Those of the file name count twice, because it says more than the folder names. */
export function termsOfPath(path: string): string[] {
  const { folders, stem } = splitPath(path);
  const own = termsOfText(stem);
  return [...own, ...own, ...folders.slice(-FOLDERS_READ).flatMap(termsOfText)];
}
