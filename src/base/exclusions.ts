import ignore from "ignore";

const MAX_DOUBLE_STARS = 2;

/**
 * True for a pattern that matches quickly. Each `**` multiplies the matching time by the depth of the path: with a
 * dozen of them, a path of thirty folders takes more than ten seconds; with two, a few milliseconds.
 */
export function isQuickPattern(pattern: string): boolean {
  return pattern.split("**").length - 1 <= MAX_DOUBLE_STARS;
}

/** The predicate of no patterns at all. */
export const excludeNothing = (): boolean => false;

/**
 * Builds a predicate for paths that .gitignore-style patterns exclude. Contract: paths outside the root never match. If
 * the root is a subfolder of the repository (`below` is its path from the top), a pattern may be relative to either
 * folder, so it applies to both: choosing another root cannot bypass an exclusion.
 */
export function makeExcluder(patterns: readonly string[], below = ""): (path: string) => boolean {
  if (patterns.length === 0) return excludeNothing;
  const rules = ignore().add([...patterns]);
  const isMatch = (path: string) => ignore.isPathValid(path) && rules.ignores(path);
  return (path) => isMatch(path) || (below !== "" && isMatch(`${below}/${path}`));
}
