import { isRecord, textOf, toOneLine } from "../../base/text.ts";
import { factsOf, measureFor } from "../../contract/clients.ts";
import { countOf } from "../../contract/count-of.ts";
import { LIMITS, toLimitsText } from "../../contract/limits.ts";
import type { Client, RunDocument } from "../../contract/run-document.ts";
import { isPlan, type KernelAnswer, makeEmptyDocument } from "../../orchestrator/document.ts";
import { turnFrame } from "../../orchestrator/render.ts";
import type { HookFormat } from "./arguments.ts";
import { type Asker, toHookOutput } from "./envelope.ts";

/** The empty injection that the shell entry points print if the program is missing. */
export function makeDoorInjection(): RunDocument {
  const limit = LIMITS.fault("E_ORCHESTRATOR");
  const client = { name: "claude-code", event: "cli" } as const;
  return makeEmptyDocument({ client, prompt: "", reason: `${limit.code}: ${limit.text}`, limits: [limit] });
}

/** Formats an answer for the caller. Contract: exactly the keys that the client documents. */
export function printAnswer(answer: KernelAnswer, format: HookFormat, asker: Asker): string {
  const { document } = answer;
  if (format === "json") return `${JSON.stringify(document)}\n`;
  if (format === "text") return toSummary(document);
  return toHookOutput(asker, toInjection(document, asker.client.name), toMessageForUser(answer));
}

/** What ran, what was found and what was left out, for people. */
export function toSummary(document: RunDocument): string {
  const { tool_plan_text, results_text, limits_text } = userTexts(document);
  return `${[tool_plan_text, results_text, limits_text].filter(Boolean).join("\n\n")}\n`;
}

/** Plan line and block, within the client's limit. If nothing was found, nothing is injected, not even the plan. */
export function toInjection(document: RunDocument, client: Client["name"]): string {
  const context = document.fused_context?.for_model?.additional_context;
  if (typeof context !== "string" || context === "") return "";
  const planLine = userTexts(document).tool_plan_text.split("\n")[0] ?? "";
  const { max, escapes, precedes } = factsOf(client);
  // Our own kernel's text already fits; another orchestrator's text is cut at line ends.
  const lines = [planLine, ...context.slice(0, max * 2).split("\n")].filter((line, at) => at > 0 || line !== "");
  while (lines.length > 0 && measureFor(client, lines.join("\n")) > max) lines.pop();
  const placed = precedes ? turnFrame(lines) : lines;
  return (escapes ? withoutAngles(placed) : placed).join("\n");
}

/** Our marks that contain angle brackets: the frame of a block, and the placeholder of a redacted value. */
const OUR_MARKS = /<(\/?gw-[0-9a-f]{12}|redacted)>/g;

/**
 * For a client that writes `<` as an entity: puts our own marks in square brackets, and adds a note if others remain.
 */
function withoutAngles(lines: readonly string[]): string[] {
  const plain = lines.map((line) => line.replace(OUR_MARKS, "[$1]"));
  if (!plain.some((line) => /[<>]/.test(line))) return plain;
  return [...plain.slice(0, -1), toLimitsText([LIMITS.anglesEscaped()]), ...plain.slice(-1)];
}

/**
 * One line for the person at the client: what ran or would run, or why nothing could. Empty if there is nothing to
 * report. `howOff` is how to switch it off at that client.
 */
export function toMessageForUser(
  { document, limits, notices }: KernelAnswer,
  howOff: string = "CI_AUTO_TOOLS=off",
): string {
  const results = Array.isArray(document.tool_results) ? document.tool_results : [];
  const told = notices.map(({ text }) => toOneLine(text));
  if (results.length === 0) {
    const said = [toOneLine(toPlanLine(document)), ...told].filter(Boolean);
    return said.length === 0 ? "" : `groundwork: ${said.join(" · ")}`;
  }
  const ms = Math.max(0, ...results.map(({ duration_ms }) => duration_ms));
  const took = ms < 100 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
  const findings = document.fused_context.for_model.structured?.findings?.length ?? 0;
  const chars = document.fused_context.for_model.additional_context.length;
  // An empty result for lack of time must not claim that there is nothing.
  const partial = limits.find(({ brief }) => brief !== undefined);
  const nothing = partial === undefined ? "nothing found" : `nothing found (${partial.brief})`;
  const found = findings === 0 || chars === 0 ? nothing : `${countOf(findings, "finding")}, ${chars} characters`;
  const trouble = document.degraded?.is_degraded === true ? ` · ${document.degraded.reason}` : "";
  const ran = `groundwork: ${countOf(results.length, "tool")}, ${took}, ${found}${trouble}`;
  return [ran, ...told, `off: ${howOff}`].join(" · ");
}

/** `plan only, 3 tools would run: …`; empty if the document is not a plan or plans nothing. */
function toPlanLine(document: RunDocument): string {
  const names = isPlan(document) ? document.tool_plan.tools.map(({ tool }) => tool) : [];
  return names.length === 0 ? "" : `plan only, ${countOf(names.length, "tool")} would run: ${names.join(", ")}`;
}

/** Texts for people, also from documents of another orchestrator. */
export function userTexts(document: RunDocument): RunDocument["fused_context"]["for_user"] {
  const given: unknown = document.fused_context?.for_user;
  const texts = isRecord(given) ? given : null;
  return {
    tool_plan_text: textOf(texts, "tool_plan_text"),
    results_text: textOf(texts, "results_text"),
    limits_text: textOf(texts, "limits_text"),
  };
}
