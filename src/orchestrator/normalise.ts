import { roundTo } from "../base/round-to.ts";
import { isRecord, textOf, toOneLine } from "../base/text.ts";
import type { ToolResult } from "../contract/run-document.ts";
import { type Finding, NO_PLACE, type ToolFinding } from "../contract/tool.ts";
import type { ToolOutcome } from "../lifecycle/tool-outcome.ts";

/**
 * Converts a tool's result to findings. Contract: pure; reads claims and the tool's own data format; a result in any
 * other format becomes one finding, its summary. Scores above 1 are scaled to the tool's best.
 */
export function toFindings({ result, findings: own }: Pick<ToolOutcome, "result" | "findings">): Finding[] {
  const { data } = result;
  // The failure is reported in [Limits]; the tool's output only helps whoever fixes it.
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
  return found.map((finding) => ({ ...finding, confidence: roundTo(finding.confidence / best, 2) }));
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
      // The polarity is part of the title, so that the two sides of a claim are not treated as duplicates.
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
