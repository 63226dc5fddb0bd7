import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import { insertEdits, type JsonChild, removeCandidates } from "./json-edits.ts";

/**
 * Appends a child to the object or array at `path`. Contract: only inserts; all existing bytes are kept, in order.
 * (Does not use jsonc-parser's own `modify`, which reformats the lines around its edit.)
 */
export function appendChild(text: string, path: JSONPath, child: JsonChild): string {
  const root = parseRoot(text);
  const container = nodeAt(root, path);
  const wanted = dataOf(root);
  const parent = pick(wanted, path);
  if (Array.isArray(parent)) parent.push(child.value);
  else if (child.key !== null) parent[child.key] = child.value;
  return applyVerified(text, [insertEdits(text, root, container, child)], wanted);
}

/**
 * Removes the value at `path`. Contract: keeps comments; reverts {@link appendChild} up to blanks in empty containers.
 */
export function removeAt(text: string, path: JSONPath): string {
  const root = parseRoot(text);
  const container = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  const children = container.children ?? [];
  const index = typeof last === "number" ? last : children.findIndex((item) => item.children?.[0]?.value === last);
  const wanted = dataOf(root);
  const parent = pick(wanted, path.slice(0, -1));
  if (Array.isArray(parent)) parent.splice(index, 1);
  else delete parent[String(last)];
  return applyVerified(text, removeCandidates(text, container, index), wanted);
}

/** Replaces the value at `path` by the JSON text `raw`. */
export function replaceAt(text: string, path: JSONPath, raw: string): string {
  const root = parseRoot(text);
  const node = nodeAt(root, path);
  const wanted = dataOf(root);
  const parent = pick(wanted, path.slice(0, -1));
  if (!Array.isArray(parent)) parent[String(path.at(-1))] = dataOf(parseRoot(raw));
  return applyVerified(text, [[{ offset: node.offset, length: node.length, content: raw }]], wanted);
}

/** Applies the first candidate whose result has the wanted data and no more syntax errors than the original text. */
function applyVerified(text: string, candidates: readonly Edit[][], wanted: unknown): string {
  for (const edits of candidates) {
    const result = applyEdits(text, edits);
    if (countErrors(result) > countErrors(text)) continue;
    if (JSON.stringify(dataOf(parseRoot(result))) === JSON.stringify(wanted)) return result;
  }
  throw new Error("the text could not be edited without touching other content");
}

function countErrors(text: string): number {
  const errors: ParseError[] = [];
  parseTree(text, errors, { allowTrailingComma: false });
  return errors.length;
}

function parseRoot(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error("no JSON value");
  return root;
}

function nodeAt(root: Node, path: JSONPath): Node {
  const node = findNodeAtLocation(root, path);
  if (node === undefined) throw new Error(`nothing at ${path.join(".")}`);
  return node;
}

function dataOf(node: Node): unknown {
  return getNodeValue(node) as unknown;
}

function pick(data: unknown, path: JSONPath): Record<string, unknown> | unknown[] {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], data) as Record<string, unknown>;
}
