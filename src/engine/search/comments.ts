import { commentsOf, entryOfEnding } from "../languages.ts";

/**
 * Finds the comments and doc strings of a text: start and end offsets of each, ascending. Contract: linear in the text,
 * whatever it contains; a marker inside a string literal counts as a comment, because recognising strings requires a
 * grammar.
 */
export function commentRanges(text: string, ending: string): number[] {
  const { line, isAlone, blocks } = commentsOf(entryOfEnding(ending));
  const ranges: number[] = [];
  // Each marker is searched from its last position, so that a text without it is scanned only once.
  const openers = blocks.map(([open, close]) => ({ open, close, at: text.indexOf(open) }));
  let lineAt = text.indexOf(line);
  const nextAfter = (mark: string, known: number, from: number) =>
    known === -1 || known >= from ? known : text.indexOf(mark, from);
  for (let from = 0; ; ) {
    lineAt = nextAfter(line, lineAt, from);
    let first = { open: line, close: "\n", at: lineAt };
    for (const opener of openers) {
      opener.at = nextAfter(opener.open, opener.at, from);
      if (opener.at !== -1 && (first.at === -1 || opener.at <= first.at)) first = opener;
    }
    if (first.at === -1) return ranges;
    const start = first.at + first.open.length;
    const isLine = first.close === "\n";
    if (isLine && isAlone && !standsAlone(text, first.at)) {
      from = start;
      continue;
    }
    const end = text.indexOf(first.close, start);
    if (end === -1 && !isLine) {
      // An unterminated block is not a comment, and no later block with the same marker can be terminated either.
      for (const opener of openers) if (opener.open === first.open) opener.at = -1;
      continue;
    }
    ranges.push(start, end === -1 ? text.length : end);
    from = end === -1 ? text.length : end + (isLine ? 0 : first.close.length);
  }
}

/** Whether only blanks precede `at` on its line and no `!` follows, as in a shebang. */
function standsAlone(text: string, at: number): boolean {
  if (text.charAt(at + 1) === "!") return false;
  for (let before = at - 1; before >= 0; before--) {
    const sign = text.charAt(before);
    if (sign === "\n") return true;
    if (sign !== " " && sign !== "\t") return false;
  }
  return true;
}
