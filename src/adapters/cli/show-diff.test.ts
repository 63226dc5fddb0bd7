import { describe, expect, it } from "vitest";
import { displayWidth } from "../../base/display-width.ts";
import { compareRuns } from "./compare-runs.ts";
import { ACTING, HOSTILE, makeDetail, makeFinding, NOW_MS, screenOf } from "./kept-run.test-helper.ts";
import { printSafeJson } from "./safe-text.ts";
import { printComparison } from "./show-diff.ts";

const first = makeDetail(
  { tools: ["ci_search", "ci_impact"], limits: ["one", "two"] },
  {
    injected: "head\nold line\ntail\n",
    findings: [makeFinding("a.ts", 1, "one"), makeFinding("b.ts", 2, "two"), makeFinding("c.ts", 3, "")],
  },
);
const second = makeDetail(
  { key: "0mkr1a2b4-00112233445566cd", tools: ["ci_search", "ci_hotspot"], limits: ["two", "three"], duration_ms: 64 },
  {
    injected: "head\nnew line\ntail\n",
    timeline: [{ stage: "run", tool: "ci_search", start_ms: 0, duration_ms: 30, status: "ok" }],
    findings: [makeFinding("b.ts", 9, "two"), makeFinding("a.ts", 1, "one"), makeFinding("d.ts", null, "")],
  },
);

describe("[K 2] groundwork show --diff", () => {
  it("reports what was added, what was removed and what moved", () => {
    expect(compareRuns(first, second)).toMatchObject({
      run_id: { a: "20260131-140022-abc123", b: "20260131-140022-abc123" },
      duration_ms: { a: 128.4, b: 64 },
      tools: { came: ["ci_hotspot"], went: ["ci_impact"] },
      tool_ms: { ci_graph_rag: { a: 78, b: null }, ci_search: { a: 60, b: 30 } },
      findings: {
        came: [{ path: "d.ts", line: null, symbol: "", rank: 3 }],
        went: [{ path: "c.ts", line: 3, symbol: "", rank: 3 }],
        // A finding on a different line is still the same finding.
        moved: [
          { path: "b.ts", line: 9, symbol: "two", from: 2, to: 1 },
          { path: "a.ts", line: 1, symbol: "one", from: 1, to: 2 },
        ],
      },
      limits: { came: ["three"], went: ["one"] },
      injected: ["@@ line 1 @@", " head", "-old line", "+new line", " tail"],
    });
    const same = compareRuns(first, first);
    expect([same.injected, same.findings, same.tools]).toEqual([
      [],
      { came: [], went: [], moved: [] },
      { came: [], went: [] },
    ]);
  });

  it("for people: both runs side by side, then the changes", () => {
    const text = printComparison(compareRuns(first, second), NOW_MS, screenOf(null));
    for (const part of [
      "5566ab                                      5566cd\n",
      "time          128 ms                                      64 ms\n",
      "ci_graph_rag  78 ms                                       -\n",
      "Tools\n  -  ci_impact\n  +  ci_hotspot\n",
      "Findings\n  -  c.ts:3 (was 3.)\n  +  d.ts (now 3.)\n  ~  b.ts:9  two (was 2., now 1.)\n",
      "Limits\n  -  one\n  +  three\n",
      "Injected text\n  @@ line 1 @@\n   head\n  -old line\n  +new line\n   tail\n",
    ])
      expect(text).toContain(part);
    const same = printComparison(compareRuns(first, first), NOW_MS, screenOf(null));
    expect(same.match(/\n {2}the same\n/g)).toHaveLength(4);
  });

  it("does not compare what is not stored, and says so", () => {
    const bare = makeDetail({ prompt: "" }, { document: null, injected: "", timeline: [] });
    expect(compareRuns(bare, second).injected).toBeNull();
    const text = printComparison(compareRuns(bare, second), NOW_MS, screenOf(80));
    expect(text).toContain("not kept of both");
    expect(text).toContain("(not kept)");
    // If nothing was injected, there was nothing to store.
    const silent = makeDetail({ injected_chars: 0 }, { document: null, injected: "" });
    expect(compareRuns(silent, second).injected).toHaveLength(4);
  });

  it.each([40, 80, 200])("has at most %i columns and cannot control the terminal", (columns) => {
    const long = `${"购物车的价格".repeat(60)}${HOSTILE}`;
    const other = makeDetail(
      { prompt: long, limits: [long], tools: [HOSTILE], repo: `/x/${long}`, run_id: HOSTILE, key: HOSTILE },
      { injected: `${long}\n${long}`, findings: [makeFinding(`${HOSTILE}.ts`, 1, HOSTILE)] },
    );
    const comparison = compareRuns(first, other);
    const text = printComparison(comparison, NOW_MS, screenOf(columns));
    expect(text).not.toMatch(ACTING);
    expect(Math.max(...text.split("\n").map(displayWidth))).toBeLessThanOrEqual(columns);
    expect(printSafeJson(comparison).trimEnd()).not.toMatch(ACTING);
    expect(JSON.parse(printSafeJson(comparison))).toEqual(comparison);
  });
});
