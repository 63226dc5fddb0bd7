import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { makeCandidatePlace } from "../contract/search.ts";
import type { ToolFinding } from "../contract/tool.ts";
import type { Repository } from "../engine/repository.ts";
import type { Hit } from "../engine/search/answer.ts";
import { tellHit } from "../engine/tell-hit.ts";

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
export const CandidatePlace = once(makeCandidatePlace);

/** Hits as tools report them. Contract: no line beyond the current file; files that no longer exist are omitted. */
export function placeHits<H extends Hit>(
  repository: Repository,
  hits: readonly H[],
): (ToldPlace & { readonly hit: H })[] {
  return hits.flatMap((hit) => {
    const lines = repository.quotableLines(hit.file);
    if (lines === null) return [];
    if (lines === "withheld") return [toBare(hit)];
    const { line, endLine, symbol, summary, reason } = tellHit(hit, {
      lines,
      isCurrent: !repository.isStale(hit.file),
      symbols: () => repository.symbolsOf(hit.file),
    });
    return [{ path: hit.file, line, end_line: endLine, symbol, summary, score: hit.confidence, reason, hit }];
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

interface FoundPlace {
  readonly path: string;
  /** 0 or null if only the path is known. */
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
