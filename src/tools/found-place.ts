import type { ToolFinding } from "../contract/finding.ts";

/** A place that a tool has found. */
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
