import type { Edit, Node } from "jsonc-parser";
import { eolOf } from "./entry-editor.ts";

/** A value to add: under a key of an object, or (key null) at the end of an array. */
export interface JsonChild {
  readonly key: string | null;
  readonly value: unknown;
}

/**
 * Edits that append a child to a container. Contract: insertions only, in the style of the surrounding lines: a
 * container on one line stays on one line; a trailing comment stays with the item that it refers to.
 */
export function insertEdits(text: string, root: Node, container: Node, child: JsonChild): Edit[] {
  const eol = eolOf(text);
  const last = container.children?.at(-1);
  if (last === undefined) {
    const close = endOf(container) - 1;
    // After the last comment inside, if there is one.
    const at = container.offset + 1 + text.slice(container.offset + 1, close).replace(BLANKS_AT_END, "").length;
    if (container !== root && !text.trim().includes("\n")) return [insert(at, toInline(child))];
    const outer = lineIndent(text, container.offset);
    const indent = outer + indentUnit(text, root);
    const closing = text.slice(at, close).includes("\n") ? "" : eol + outer;
    return [insert(at, eol + indent + toLines(child, indent, indentUnit(text, root), eol) + closing)];
  }
  const end = endOf(last);
  const comma = skipTrivia(text, end);
  const hasComma = text[comma] === ",";
  const anchor = hasComma ? comma + 1 : end;
  const indent = lineIndent(text, last.offset);
  const sharesLine = lineStart(text, last.offset) + indent.length !== last.offset;
  const body = sharesLine ? toInline(child) : eol + indent + toLines(child, indent, indentUnit(text, root), eol);
  if (hasComma) return [insert(sharesLine ? anchor : skipLineComments(text, anchor), `${body},`)];
  const at = sharesLine ? end : skipLineComments(text, end);
  return at === end ? [insert(end, `,${body}`)] : [insert(end, ","), insert(at, body)];
}

/** Alternative edits that remove a child, the cleanest first; the caller uses the first that gives the right result. */
export function removeCandidates(text: string, container: Node, index: number): Edit[][] {
  const children = container.children ?? [];
  const child = children[index];
  if (child === undefined) throw new Error("no such child");
  const end = endOf(child);
  const blankFrom = text.slice(0, child.offset).replace(BLANKS_AT_END, "").length;
  const follow = skipTrivia(text, end);
  const next = children[index + 1];
  const previous = children[index - 1];
  if (text[follow] === ",") {
    const comma = cut(follow, follow + 1);
    const careful = [
      [cut(blankFrom, end), comma],
      [cut(child.offset, end), comma],
    ];
    if (next === undefined || text.slice(follow + 1, next.offset).trim() !== "" || follow !== end) return careful;
    return [[cut(child.offset, next.offset)], ...careful];
  }
  if (previous !== undefined) {
    const comma = skipTrivia(text, endOf(previous));
    return [
      [cut(comma, comma + 1), cut(Math.max(blankFrom, comma + 1), end)],
      [cut(comma, comma + 1), cut(child.offset, end)],
    ];
  }
  const inside = text.slice(container.offset + 1, child.offset) + text.slice(end, endOf(container) - 1);
  if (inside.trim() === "") return [[cut(container.offset + 1, endOf(container) - 1)]];
  return [[cut(blankFrom, end)], [cut(child.offset, end)]];
}

/** Whitespace as defined by JSON: other blanks at the end of a comment belong to the comment. */
const BLANKS_AT_END = /[ \t\r\n]+$/;
const endOf = (node: Node) => node.offset + node.length;
const insert = (offset: number, content: string): Edit => ({ offset, length: 0, content });
const cut = (from: number, to: number): Edit => ({ offset: from, length: to - from, content: "" });
const lineStart = (text: string, offset: number) => text.lastIndexOf("\n", offset - 1) + 1;

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? "";
}

function indentUnit(text: string, root: Node): string {
  const first = root.children?.[0];
  return (first === undefined ? "" : lineIndent(text, first.offset)) || "  ";
}

function toInline(child: JsonChild): string {
  return (child.key === null ? "" : `${JSON.stringify(child.key)}:`) + JSON.stringify(child.value);
}

function toLines(child: JsonChild, indent: string, unit: string, eol: string): string {
  const value = JSON.stringify(child.value, null, unit).replaceAll("\n", eol + indent);
  return (child.key === null ? "" : `${JSON.stringify(child.key)}: `) + value;
}

/** Offset of the next character that is neither whitespace nor part of a comment. */
function skipTrivia(text: string, offset: number): number {
  const trivia = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = offset;
  return offset + (trivia.exec(text)?.[0].length ?? 0);
}

/** End of the comments at the end of this line, which belong to the item before; otherwise the offset. */
function skipLineComments(text: string, offset: number): number {
  const comments = /(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/))+(?=[ \t]*(?:\r?\n|$))/y;
  comments.lastIndex = offset;
  return offset + (comments.exec(text)?.[0].length ?? 0);
}
