import { isRecord } from "../base/text.ts";
import type { Finding } from "../contract/finding.ts";

type RawFinding = Omit<Finding, "tool">;

/**
 * Findings from data that lists `candidates`; null if it does not. Unknown fields are ignored, missing ones get
 * defaults.
 */
export function toCandidateFindings(data: Record<string, unknown>): RawFinding[] | null {
  const list = data["candidates"];
  if (!Array.isArray(list)) return null;
  return list.filter(isRecord).flatMap((item) => {
    const path = textOf(item["file"] ?? item["file_path"] ?? item["path"]);
    if (path === "") return [];
    return [toFinding(item, path)];
  });
}

function toFinding(item: Record<string, unknown>, path: string): RawFinding {
  const line = lineOf(item["line"] ?? item["start_line"]);
  const end = lineOf(item["end_line"]);
  const symbol = textOf(item["symbol"] ?? item["name"]);
  return {
    path,
    line,
    symbol,
    title: textOf(item["title"]),
    summary: textOf(item["summary"] ?? item["excerpt"] ?? item["text"]),
    confidence: scoreOf(item["score"] ?? item["fusion_score"] ?? item["relevance_score"] ?? item["confidence"]),
    reason: textOf(item["reason"]),
    ...(line !== null && end !== null && end >= line ? { span: { start: line, end } } : {}),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function lineOf(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;
}

function scoreOf(value: unknown): number {
  return typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : 0.5;
}
