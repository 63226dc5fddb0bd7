import type { ToolFinding } from "../contract/tool.ts";
import { isRecord } from "./text.ts";

/** Keys under which answers list locations. */
const LISTS = ["candidates", "call_chain", "affected", "functions", "hotspots"];

/**
 * Extracts findings from data of unknown shape: the output of programs that stand in for tools. Contract: null if it
 * has no list of locations; a status is not a finding; unknown fields are ignored, missing ones get defaults.
 */
export function guessFindings(data: Readonly<Record<string, unknown>>): ToolFinding[] | null {
  const list = LISTS.map((key) => data[key]).find(Array.isArray);
  if (list === undefined) return typeof data["index_status"] === "string" ? [] : null;
  return guessPlaces(list);
}

/** Extracts findings from a list whose entries may name files. */
export function guessPlaces(list: readonly unknown[]): ToolFinding[] {
  return list.filter(isRecord).flatMap((item) => {
    const path = textOf(item["file"] ?? item["file_path"] ?? item["path"]);
    return path === "" ? [] : [toFinding(item, path)];
  });
}

function toFinding(item: Record<string, unknown>, path: string): ToolFinding {
  const line = lineOf(item["line"] ?? item["start_line"]);
  const end = lineOf(item["end_line"]);
  return {
    path,
    line,
    symbol: textOf(item["symbol"] ?? item["name"]),
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
