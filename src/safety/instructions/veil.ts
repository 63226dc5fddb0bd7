/**
 * Tells a line that was made hard to find but not to read: what it says counts for less before it is taken for an order,
 * because nobody writes so for nothing. Contract: works on a line as it stands in the file; linear.
 */

/** Anything that can veil a line: characters beyond ASCII, a capital behind a small letter, pieces joined. */
const SUSPECT = /[^\t -~]|[a-z][A-Z]|["'] ?[+.] ?["']/;
/** Something that nobody sees between two letters of a word. Scripts that need joiners have others around them. */
const UNSEEN = /[A-Za-z\u3400-\u9fff](?:\p{Cf}|\u034f|\u115f|\u3164|[\ufe00-\ufe0f]){1,8}(?=[A-Za-z\u3400-\u9fff])/gu;
/** A word of Latin letters with one of another alphabet that looks the same. */
const MIXED = /[A-Za-z][\u0370-\u052f\u0530-\u058f]|[\u0370-\u052f\u0530-\u058f][A-Za-z]/g;
/** Letters drawn another way: full width, bold, in circles, small capitals; and marks heaped on letters. */
const DRAWN =
  /[\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\u1d00-\u1d2b]|[\u{1d400}-\u{1d7ff}]|[\u{1f130}-\u{1f189}]|[A-Za-z][\u0300-\u036f]/gu;
/** A word that ends in capitals after small letters, or has them behind its first. */
const ODD_CASE = /(?<![\w$-])(?:[A-Za-z]{0,12}[a-z][A-Z]{1,8}|[a-z][A-Z]{1,8}[a-z]{0,8})(?![\w(-])/g;
/** The joint of two strings inside a word. */
const SPLIT = /[A-Za-z]{2}["'] ?[+.] ?["'][a-z]/g;

/** Each way, and how often it must occur. */
const WAYS: readonly (readonly [RegExp, number])[] = [
  [UNSEEN, 2],
  [MIXED, 2],
  [DRAWN, 8],
  [ODD_CASE, 3],
  [SPLIT, 1],
];

/** True where a line is written to be overlooked. */
export function isVeiled(line: string): boolean {
  return SUSPECT.test(line) && WAYS.some(([way, fewest]) => (line.match(way)?.length ?? 0) >= fewest);
}
