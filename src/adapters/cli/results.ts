import { toOneLine } from "../../base/text.ts";
import { toLimitsText } from "../../contract/limits.ts";
import type { RunDocument } from "../../contract/run-document.ts";
import type { ToolOutcome } from "../../lifecycle/tool-outcome.ts";
import { isPlan } from "../../orchestrator/document.ts";
import { toSummary } from "../hook/print.ts";
import { sayHidden } from "./run-parts.ts";

/** Formats the output of `try` for people: the block for the model, what ran, what was found and what was left out. */
export function printTry(document: RunDocument, { verbose }: { readonly verbose: boolean }): string {
  const block = document.fused_context.for_model.additional_context;
  const nothing = isPlan(document) ? "(plan mode: nothing was run)" : "(nothing to inject)";
  const parts = [block === "" ? nothing : block, toSummary(document).trimEnd()];
  if (verbose) parts.push(printDetails(document));
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function printDetails(document: RunDocument): string {
  const planned = document.tool_plan.tools.map(
    ({ tool, tier, args, timeout_ms }) => `  ${tool} (tier ${tier}, ${timeout_ms} ms): ${JSON.stringify(args)}`,
  );
  const ran = document.tool_results.map(({ tool, status, duration_ms, summary, redactions, truncated }) => {
    const said = [
      status,
      `${duration_ms} ms`,
      summary,
      ...[sayHidden(redactions), truncated ? "cut" : ""].filter(Boolean),
    ];
    return `  ${tool}: ${said.join(", ")}`;
  });
  const signals = document.inputs.signals.map(({ type, match, weight }) => `  ${type} ${weight}: ${match}`);
  const sections = { Signals: signals, Planned: planned, Ran: ran };
  return Object.entries(sections)
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `[${title}]\n${lines.join("\n")}`)
    .join("\n\n");
}

/** Formats a tool's outcome for people: one line per finding, then the limits. */
export function printToolOutcome({ result, findings, limits }: ToolOutcome): string {
  const data = result.data ?? {};
  const text = typeof data["text"] === "string" ? [data["text"].trimEnd()] : [];
  // A text already contains the findings in its own format.
  const listed = text.length > 0 ? [] : (findings ?? []);
  const lines = listed.map(({ path, line, symbol, summary, reason }, at) => {
    const place = line === null ? path : `${path}:${line}`;
    const said = [symbol, summary === symbol ? "" : summary].filter(Boolean).join(": ");
    return `${String(at + 1).padStart(2)}. ${place}  ${toOneLine(said)}${reason === "" ? "" : `  (${reason})`}`;
  });
  return [...text, ...lines, lines.length + text.length === 0 ? result.summary : "", toLimitsText(limits)]
    .filter(Boolean)
    .map((line) => `${line}\n`)
    .join("");
}
