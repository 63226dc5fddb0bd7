import { getOrMake } from "../../base/maps.ts";
import { lowerBound } from "./postings.ts";
import type { Said } from "./said.ts";
import type { SearchIndex } from "./source.ts";
import { hasTrait, TRAIT } from "./traits.ts";
import { isWhole, termsOfWord, wordsOf } from "./words.ts";

/** Literal occurrences of a piece of a query. */
export interface ExactPlaces {
  readonly said: Said;
  /**
   * Number of checked files that contain it. For a word with more candidate files than are checked: the number of
   * candidates, or 0 if no checked file contains it.
   */
  readonly having: number;
  /** One place per file; empty if it occurs nowhere, or in too many files to be informative. */
  readonly places: readonly ExactPlace[];
}

/** A line that contains a text. */
interface ExactPlace {
  readonly file: number;
  readonly line: number;
  /** True if the line assigns its value: `LIMIT = 3`, `limit: 3`, `#define LIMIT 3`. */
  readonly isSet: boolean;
}

/** Reads the current text of a file; null if it cannot be read. */
export type ReadText = (file: number) => string | null;

/**
 * Maximum number of files read per text: for a single word, and for a text with other characters, which the index does
 * not contain. A text in more files does not help to tell them apart.
 */
const MOST_READ = { word: 40, signs: 200 };
/** Maximum number of texts searched per query. */
const MOST_TEXTS = 6;

/**
 * Finds literal occurrences of pieces of a query: the index tells which files have all its words on one line, and the
 * files themselves whether the text really occurs. Contract: searches at most 6 pieces and reads at most 40 files per
 * word and 200 per other text; places are in file order, test files last.
 */
export function findExact(index: SearchIndex, said: readonly Said[], readText: ReadText): ExactPlaces[] {
  const texts = new Map<number, string | null>();
  const textOf = (file: number) => getOrMake(texts, file, () => readText(file));
  return said.slice(0, MOST_TEXTS).map((piece) => {
    const isWord = /^[\w$]+$/.test(piece.text);
    const most = isWord ? MOST_READ.word : MOST_READ.signs;
    const files = filesOf(index, piece.text);
    const places = files.slice(0, most).flatMap((file) => {
      const found = placeIn(textOf(file) ?? "", piece.text);
      return found === null ? [] : [{ file, ...found }];
    });
    // A word that is everywhere is not informative. If none of the checked files contains it literally, the others
    // probably contain only other forms of it too.
    if (isWord && files.length > most)
      return { said: piece, having: places.length === 0 ? 0 : files.length, places: [] };
    const isTest = ({ file }: ExactPlace) => hasTrait(index, file, TRAIT.test);
    const inOrder = [...places.filter((place) => !isTest(place)), ...places.filter(isTest)];
    return { said: piece, having: places.length, places: inOrder };
  });
}

/** Files that have all words of a text on one line. */
function filesOf(index: SearchIndex, text: string): number[] {
  const terms = [
    ...new Set(wordsOf(text).map((word) => termsOfWord(word).find(isWhole) ?? termsOfWord(word)[0] ?? "")),
  ];
  const lists = terms.filter((term) => term !== "").map((term) => index.postings(term));
  const [rarest, ...others] = lists.sort((one, other) => one.files.length - other.files.length);
  if (rarest === undefined) return [];
  const found: number[] = [];
  for (let at = 0; at < rarest.files.length; at++) {
    const file = rarest.files[at] ?? 0;
    if ((rarest.counts.body[at] ?? 0) === 0) continue;
    const shared = others.reduce<ReadonlySet<number>>(
      (lines, list) => {
        const place = lowerBound(list.files, file);
        const own = list.files[place] === file ? Array.from(list.linesAt(place)) : [];
        return new Set(own.filter((line) => lines.has(line)));
      },
      new Set(Array.from(rarest.linesAt(at))),
    );
    if (shared.size > 0) found.push(file);
  }
  return found;
}

/**
 * The line that assigns a value to a text, else the first line that contains it as a whole token; case-sensitive first,
 * then case-insensitive.
 */
function placeIn(text: string, piece: string): Pick<ExactPlace, "line" | "isSet"> | null {
  for (const [all, own] of [
    [text, piece],
    [text.toLowerCase(), piece.toLowerCase()],
  ] as const) {
    let first = -1;
    for (let at = all.indexOf(own); at >= 0; at = all.indexOf(own, at + 1)) {
      if (!isToken(all, at, own)) continue;
      if (isSetAt(all, at, own)) return { line: countLines(all, at), isSet: true };
      if (first < 0) first = at;
    }
    if (first >= 0) return { line: countLines(all, first), isSet: false };
  }
  return null;
}

/** What may precede a name on a line that assigns its value: blanks, quotes, declaration keywords. */
const DECLARES =
  /^[ \t]*(?:(?:export|const|let|var|val|static|final|public|private|protected|readonly|set|define)[ \t]+)*#?(?:define[ \t]+)?["'`]?$/;
/** What follows the name then: an assignment, optionally after a type. Calls and comparisons do not count. */
const GIVES = /^["'`]?[ \t]*(?::(?![:=])[^=\n(){}]{0,120})?(?::?=(?!=)|:[ \t]|[ \t]+["'\d])/;

function isSetAt(text: string, at: number, piece: string): boolean {
  const end = at + piece.length;
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return (
    at - start <= MOST_BEFORE && DECLARES.test(text.slice(start, at)) && GIVES.test(text.slice(end, end + MOST_BEHIND))
  );
}

/** Characters inspected before and after a name. */
const MOST_BEFORE = 80;
const MOST_BEHIND = 140;

const WORD = /[\w$]/;

/** Whether the match is not part of a longer word. */
function isToken(text: string, at: number, piece: string): boolean {
  const isInside = (own: string, next: string) => WORD.test(own) && WORD.test(next);
  const end = at + piece.length;
  return !isInside(piece.charAt(0), text.charAt(at - 1)) && !isInside(piece.charAt(piece.length - 1), text.charAt(end));
}

function countLines(text: string, end: number): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
