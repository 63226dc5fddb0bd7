import { join } from "node:path";
import * as z from "zod/mini";
import { readInside } from "../base/jail.ts";
import { once } from "../base/once.ts";
import { isNameOfSecret } from "../base/sensitive-ids.ts";
import { sliceWhole, toOneLine } from "../base/text.ts";
import type { ToolFinding } from "../contract/tool.ts";
import { docNear } from "../engine/doc-near.ts";
import type { Repository } from "../engine/repository.ts";
import type { Hit } from "../engine/search/answer.ts";

/** A place as tools report it; line 0 if only the path is known. */
export interface ToldPlace {
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
  readonly symbol: string;
  readonly summary: string;
  readonly score: number;
  readonly reason: string;
}

/** Schema of an input that is a text. */
export function text(max: number, about: string) {
  return z.string().check(z.minLength(1), z.maxLength(max), z.describe(about));
}

/** Schema of an input that is a number from 1 on. */
export function count(max: number, usual: number, about: string) {
  return z._default(z.number().check(z.int(), z.gte(1), z.lte(max), z.describe(about)), usual);
}

/** Schema of a place that tools report as a candidate. */
export const Place = once(() =>
  z.object({
    file: z.string(),
    line: z.number(),
    end_line: z.number(),
    symbol: z.string(),
    summary: z.string(),
    score: z.number(),
    reason: z.string(),
  }),
);

const MAX_BYTES = 512 * 1024;
const MAX_SUMMARY_CHARS = 160;

/** Hits as tools report them. Contract: no line beyond the current file; files that no longer exist are omitted. */
export function placeHits<H extends Hit>(
  repository: Repository,
  root: string,
  hits: readonly H[],
): (ToldPlace & { readonly hit: H })[] {
  return hits.flatMap((hit) => {
    const read = readInside(root, join(root, hit.file), MAX_BYTES);
    if (!read.ok) return [];
    const file = repository.index.fileAt(hit.file);
    // A file that is known only by its path may be a secret under another name (a hard link), so it is never quoted.
    if (file !== undefined && !repository.index.hasText(file)) return [toBare(hit)];
    const { sharedId } = read.value;
    if (sharedId !== null && isNameOfSecret(root, sharedId)) return [toBare(hit)];
    // A file too long to be read completely is not quoted either.
    const lines = read.value.cut ? [] : (read.value.text?.split("\n") ?? []);
    const isThere = !repository.isStale(hit.file) && hit.line <= Math.max(1, lines.length);
    const [first, endLine] = isThere ? [hit.line, Math.min(hit.endLine, Math.max(1, lines.length))] : [1, 1];
    const isPassage = isThere && hit.definition === null && hit.isQuote !== true;
    const line = isPassage ? findTelling(lines, first, endLine, hit.words ?? []) : first;
    return [
      {
        path: hit.file,
        line,
        end_line: endLine,
        symbol: isThere ? (hit.definition ?? "") : "",
        summary: describe(repository, { ...hit, line }, lines),
        score: hit.confidence,
        reason: tellReason(hit, lines.slice(line - 1, endLine)),
        hit,
      },
    ];
  });
}

/** A file of which only the path is reported: without a line, nothing of it is quoted. */
function toBare<H extends Hit>(hit: H): ToldPlace & { readonly hit: H } {
  const { file, confidence, reason } = hit;
  return {
    path: file,
    line: 0,
    end_line: 0,
    symbol: "",
    summary: "",
    score: confidence,
    reason: reason || "path",
    hit,
  };
}

/** Where a passage begins to say something: the first line with one of the words, else the first that has a letter. */
function findTelling(lines: readonly string[], first: number, end: number, words: readonly string[]): number {
  const shown = lines.slice(first - 1, end).map((text) => text.toLowerCase());
  const asked = shown.findIndex((text) => words.some((word) => text.includes(word.toLowerCase())));
  const lettered = shown.findIndex((text) => /\p{L}/u.test(text));
  return first + Math.max(0, asked < 0 ? lettered : asked);
}

/** Explains a hit: words that occur in its lines literally, and words that only resemble what occurs there. */
function tellReason({ reason, words = [] }: Hit, lines: readonly string[]): string {
  const text = lines.join("\n").toLowerCase();
  const stands = words.filter((word) => text.includes(word.toLowerCase()));
  const others = words.filter((word) => !stands.includes(word));
  const parts = [
    reason,
    stands.length === 0 ? "" : `text: ${stands.join(", ")}`,
    others.length === 0 ? "" : `similar: ${others.join(", ")}`,
  ].filter(Boolean);
  return parts.length === 0 ? "related to the other results" : parts.join("; ");
}

/** The first sentence of the definition's comment, otherwise the declaration, otherwise the line itself. */
function describe(repository: Repository, { file, line, definition, isQuote }: Hit, lines: readonly string[]): string {
  if (isQuote === true) return sliceWhole(toOneLine(lines[line - 1] ?? ""), MAX_SUMMARY_CHARS);
  const name = definition?.split(".").at(-1);
  const known =
    name === undefined
      ? undefined
      : repository.symbolsOf(file).find((symbol) => symbol.name === name && symbol.startLine === line);
  const doc = known === undefined && definition !== null ? docNear(lines, line) : (known?.doc ?? "");
  const [sentence = ""] = doc.split(/(?<=[.!?。])\s/, 1);
  return sliceWhole(toOneLine(sentence || known?.signature || (lines[line - 1] ?? "")), MAX_SUMMARY_CHARS);
}

interface FoundPlace {
  readonly path: string;
  /** 0 or null where only the path is known. */
  readonly line?: number | null | undefined;
  readonly end_line?: number;
  readonly symbol?: string;
  readonly title?: string;
  readonly summary?: string;
  readonly score: number;
  readonly reason: string;
}

/** A place as a finding. */
export function toFinding(place: FoundPlace): ToolFinding {
  const { path, symbol = "", title = "", summary = "", score, reason } = place;
  const line = place.line || null;
  const end = place.end_line ?? 0;
  return {
    path,
    line,
    symbol,
    title,
    summary,
    confidence: score,
    reason,
    ...(line !== null && end >= line ? { span: { start: line, end } } : {}),
  };
}
