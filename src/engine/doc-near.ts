import { COMMENTS } from "./languages.ts";

/** Comment markers of all languages at the start of a line, possibly repeated; `#[` and `#!` are not comments. */
const COMMENT = new RegExp(
  `^(?!#[[!])(?:${Object.values(COMMENTS)
    .flatMap(({ line, blocks }) => [line, ...blocks.map(([open]) => open)])
    .map((mark) => `${mark.replace(/[^#%;"'-]/g, "\\$&")}+!?`)
    .join("|")}|\\*+/?)\\s?`,
);
const DECORATION = /^(?:@|#\[)/;
const QUOTES = /^[rbu]{0,2}("""|''')/i;
/** Maximum number of lines scanned above a definition. */
const MAX_LINES = 30;

/**
 * First paragraph of the comment that belongs to the definition at a line, recognised by its syntax alone. Contract:
 * returns an empty string if there is none; lines are 1-based.
 */
export function docNear(lines: readonly string[], line: number): string {
  const inside = (lines[line] ?? "").trim();
  if (QUOTES.test(inside))
    return inside
      .replace(QUOTES, "")
      .replace(/("""|''').*$/, "")
      .trim();
  const above: string[] = [];
  for (let at = line - 2; at >= 0 && line - at < MAX_LINES; at--) {
    const text = (lines[at] ?? "").trim();
    if (DECORATION.test(text) && above.length === 0) continue;
    if (!COMMENT.test(text)) break;
    above.unshift(text.replace(COMMENT, "").replace(/\*\/$/, "").trim());
  }
  const start = above.findIndex((text) => text !== "");
  if (start < 0) return "";
  const end = above.indexOf("", start);
  return above.slice(start, end < 0 ? above.length : end).join(" ");
}
