import type { StructuredFinding } from "../../contract/run-document.ts";
import type { RunDetail, RunRow } from "../../contract/run-history.ts";
import { makeDocument } from "../../run-history/ended-run.test-helper.ts";
import { makePalette } from "./colour.ts";
import type { Screen } from "./layout.ts";

/** Current time in these tests, in the local time zone. */
export const NOW_MS = new Date(2026, 0, 31, 14, 3, 22).getTime();

/** Characters that control a terminal, are invisible, or reverse a line. */
export const HOSTILE = "a\u001b]0;title\u0007b\u001b[2Jc\u009b31md\u202ee\u200bf\u{e0041}g\rh\u0000i\nj";
/** Characters that must not occur in a text for people: everything invisible except line breaks. */
export const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|(?![\u200c\u200d])\p{Cf}/u;

/** A screen of this width; null is a pipe. */
export function screenOf(columns: number | null, hasColours = false): Screen {
  return { columns, paint: makePalette({ hasColours }), home: "/home/ada" };
}

/** A row of the list, three minutes old. */
export function makeRow(changes: Partial<RunRow> = {}): RunRow {
  return {
    key: "0mkr1a2b3-00112233445566ab",
    run_id: "20260131-140022-abc123",
    created_at: new Date(NOW_MS - 180_000).toISOString(),
    repo: "/home/ada/src/shop",
    door: "hook",
    client: "claude-code",
    intent: "explore",
    outcome: "evidence",
    injected_chars: 1_234,
    duration_ms: 128.4,
    tools: ["ci_search", "ci_graph_rag"],
    limits: ["tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable"],
    reason: "",
    prompt: "where is priceOf defined and who calls it?",
    verdict: null,
    ...changes,
  };
}

/** A finding of a run. */
export function makeFinding(path: string, line: number | null, symbol: string, summary = ""): StructuredFinding {
  const provenance = { tool: "ci_search", at: "", version: "1.0" };
  const told = { confidence: 0.91, truncated: false, conflict: false, provenance };
  return { tool: "ci_search", path, line, symbol, title: symbol, summary, ...told };
}

/** All stored data of a run with these findings. */
export function makeDetail(
  row: Partial<RunRow> = {},
  {
    findings = [makeFinding("src/price.ts", 4, "priceOf", "Price of one article.")],
    ...changes
  }: Partial<RunDetail & { findings: readonly StructuredFinding[] }> = {},
): RunDetail {
  const made = makeRow(row);
  const document = makeDocument(made.prompt);
  const { for_model } = document.fused_context;
  const signals = [{ type: "code" as const, match: "symbol: priceOf", weight: 0.7 }];
  return {
    row: made,
    document: {
      ...document,
      inputs: { ...document.inputs, signals },
      fused_context: {
        ...document.fused_context,
        for_model: { ...for_model, structured: { findings: [...findings] } },
      },
    },
    injected: "x".repeat(made.injected_chars),
    client_max: 9_500,
    timeline: [
      { stage: "run", tool: "ci_search", start_ms: 20, duration_ms: 60, status: "ok" },
      { stage: "run", tool: "ci_graph_rag", start_ms: 22, duration_ms: 78, status: "timeout" },
      { stage: "judge", start_ms: 0, duration_ms: 10 },
      { stage: "look", start_ms: 10, duration_ms: 0.1 },
      { stage: "plan", start_ms: 10, duration_ms: 10 },
      { stage: "run", start_ms: 20, duration_ms: 80 },
      { stage: "conclude", start_ms: 100, duration_ms: 8 },
    ],
    cut: [],
    ...changes,
  };
}
