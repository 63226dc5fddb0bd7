import { describe, expect, it } from "vitest";
import { displayWidth } from "../../base/display-width.ts";
import type { DayStats, RunStats } from "../../contract/run-history.ts";
import { ACTING, HOSTILE, screenOf } from "./kept-run.test-helper.ts";
import { printSafeJson } from "./safe-text.ts";
import { printStats } from "./stats.ts";

const day = (name: string, runs: number): DayStats => ({
  day: name,
  runs,
  with_evidence: runs - 1,
  silent: 1,
  p50: 120,
  p95: 640.4,
  injected_chars: 1_000 * runs,
});
const STATS: RunStats = {
  runs: 10,
  with_evidence: 6,
  silent: 3,
  latency_ms: { p50: 128.4, p95: 1_640 },
  injected_chars: 12_345,
  tools: { ci_search: 6, ci_graph_rag: 3 },
  silent_reasons: { "not about code; nothing injected": 2, "switched off": 1 },
  repeated: 2,
  useful: 1,
  useless: 0,
  per_day: [day("2026-01-01", 2), day("2026-01-04", 8)],
};

describe("[K 2] groundwork stats", () => {
  it("prints shares, times, injected text, tools, reasons, verdicts and days", () => {
    const text = printStats(STATS, screenOf(null));
    for (const part of [
      "10 runs, 2026-01-01 to 2026-01-04\n",
      "  with evidence      ████████████░░░░░░░░  6  60 %\n",
      "  silent             ██████░░░░░░░░░░░░░░  3  30 %\n",
      "  planned or failed  ██░░░░░░░░░░░░░░░░░░  1  10 %\n",
      "  time         half within 128 ms, 95 % within 1,640 ms\n",
      "  injected     12,345 characters, 2,058 a time\n",
      "  asked again  2 runs\n",
      "  verdicts     1 useful, 0 useless\n",
      "  ci_search     6  ████████████████████\n  ci_graph_rag  3  ██████████\n",
      "Why nothing was injected\n  not about code  2  ████████████████████\n  switched off    1  ██████████\n",
      // A day without runs is a gap.
      "By day\n  ▂  █\n",
      "  2026-01-04     8         7       1       120 ms       640 ms     8,000\n",
    ])
      expect(text).toContain(part);
  });

  it.each([40, 80, 200])("has at most %i columns and cannot control the terminal", (columns) => {
    const days = Array.from({ length: 30 }, (_, at) => day(`2026-01-${String(at + 1).padStart(2, "0")}`, at + 1));
    const long = `${"购物车的价格".repeat(30)}${HOSTILE}`;
    const hostile = { ...STATS, per_day: days, tools: { [long]: 3 }, silent_reasons: { [long]: 1 } };
    const text = printStats(hostile, screenOf(columns));
    expect(Math.max(...text.split("\n").map(displayWidth))).toBeLessThanOrEqual(columns);
    expect(text).not.toMatch(ACTING);
    expect(text).toContain("16 earlier days with --json");
    expect(JSON.parse(printSafeJson(hostile))).toEqual(hostile);
  });

  it("one run of one day, and no tool", () => {
    const bare = { ...STATS, runs: 1, with_evidence: 0, silent: 1, latency_ms: { p50: 0, p95: 0 }, tools: {} };
    const text = printStats(
      { ...bare, injected_chars: 0, useful: 0, repeated: 0, per_day: [day("2026-01-01", 1)] },
      screenOf(80),
    );
    expect(text).toMatch(/^1 run, on 2026-01-01\n/);
    expect(text).toContain("no run used a tool");
    expect(text).toContain("no question twice");
    expect(text).toContain('none yet; "groundwork mark useful" keeps one');
    for (const part of ["By day", "Tools", "planned"]) expect(text).not.toContain(part);
  });

  it("colours only surround words and take no columns", () => {
    const text = printStats(STATS, screenOf(80, true));
    expect(text).toContain("\u001b[");
    expect(text.replace(/\u001b\[\d+m/g, "")).toBe(printStats(STATS, screenOf(80)));
  });
});
