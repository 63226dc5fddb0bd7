import { join } from "node:path";
import * as z from "zod/mini";
import { readInside } from "../base/jail.ts";
import { once } from "../base/once.ts";
import { sliceWhole, toOneLine } from "../base/text.ts";
import { docNear } from "../engine/doc-near.ts";
import type { Repository } from "../engine/repository.ts";
import type { Hit } from "../engine/search/answer.ts";

/** A place as tools tell it. */
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
        reason: hit.reason,
        hit,
      },
    ];
  });
}

/** First sentence of the definition's comment, or the declaration, or the line itself. */
function describe(repository: Repository, { file, line, definition }: Hit, lines: readonly string[]): string {
  const name = definition?.split(".").at(-1);
  const known =
    name === undefined
      ? undefined
      : repository.symbolsOf(file).find((symbol) => symbol.name === name && symbol.startLine === line);
  const doc = known === undefined && definition !== null ? docNear(lines, line) : (known?.doc ?? "");
  const [sentence = ""] = doc.split(/(?<=[.!?。])\s/, 1);
  return sliceWhole(toOneLine(sentence || known?.signature || (lines[line - 1] ?? "")), MAX_SUMMARY_CHARS);
}
