/** True if a version is below another; only numbers are compared. */
export function isOlder(version: string, least: string): boolean {
  const [ours, theirs] = [version, least].map((text) => (text.match(/\d+/g) ?? []).slice(0, 3).map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (ours?.[at] ?? 0) - (theirs?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Extracts the version from a program's output; empty if there is none. */
export function findVersion(text: string): string {
  return /\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?/.exec(text)?.[0] ?? "";
}
