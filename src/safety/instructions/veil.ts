/**
 * Detects a line that was made hard to search for but not hard to read. Such a line counts as an instruction at a lower
 * score, because nobody writes like this without reason. Contract: works on a line as stored in the file; linear.
 */

/**
 * Anything that can disguise a line: non-ASCII characters, a capital after a lower-case letter, concatenated strings.
 */
const SUSPECT = /[^\t -~]|[a-z][A-Z]|["'] ?[+.] ?["']/;
/** Invisible characters between two letters of a word. Scripts that need joiners have other letters around them. */
const UNSEEN = /[A-Za-z\u3400-\u9fff](?:\p{Cf}|\u034f|\u115f|\u3164|[\ufe00-\ufe0f]){1,8}(?=[A-Za-z\u3400-\u9fff])/gu;
/** Latin letters mixed with look-alikes from another alphabet in one word. */
const MIXED = /[A-Za-z][\u0370-\u052f\u0530-\u058f]|[\u0370-\u052f\u0530-\u058f][A-Za-z]/g;
/** Letters in another style (full width, bold, circled, small capitals) and letters with combining marks. */
const DRAWN =
  /[\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\u1d00-\u1d2b]|[\u{1d400}-\u{1d7ff}]|[\u{1f130}-\u{1f189}]|[A-Za-z][\u0300-\u036f]/gu;
/** A word that ends in capitals after lower-case letters, or has capitals after its lower-case first letter. */
const ODD_CASE = /(?<![\w$-])(?:[A-Za-z]{0,12}[a-z][A-Z]{1,8}|[a-z][A-Z]{1,8}[a-z]{0,8})(?![\w(-])/g;
/** A string concatenation inside a word. */
const SPLIT = /[A-Za-z]{2}["'] ?[+.] ?["'][a-z]/g;

/**
 * A string assembled from pieces of a few words: ordinary code breaks a long string once per line, not every few words.
 */
const PIECES = /["'][^"'\n]{1,20}["'] ?[+.] ?(?=["'][^"'\n]{1,20}["'])/g;

/** Each disguise, and how often it must occur. */
const WAYS: readonly (readonly [RegExp, number])[] = [
  [UNSEEN, 2],
  [MIXED, 2],
  [DRAWN, 8],
  [ODD_CASE, 3],
  [SPLIT, 1],
  [PIECES, 3],
];

/** True if a line is written to be overlooked; `times` multiplies the number of signs that each disguise requires. */
export function isVeiled(line: string, times = 1): boolean {
  return SUSPECT.test(line) && WAYS.some(([way, fewest]) => count(line, way) >= fewest * times);
}

/** Odd capitals count once per word: a name is always written the same way. */
function count(line: string, way: RegExp): number {
  const found = line.match(way) ?? [];
  return way === ODD_CASE ? new Set(found).size : found.length;
}
