import { toOneLine } from "../../base/text.ts";
import { toLimitsText } from "../../contract/limits.ts";
import type { ToolOutcome } from "../../lifecycle/tool-outcome.ts";

/** What a tool found, for people: one finding a line, then what limits it. */
export function printToolOutcome({ result, findings, limits }: ToolOutcome): string {
  const data = result.data ?? {};
  const text = typeof data["text"] === "string" ? [data["text"].trimEnd()] : [];
  // A text says the same in its own way.
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
