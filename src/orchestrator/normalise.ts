import { isRecord, textOf, toOneLine } from "../base/text.ts";
import type { ToolResult } from "../contract/run-document.ts";
import { type Finding, NO_PLACE, type ToolFinding } from "../contract/tool.ts";
import type { ToolOutcome } from "../lifecycle/tool-outcome.ts";

/**
 * Brings one tool's result into findings. Contract: pure; claims and data of the tool's own shape are read, and a
 * result of any other shape is one finding: its summary. Scores above 1 are scaled to the tool's best.
 */
export function toFindings({ result, findings: own }: Pick<ToolOutcome, "result" | "findings">): Finding[] {
  const { data } = result;
  // A tool that failed has said so in [Limits]; what it printed is for whoever mends it.
  if (result.status !== "ok") return [];
  if (data === undefined) return result.summary !== "" ? [summaryFinding(result)] : [];
  const claims = toClaims(data);
  if (own === null && claims.length === 0) return result.summary === "" ? [] : [summaryFinding(result)];
  const found = [...(own ?? []), ...claims].map((finding) => ({
    ...finding,
    tool: result.tool,
    path: tidyPath(finding.path),
  }));
  const best = Math.max(1, ...found.map(({ confidence }) => confidence));
  return found.map((finding) => ({ ...finding, confidence: round(finding.confidence / best) }));
}

function summaryFinding({ tool, summary }: ToolResult): Finding {
  return { ...NO_PLACE, tool, summary, confidence: 0.5 };
}

function toClaims(data: Record<string, unknown>): ToolFinding[] {
  const claims = data["claims"];
  if (!Array.isArray(claims)) return [];
  return claims.filter(isRecord).map((claim) => {
    const key = textOf(claim, "claim_key");
    const polarity = claim["polarity"] === "support" || claim["polarity"] === "oppose" ? claim["polarity"] : "unknown";
    const references = Array.isArray(claim["evidence_refs"])
      ? claim["evidence_refs"].filter((ref) => typeof ref === "string")
      : [];
    return {
      ...NO_PLACE,
      // The polarity is part of the title, so that two sides of one claim are not taken for doubles.
      title: `${key} ${polarity}`.trim(),
      summary: toOneLine(typeof claim["claim"] === "string" ? claim["claim"] : key),
      confidence: 0.6,
      reason: references.slice(0, 3).join(", "),
      claim: { key, polarity },
    };
  });
}

function tidyPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^\.\//, "");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
