import { lowerBound } from "./postings.ts";
import type { Said } from "./said.ts";
import type { SearchIndex } from "./source.ts";
import { TRAIT } from "./traits.ts";
import { isWhole, termsOfWord, wordsOf } from "./words.ts";

/** Where a piece of a query stands word for word. */
export interface ExactPlaces {
  readonly said: Said;
  /** Files that have it, as far as they were looked at. */
  readonly having: number;
  /** One place a file; empty where it stands nowhere, or in too many files to say anything. */
  readonly places: readonly ExactPlace[];
}

/** A line that has a text. */
interface ExactPlace {
  readonly file: number;
  readonly line: number;
  /** True where the line gives it its value: `LIMIT = 3`, `limit: 3`, `#define LIMIT 3`. */
  readonly isSet: boolean;
}

/** Reads a file as it is now; null where it cannot be read. */
export type ReadText = (file: number) => string | null;

/** Most files that are read for one text: a word, or one with signs, which the index does not hold. What more files have tells none of them apart. */
const MOST_READ = { word: 40, signs: 200 };
/** Texts of one query that are looked for. */
const MOST_TEXTS = 6;

/**
 * Looks for pieces of a query word for word: the index tells which files have its words on one line, the files themselves
 * whether it really stands there. Contract: at most some dozens of files are read; places in the order of the files, those of
 * tests last.
 */
export function findExact(index: SearchIndex, said: readonly Said[], readText: ReadText): ExactPlaces[] {
  const texts = new Map<number, string | null>();
  const textOf = (file: number) => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    const text = readText(file);
    texts.set(file, text);
    return text;
  };
  return said.slice(0, MOST_TEXTS).map((piece) => {
    const isWord = /^[\w$]+$/.test(piece.text);
    const most = isWord ? MOST_READ.word : MOST_READ.signs;
    const files = filesOf(index, piece.text);
    const places = files.slice(0, most).flatMap((file) => {
      const found = placeIn(textOf(file) ?? "", piece.text);
      return found === null ? [] : [{ file, ...found }];
    });
    // Where a word is everywhere its places say nothing; where none of many has it, the rest has other forms of it, too.
    if (isWord && files.length > most)
      return { said: piece, having: places.length === 0 ? 0 : files.length, places: [] };
    const isTest = ({ file }: ExactPlace) => ((index.traits[file] ?? 0) & TRAIT.test) !== 0;
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

/** The line that gives a text its value, else the first that has it as a whole token; in its own case or, failing that, in any. */
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

/** What may stand before a name whose line gives it its value: blanks, quotes, words of a declaration. */
const DECLARES =
  /^[ \t]*(?:(?:export|const|let|var|val|static|final|public|private|protected|readonly|set|define)[ \t]+)*#?(?:define[ \t]+)?["'`]?$/;
/** What stands behind it then: a sign, with a type before it or none. A call and a comparison are none. */
const GIVES = /^["'`]?[ \t]*(?::(?![:=])[^=\n(){}]{0,120})?(?::?=(?!=)|:[ \t]|[ \t]+["'\d])/;

function isSetAt(text: string, at: number, piece: string): boolean {
  const end = at + piece.length;
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return (
    at - start <= MOST_BEFORE && DECLARES.test(text.slice(start, at)) && GIVES.test(text.slice(end, end + MOST_BEHIND))
  );
}

/** Characters before and behind a name that tell. */
const MOST_BEFORE = 80;
const MOST_BEHIND = 140;

const WORD = /[\w$]/;

/** Whether no letter of a longer word stands before or behind. */
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
