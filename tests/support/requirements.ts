/** Ids of docs/requirements.md that a title may name. `D-8` is short for `decision 8`. */
const IDS =
  /\b(?:ATO-[A-Z]+-\d+[a-z]?|HOOK-\d+|CNI-\d+|AC-\d{3}|(?:REQ|SC)-ATO-\d{3}|B-\d+|D-\d+|decision \d+|G [A-D]\.\d+|R-\d+|P-\d+|T-\d+)\b/g;

/** Returns the ids that a text names. */
export function idsIn(text: string): string[] {
  return Array.from(text.matchAll(IDS), ([id]) => id.replace(/^D-/, "decision "));
}

/** Returns the ids of a page of requirements: the first cell of each row. */
export function idsOfPage(page: string): string[] {
  return Array.from(page.matchAll(/^\| ([^|]+) \|/gm), (match) => match[1] ?? "").filter((id) => idsIn(id)[0] === id);
}

/** Returns the titles of the tests in a file. */
export function titlesOf(path: string, text: string): string[] {
  const pattern = path.endsWith(".bats")
    ? /^@test "(.+)" \{$/gm
    : /\b(?:it|test|describe)(?:\.\w+(?:\([\s\S]*?\))?)*\(\s*["'`]([^"'`]+)/g;
  return Array.from(text.matchAll(pattern), (match) => match[1] ?? "");
}

/** Maps each id to the test files that prove it, according to the titles of their tests. */
export function mapRequirements(files: Iterable<readonly [path: string, text: string]>): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const [path, text] of files)
    for (const id of new Set(titlesOf(path, text).flatMap(idsIn))) map.set(id, [...(map.get(id) ?? []), path]);
  return map;
}
