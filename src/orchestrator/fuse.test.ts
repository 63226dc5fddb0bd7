import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toLimitTexts } from "../contract/limits.ts";
import type { Finding } from "../contract/tool.ts";
import { fuse } from "./fuse.ts";
import { toFindings } from "./normalise.ts";
import { renderBlock, renderResultsText } from "./render.ts";

const base: Finding = {
  tool: "ci_search",
  path: "src/a.ts",
  line: 1,
  symbol: "a",
  title: "",
  summary: "s",
  confidence: 0.5,
  reason: "",
};
const source = () => ({ at: "2026-01-01T00:00:00Z", version: "1.0" });
const fuseAll = (findings: readonly Finding[]) => fuse(findings, source);
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...base,
    path: `src/${String(at).padStart(2, "0")}.ts`,
    confidence: at / count,
  }));

describe("fusing findings", () => {
  it("[ATO-FUSE-4] keeps the most confident finding per tool, path, symbol and title", () => {
    const { byKey, total } = fuseAll([
      base,
      { ...base, confidence: 0.9, summary: "better" },
      { ...base, tool: "ci_graph_rag" },
      { ...base, symbol: "" },
      { ...base, title: "t" },
    ]);
    expect(total).toBe(4);
    expect(
      byKey.find(({ tool, symbol, title }) => tool === "ci_search" && symbol === "a" && title === "")?.summary,
    ).toBe("better");
  });

  it("[ATO-FUSE-5] orders by tool, path, symbol, confidence, summary", () => {
    const list = [
      { ...base, tool: "b", path: "a" },
      { ...base, tool: "a", path: "b" },
      { ...base, tool: "a", path: "a", symbol: "z" },
      { ...base, tool: "a", path: "a", symbol: "b", title: "x", confidence: 0.1 },
      { ...base, tool: "a", path: "a", symbol: "b", title: "y", confidence: 0.2 },
    ];
    expect(fuseAll(list).byKey.map(({ tool, path, symbol, confidence }) => [tool, path, symbol, confidence])).toEqual([
      ["a", "a", "b", 0.2],
      ["a", "a", "b", 0.1],
      ["a", "a", "z", 0.5],
      ["a", "b", "a", 0.5],
      ["b", "a", "a", 0.5],
    ]);
  });

  it("[ATO-FUSE-6] cuts summaries to 240 characters", () => {
    const { byKey } = fuseAll([
      { ...base, summary: "x".repeat(241) },
      { ...base, symbol: "b", summary: "y".repeat(240) },
    ]);
    expect(byKey.map(({ summary, truncated }) => [summary.length, summary.endsWith("…"), truncated])).toEqual([
      [240, true, true],
      [240, false, false],
    ]);
  });

  it("[ATO-FUSE-7] keeps the 12 most relevant findings and reports the cut", () => {
    const { byKey, byRelevance, limits } = fuseAll(many(20));
    expect([byKey.length, byRelevance.length]).toEqual([12, 12]);
    expect(byRelevance[0]?.path).toBe("src/19.ts");
    expect(byKey.map(({ path }) => path)).toEqual(byRelevance.map(({ path }) => path).toSorted());
    expect(toLimitTexts(limits)).toEqual(["results truncated to 12 of 20 findings (结果截断)"]);
    expect(fuseAll(many(12)).limits).toEqual([]);
  });

  it("[ATO-FUSE-9] does not depend on the order in which tools answered", () => {
    const findings = [...many(15), ...many(15).map((finding) => ({ ...finding, tool: "ci_graph_rag" }))];
    void fc.assert(
      fc.property(fc.shuffledSubarray(findings, { minLength: findings.length }), (shuffled) => {
        expect(fuseAll(shuffled)).toEqual(fuseAll(findings));
      }),
    );
  });

  it("[ATO-FUSE-3] every finding names tool, time and version", () => {
    expect(fuseAll([base]).byKey[0]).toMatchObject({ tool: "ci_search", at: "2026-01-01T00:00:00Z", version: "1.0" });
  });
});

describe("[ATO-FUSE-8] contradictions", () => {
  const claim = (tool: string, polarity: string) => ({
    tool,
    status: "ok" as const,
    started_at: "2026-01-01T00:00:00Z",
    duration_ms: 1,
    summary: "",
    data: { claims: [{ claim_key: "cache", polarity, claim: `cache ${polarity}`, evidence_refs: ["a.ts:1"] }] },
    error: { message: "" },
    redactions: [],
    truncated: false,
  });
  const findings = [claim("ci_search", "support"), claim("ci_graph_rag", "oppose")].flatMap((result) =>
    toFindings({ result, findings: null }),
  );

  it("are shown side by side, with tool and time, marked for a person", () => {
    const { byKey, byRelevance } = fuseAll(findings);
    expect(byKey.map(({ conflict }) => conflict)).toEqual([true, true]);
    const text = renderResultsText(byKey, 2);
    expect(text.match(/conflict=true 需人工判断, 2026-01-01T00:00:00Z/g)).toHaveLength(2);
    expect(text).toMatch(/ci_graph_rag[\s\S]*ci_search/);
    const parts = {
      prompt: "x",
      findings: byRelevance,
      snippets: [],
      withheld: [],
      total: 2,
      indexStatus: "",
      limits: [],
    };
    expect(renderBlock(parts, () => true).text).toContain("需人工判断");
  });

  it("are not two claims that agree, or one that is undecided", () => {
    const agreeing = [claim("a", "support"), claim("b", "support"), claim("c", "unknown")].flatMap((result) =>
      toFindings({ result, findings: null }),
    );
    expect(fuseAll(agreeing).byKey.some(({ conflict }) => conflict)).toBe(false);
  });
});

describe("[ATO-FUSE-2] results of other forms", () => {
  it("a result of unknown form is one finding: its summary, with the tool's name", () => {
    const result = {
      tool: "ci_search",
      status: "ok" as const,
      started_at: "t",
      duration_ms: 0,
      summary: "it found this",
      data: { odd: 1 },
      error: { message: "" },
      redactions: [],
      truncated: false,
    };
    const { byKey } = fuseAll(toFindings({ result, findings: null }));
    expect(renderResultsText(byKey, 1)).toBe(
      "[Results] 1 finding, 2026-01-01T00:00:00Z\n  it found this  (ci_search .50)",
    );
  });

  it("a failed tool yields no finding", () => {
    const result = {
      tool: "x",
      status: "error" as const,
      started_at: "t",
      duration_ms: 0,
      summary: "boom",
      error: { message: "boom", code: "E_UNKNOWN" },
      redactions: [],
      truncated: false,
    };
    expect(toFindings({ result, findings: null })).toEqual([]);
  });
});
