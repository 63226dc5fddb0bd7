import { sliceWhole } from "../../base/text.ts";

/** A definition found by its line alone: good for a first answer, not for a graph. */
export interface Definition {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** Last line that belongs to it, 1-based. */
  readonly endLine: number;
  /** The defining line, trimmed. */
  readonly signature: string;
  /** First sentence of the comment above, or empty. */
  readonly doc: string;
}

const KEYWORD =
  /^([ \t]{0,24})(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|open|sealed|data|pub(?:\([a-z]{1,10}\))?|unsafe|extern|inline|virtual|declare|partial)\s+){0,5}(?:function\*?|class|interface|type|enum|const|let|var|def|func|fn|fun|struct|trait|impl|module|namespace|object|protocol|extension|record|sub|macro_rules!)\s+(?:\([^)\n]{0,80}\)\s{0,4})?([A-Za-z_$][\w$]{0,80})/;
const METHOD =
  /^([ \t]{1,24})(?:[A-Za-z_][\w<>[\],.?]{0,60}\s+){0,5}\*?([A-Za-z_$][\w$]{0,80})\s{0,2}\([^;\n]{0,300}\)[^;\n]{0,120}\{\s{0,4}$/;
const SHELL = /^([ \t]{0,8})([A-Za-z_][\w-]{0,60})\s{0,2}\(\)\s{0,2}\{/;
const LOCAL = /^\s{1,24}(?:const|let|var)\s/;
const NOT_NAMES = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "return",
  "function",
  "else",
  "new",
  "await",
  "throw",
]);
const COMMENT = /^\s{0,40}(?:\/\/[/!]?|\/?\*{1,2}|#|--|"""|''')\s?(.{0,300})/;
const MAX_LINES = 20_000;
/** Nobody writes more into one file. */
const MAX_DEFINITIONS = 2_000;

/** Definitions of a file in the order of their lines. */
export function findDefinitions(text: string): Definition[] {
  const lines = text.split("\n", MAX_LINES);
  const starts: { name: string; at: number; indent: number }[] = [];
  lines.forEach((line, at) => {
    if (line.length > 500 || starts.length >= MAX_DEFINITIONS) return;
    const match = KEYWORD.exec(line) ?? METHOD.exec(line) ?? SHELL.exec(line);
    const name = match?.[2];
    const indent = match?.[1]?.length ?? 0;
    // A variable inside a function is nothing that others refer to.
    if (name === undefined || NOT_NAMES.has(name) || (indent > 0 && LOCAL.test(line))) return;
    starts.push({ name, at, indent });
  });
  const ends = findEnds(starts, lines.length);
  return starts.map(({ name, at }, index) => ({
    name,
    line: at + 1,
    endLine: endOf(lines, at, ends[index] ?? lines.length),
    signature: (lines[at] ?? "").trim(),
    doc: docAbove(lines, at),
  }));
}

/** Where the next definition begins that is not inside: one pass from the end, the open ones on a stack. */
function findEnds(starts: readonly { readonly at: number; readonly indent: number }[], length: number): number[] {
  const ends: number[] = [];
  const later: { at: number; indent: number }[] = [];
  for (let index = starts.length - 1; index >= 0; index--) {
    const start = starts[index];
    if (start === undefined) continue;
    while (later.length > 0 && (later.at(-1)?.indent ?? 0) > start.indent) later.pop();
    ends[index] = later.at(-1)?.at ?? length;
    later.push(start);
  }
  return ends;
}

/** The innermost definition that holds a line. */
export function enclosingDefinition(definitions: readonly Definition[], line: number): Definition | null {
  return definitions.findLast((definition) => definition.line <= line && line <= definition.endLine) ?? null;
}

/** Last line before the next definition that is not blank and not that one's comment. */
function endOf(lines: readonly string[], start: number, before: number): number {
  let end = before;
  while (end > start + 1 && /^\s{0,200}$|^\s{0,40}(?:\/\/|\/?\*|#|--|@)/.test((lines[end - 1] ?? "").slice(0, 200)))
    end--;
  return end;
}

function docAbove(lines: readonly string[], at: number): string {
  const words: string[] = [];
  for (let above = at - 1; above >= Math.max(0, at - 12); above--) {
    const line = lines[above] ?? "";
    if (/^\s{0,40}@[A-Za-z]/.test(line)) continue;
    const comment = COMMENT.exec(line)?.[1];
    if (comment === undefined) break;
    const said = comment.replace(/\*\/\s*$/, "").trim();
    // Lines of dashes or stars only frame a comment.
    if (/[\p{L}\p{N}]/u.test(said)) words.unshift(said);
  }
  const said = words.join(" ").trim();
  return /^(.{10,200}?[.。!?])(?:\s|$)/.exec(said)?.[1] ?? sliceWhole(said, 200);
}
