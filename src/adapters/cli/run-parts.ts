import { countOf } from "../../contract/count-of.ts";
import type { RunDocument, Signal, StructuredFinding, ToolResult } from "../../contract/run-document.ts";
import { type Cell, type Screen, table } from "./layout.ts";
import { toFigure } from "./run-words.ts";
import { safeLine } from "./safe-text.ts";

const INDENT = 2;
const MOST_FINDINGS = 30;

/** Formats the reasons for a judgement. */
export function signalLines(signals: readonly Signal[], screen: Screen): string {
  const rows = signals.map(({ type, match, weight }) => [
    { text: safeLine(type), paint: screen.paint.faint },
    weight.toFixed(1),
    safeLine(match),
  ]);
  return table(rows, { width: screen.columns, indent: INDENT, columns: [{}, {}, { tooWide: "wrap" }] });
}

/** Formats the planned tools with reasons, and the tools that were not run. */
export function planLines({ tool_plan, recommended_tools }: RunDocument, screen: Screen): string {
  const { faint } = screen.paint;
  const planned = tool_plan.tools.map(({ tool, reason }) => [safeLine(tool), safeLine(reason)]);
  const others = (recommended_tools ?? []).map(({ tool, reason }) => [
    { text: safeLine(tool), paint: faint },
    { text: `not run: ${safeLine(reason)}`, paint: faint },
  ]);
  const columns = [{}, { tooWide: "wrap", least: 20 }] as const;
  return table([...planned, ...others], { width: screen.columns, indent: INDENT, columns });
}

/** Formats the result of each tool. */
export function resultLines(results: readonly ToolResult[], screen: Screen): string {
  const { paint } = screen;
  const rows = results.map((result): Cell[] => {
    const { tool, status, duration_ms, summary, error, redactions, truncated } = result;
    const hidden = sayHidden(redactions);
    const said = [error.message === "" ? summary : error.message, hidden, truncated ? "cut" : ""].filter(Boolean);
    const isFine = status === "ok";
    return [
      safeLine(tool),
      { text: status, paint: isFine ? paint.good : paint.warning },
      `${toFigure(duration_ms)} ms`,
      safeLine(said.join("; ")),
    ];
  });
  const columns = [{}, {}, { align: "right", drop: 1 }, { tooWide: "wrap", least: 20 }] as const;
  return table(rows, { width: screen.columns, indent: INDENT, columns });
}

/** What was redacted from a result: `hidden: 2 key`; empty if nothing was. */
export function sayHidden(redactions: ToolResult["redactions"]): string {
  const kinds = redactions.map(({ kind, count }) => `${count} ${kind}`);
  return kinds.length === 0 ? "" : `hidden: ${kinds.join(", ")}`;
}

/** Formats the findings, ordered by relevance, with place and source. */
export function findingLines(findings: readonly StructuredFinding[], screen: Screen): string {
  const { paint } = screen;
  const rows = findings.slice(0, MOST_FINDINGS).flatMap((finding, at): Cell[][] => {
    const { symbol, title, summary, tool, confidence, conflict } = finding;
    const name = safeLine(symbol === "" ? title : symbol);
    const said = safeLine(summary);
    const place = sayPlace(finding);
    const about = [said === name || said === place ? "" : said, conflict ? "another finding says the opposite" : ""];
    const source = { text: `${safeLine(tool)} ${confidence.toFixed(2)}`, paint: paint.faint };
    return [
      [`${at + 1}.`, [place, name === place ? "" : name].filter(Boolean).join("  "), source],
      ...about.filter(Boolean).map((text): Cell[] => ["", { text, paint: paint.faint }]),
    ];
  });
  const left = findings.length - MOST_FINDINGS;
  if (left > 0) rows.push(["", { text: `${countOf(left, "more finding")}; all with --json`, paint: paint.faint }]);
  const columns = [{ align: "right" }, { tooWide: "wrap", least: 40 }, { drop: 1 }] as const;
  return table(rows, { width: screen.columns, indent: INDENT, columns });
}

/** `path:line` of a finding. */
export function sayPlace({ path, line }: Pick<StructuredFinding, "path" | "line">): string {
  return safeLine(line === null ? path : `${path}:${line}`);
}
