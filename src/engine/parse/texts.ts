import type { Lines } from "./lines.ts";

const SIGNATURE_CHARS = 200;
const DOC_CHARS = 300;
const DOC_LINES = 60;

/** A text on one line of at most `chars` characters. */
export function onOneLine(text: string, chars: number): string {
  // Cut before collapsing whitespace: the text can be as long as the file.
  const line = text
    .slice(0, chars * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= chars ? line : `${line.slice(0, chars - 1)}…`;
}

/** A declaration without decorators, body and the comments between its lines. */
export function toSignature(declaration: string, isComment: RegExp): string {
  const code = withoutDecorators(declaration)
    .split("\n")
    .filter((line) => !isComment.test(line.trim()));
  return onOneLine(code.join("\n"), SIGNATURE_CHARS).replace(/\s*(?:\{|=>|=|:|\bdo|\bthen)?$/, "");
}

/** What precedes a name in its declaration: modifiers, keywords, types. */
export function toHead(declaration: string): string {
  return onOneLine(withoutDecorators(declaration), SIGNATURE_CHARS);
}

function withoutDecorators(declaration: string): string {
  return declaration
    .slice(0, SIGNATURE_CHARS * 4)
    .replace(/^(?:\s*(?:@[\w.:]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?|\[[^\]]*\]|#\[[^\]]*\]))+\s*/, "");
}

/** The first paragraph of the comment above a line, without comment markers. Decorators may be in between. */
export function docAbove(lines: Lines, line: number, isComment: RegExp): string {
  const above: string[] = [];
  let at = line - 1;
  while (at > 0 && isDecorator(lines.trimmed(at))) at--;
  for (; at > 0 && above.length < DOC_LINES; at--) {
    const text = lines.trimmed(at);
    if (!isComment.test(text) || text.startsWith("#!")) break;
    above.push(text);
    if (/^\/\*/.test(text)) break;
  }
  return toDoc(above.reverse().map(withoutMarks).join("\n"));
}

const isDecorator = (text: string) => /^(?:@\w|\[[A-Z]\w*|#\[|template\s*<)/.test(text);

function withoutMarks(line: string): string {
  return line
    .replace(/^(?:\/\*\*?!?|\*\/|\*(?!\/)|\/\/[/!]?|#+|--)\s?/, "")
    .replace(/\*\/\s*$/, "")
    .replace(/<\/?(?:summary|para|remarks)>/g, "");
}

/** The string at the start of a body, for languages with docstrings. */
export function docInside(body: string): string {
  const start = /^\s*(?:[rRuUbB]{0,2})("""|'''|"|')/.exec(body.slice(0, 2_000));
  if (!start) return "";
  const from = start[0].length;
  const end = body.indexOf(start[1] ?? "", from);
  return toDoc(body.slice(from, Math.min(end < 0 ? body.length : end, from + DOC_CHARS * 4)));
}

function toDoc(text: string): string {
  const paragraph = text.trim().split(/\n[ \t]*\n|\n\s*@\w+|\n\s*:param/, 1)[0] ?? "";
  return onOneLine(/^@\w+/.test(paragraph) ? "" : paragraph, DOC_CHARS);
}
