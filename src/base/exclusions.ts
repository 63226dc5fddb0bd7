import ignore from "ignore";

const MAX_DOUBLE_STARS = 2;

/**
 * True for a pattern that is quick to try. Each `**` multiplies the time by the depth of the path: a dozen of them take
 * a path of thirty folders more than ten seconds, two of them a few milliseconds.
 */
export function isQuickPattern(pattern: string): boolean {
  return pattern.split("**").length - 1 <= MAX_DOUBLE_STARS;
}

/**
 * A test for paths that patterns as in .gitignore exclude. Contract: paths outside the root are never matched; where
 * the root lies `below` the top of the repository, a pattern may be meant for either and counts for both, so that
 * choosing another root cannot undo it.
 */
export function makeExcluder(patterns: readonly string[], below = ""): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const rules = ignore().add([...patterns]);
  const isMatch = (path: string) => ignore.isPathValid(path) && rules.ignores(path);
  return (path) => isMatch(path) || (below !== "" && isMatch(`${below}/${path}`));
}
