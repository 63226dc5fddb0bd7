import { join } from "node:path";
import * as z from "zod/mini";
import { readInside } from "../base/jail.ts";
import { once } from "../base/once.ts";
import { isNameOfSecret } from "../base/sensitive-ids.ts";
import { sliceWhole, toOneLine } from "../base/text.ts";
import { docNear } from "../engine/doc-near.ts";
import type { Repository } from "../engine/repository.ts";
import type { Hit } from "../engine/search/answer.ts";

/** A place as tools tell it; line 0 where only the path is known. */
export interface ToldPlace {
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
  readonly symbol: string;
  readonly summary: string;
  readonly score: number;
  readonly reason: string;
}

/** Schema of a place that tools tell as a candidate. */
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

/** Hits as tools tell them. Contract: no line that the file does not have now; files that are gone are left out. */
export function placeHits<H extends Hit>(
  repository: Repository,
  root: string,
  hits: readonly H[],
): (ToldPlace & { readonly hit: H })[] {
  return hits.flatMap((hit) => {
    const read = readInside(root, join(root, hit.file), MAX_BYTES);
    if (!read.ok) return [];
    const file = repository.index.fileAt(hit.file);
    // What is known by its path alone may be a secret under another name: nobody quotes it.
    if (file !== undefined && !repository.index.hasText(file)) return [toBare(hit)];
    const { sharedId } = read.value;
    if (sharedId !== null && isNameOfSecret(root, sharedId)) return [toBare(hit)];
    // What is too long to be read is not quoted either.
    const lines = read.value.cut ? [] : (read.value.text?.split("\n") ?? []);
    const isThere = !repository.isStale(hit.file) && hit.line <= Math.max(1, lines.length);
    const [line, endLine] = isThere ? [hit.line, Math.min(hit.endLine, Math.max(1, lines.length))] : [1, 1];
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

/** A file of which only the path is told: it has no line, so that nothing of it is quoted. */
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

/** Why a hit is one: words that its lines have as they were said, and those that only resemble what they have. */
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

/** First sentence of the definition's comment, or the declaration, or the line itself. */
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
