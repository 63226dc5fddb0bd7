import ignore from "ignore";

/** A test for paths that patterns as in .gitignore exclude. Contract: paths outside the root are never matched. */
export function makeExcluder(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const rules = ignore().add([...patterns]);
  return (path) => ignore.isPathValid(path) && rules.ignores(path);
}
