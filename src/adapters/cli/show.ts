import { displayWidth } from "../../base/display-width.ts";
import { sayAgo, toLocalTime } from "../../base/moment.ts";
import { cutText } from "../../base/text.ts";
import { factsOf, measureFor } from "../../contract/clients.ts";
import type { RunDocument } from "../../contract/run-document.ts";
import type { RunDetail, RunRow } from "../../contract/run-history.ts";
import { gauge } from "./bars.ts";
import { readDocument, whyOnlyRow } from "./kept-document.ts";
import { type Cell, NAME_AND_TEXT, paintLines, printFacts, type Screen, shortenPath, table, wrap } from "./layout.ts";
import { findingLines, planLines, resultLines, signalLines } from "./run-parts.ts";
import { OUTCOME_COLOURS, sayAskedBy, sayQuestion, shortId, toFigure } from "./run-words.ts";
import { safeLine, safeText } from "./safe-text.ts";
import { timelineLines } from "./timeline.ts";

const INDENT = 2;
/** Maximum length of a displayed question; `--json` prints it in full. */
const MAX_QUESTION_CHARS = 1_000;
const GAUGE_COLUMNS = 24;

/** Formats everything that is stored of a run, for people. Contract: cannot control the terminal. */
export function printRun(detail: RunDetail, nowMs: number, screen: Screen): string {
  const { row, cut } = detail;
  const document = readDocument(detail);
  const parts = [
    head(row, nowMs, screen),
    section("Question", question(row, document, screen), screen),
    ...(document === null ? [] : documentParts(detail, document, screen)),
    section("Left out", list([...row.limits, ...degradedOf(document)], screen), screen),
    section("Not kept", list([...whyNoMore(detail), ...cut], screen), screen),
    injectedPart(detail, document, screen),
    hints(detail, screen),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function head(row: RunRow, nowMs: number, screen: Screen): string {
  const { paint } = screen;
  const atMs = Date.parse(row.created_at);
  const became = [row.outcome, ...(row.verdict === null ? [] : [`marked ${row.verdict}`])].join(", ");
  const rows: (readonly [string, Cell])[] = [
    ["outcome", { text: became, paint: paint[OUTCOME_COLOURS[row.outcome] ?? "bold"] }],
    ["when", `${toLocalTime(atMs)} (${sayAgo(nowMs - atMs)}), ${toFigure(row.duration_ms)} ms`],
    ["repository", row.repo === "" ? "none" : safeLine(shortenPath(row.repo, screen))],
    ["by", sayAskedBy(row)],
    ["key", safeLine(row.key)],
  ];
  return section(`Run ${safeLine(row.run_id)}`, printFacts(rows, screen), screen);
}

function section(title: string, body: string, { paint, columns }: Screen): string {
  return body === "" ? "" : `${paintLines(wrap(title, { width: columns }), paint.bold)}\n${body}`;
}

function list(texts: readonly string[], screen: Screen): string {
  const rows = texts.map((text) => ["-", safeLine(text)]);
  return table(rows, { width: screen.columns, indent: INDENT, columns: NAME_AND_TEXT });
}

function question(row: RunRow, document: RunDocument | null, screen: Screen): string {
  if (document === null) {
    const { text, isText } = sayQuestion(row);
    return isText ? wrap(text, { width: screen.columns, indent: INDENT }) : "";
  }
  const { text } = cutText(safeText(document.inputs.prompt).trim(), MAX_QUESTION_CHARS);
  return wrap(text, { width: screen.columns, indent: INDENT });
}

function documentParts(detail: RunDetail, document: RunDocument, screen: Screen): string[] {
  const { inputs, tool_plan, tool_results, task_context, fused_context } = document;
  const { primary_intent, confidence } = task_context?.intent_analysis ?? { primary_intent: detail.row.intent };
  const sure = confidence === undefined ? "" : `, confidence ${confidence.toFixed(2)}`;
  const { wall_ms, max_concurrency, max_injected_chars } = tool_plan.budget;
  const room = `${toFigure(wall_ms)} ms, ${max_concurrency} at once, at most ${toFigure(max_injected_chars)} characters`;
  const findings = fused_context.for_model.structured.findings ?? [];
  return [
    section(`Taken for ${safeLine(primary_intent)}${sure}, because of`, signalLines(inputs.signals, screen), screen),
    section(`Plan (${room})`, planLines(document, screen), screen),
    section("Time", timelineLines(detail.timeline, wall_ms, screen), screen),
    section("Results", resultLines(tool_results, screen), screen),
    section(`Findings (${findings.length})`, findingLines(findings, screen), screen),
  ];
}

function degradedOf(document: RunDocument | null): string[] {
  if (document === null || !document.degraded.is_degraded) return [];
  const { reason, degraded_to } = document.degraded;
  return [`degraded to ${degraded_to === "" ? "less" : degraded_to}: ${reason}`];
}

function whyNoMore(detail: RunDetail): string[] {
  const why = whyOnlyRow(detail);
  return why === null ? [] : [`anything else: ${why}`];
}

function injectedPart({ row, injected, client_max }: RunDetail, document: RunDocument | null, screen: Screen): string {
  const { paint } = screen;
  if (row.injected_chars === 0) return section("Injected", wrap("nothing", { width: null, indent: INDENT }), screen);
  const characters = `${toFigure(row.injected_chars)} characters`;
  if (document === null || client_max === 0) return section("Injected", `${" ".repeat(INDENT)}${characters}`, screen);
  const { unit } = factsOf(document.client.name);
  const size = measureFor(document.client.name, injected);
  const { filled, rest } = gauge(size / client_max, Math.min(GAUGE_COLUMNS, Math.floor((screen.columns ?? 100) / 4)));
  const said = `${toFigure(size)} of ${toFigure(client_max)} ${unit === "bytes" ? "bytes" : "characters"}`;
  return section("Injected", `${" ".repeat(INDENT)}${paint.good(filled)}${paint.faint(rest)}  ${said}`, screen);
}

function hints({ row, injected }: RunDetail, screen: Screen): string {
  const id = shortId(row);
  const rows = [
    ...(injected === "" ? [] : [[`groundwork show ${id} --injected`, "exactly what the model got"]]),
    ...(row.verdict === null ? [[`groundwork mark useful ${id}`, "or useless: keep your verdict"]] : []),
  ];
  const cells = rows.map(([line = "", about = ""]) => [
    { text: line, paint: screen.paint.accent },
    { text: about, paint: screen.paint.faint },
  ]);
  const widest = Math.max(0, ...rows.map(([line = ""]) => displayWidth(line)));
  return table(cells, { width: screen.columns, columns: [{ most: widest }, { tooWide: "wrap", least: 30, drop: 1 }] });
}
