import { describe, expect, it } from "vitest";
import { displayWidth } from "../../base/display-width.ts";
import { mapStrings } from "../../base/text.ts";
import type { RunDetail } from "../../contract/run-history.ts";
import { ACTING, HOSTILE, makeDetail, makeFinding, NOW_MS, screenOf } from "./kept-run.test-helper.ts";
import { printRun } from "./show.ts";

const print = (detail: RunDetail, columns: number | null = null, hasColours = false) =>
  printRun(detail, NOW_MS, screenOf(columns, hasColours));

describe("[K 2] groundwork show", () => {
  it("[AC-015] prints the question, why it counts as code, what ran, what was found and what was left out", () => {
    const text = print(makeDetail());
    for (const part of [
      "Run 20260131-140022-abc123\n  outcome     evidence\n",
      "  when        2026-01-31 14:00:22 (3m ago), 128 ms\n  repository  ~/src/shop\n  by          hook of Claude Code\n",
      "Question\n  where is priceOf defined and who calls it?\n",
      "Taken for explore, because of\n  code  0.7  symbol: priceOf\n",
      "Plan (5,000 ms, 3 at once, at most 12,000 characters)\n  ci_search  symbol\n",
      "  all             ▉░░░",
      "108 ms  of 5,000 ms",
      "Results\n  ci_search  ok  12 ms  1 hit\n",
      "Findings (1)\n  1.  src/price.ts:4  priceOf  ci_search 0.91\n      Price of one article.\n",
      "Left out\n  -  tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable\n",
      "Injected\n  ███▏░░░░░░░░░░░░░░░░░░░░  1,234 of 9,500 characters\n",
      "groundwork show 5566ab --injected  exactly what the model got\n",
      "groundwork mark useful 5566ab      or useless: keep your verdict\n",
    ])
      expect(text).toContain(part);
  });

  it("the timeline has the stages in order, with their tools below, each at its time", () => {
    const lines = print(makeDetail()).split("\n");
    const at = lines.indexOf("Time");
    const shown = lines.slice(at + 2, lines.indexOf("", at));
    expect(shown.map((line) => line.slice(2, 16).trimEnd())).toEqual([
      ...["judge", "look up", "plan", "run tools", "  ci_search", "  ci_graph_rag", "conclude"],
    ]);
    expect(shown[5]).toMatch(/ 78 ms {2}timeout$/);
    const places = shown.map((line) => line.search(/[█▏]/));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it.each([40, 80, 200])("has at most %i columns", (columns) => {
    const chinese = "购物车的价格在哪里计算？".repeat(20);
    const detail = makeDetail(
      { prompt: chinese, limits: [chinese], repo: `/home/ada/${"deep/".repeat(40)}` },
      {
        findings: [
          makeFinding("src/very/long/path/that/has/many/folders.ts", 1_234, "aVeryLongNameOfASymbol", chinese),
        ],
      },
    );
    const widths = print(detail, columns).split("\n").map(displayWidth);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(print(detail, columns)).toContain("购物车");
  });

  it("prints what is known if only a row is stored, and why there is no more", () => {
    const bare = { document: null, injected: "", client_max: 0, timeline: [] };
    const silent = { outcome: "silent", tools: [], prompt: "", injected_chars: 0, limits: ["not about code"] } as const;
    const quiet = print(makeDetail(silent, bare));
    expect(quiet).toContain("Left out\n  -  not about code\n");
    expect(quiet).toContain("Not kept\n  -  anything else: the prompt was not about code;");
    expect(quiet).toContain("Injected\n  nothing\n");
    for (const part of ["Question", "Plan", "Time", "--injected"]) expect(quiet).not.toContain(part);
    const hidden = print(makeDetail({ prompt: "" }, bare));
    expect(hidden).toContain("history was set to no-prompts, which keeps counts and no text");
    expect(hidden).toContain("Injected\n  1,234 characters\n");
  });

  it("a document of another orchestrator may have any form, and cuts are reported", () => {
    const { document } = makeDetail();
    const odd = { ...document, inputs: { prompt: 3 } } as unknown as RunDetail["document"];
    expect(print(makeDetail({}, { document: odd }))).toContain("a different form, which --json prints unchanged");
    expect(print(makeDetail({}, { cut: ["data of ci_search (300 kB)"] }))).toContain(
      "Not kept\n  -  data of ci_search (300 kB)\n",
    );
  });

  it("shows a verdict without asking for it again, and counts bytes if the client does", () => {
    const text = print(makeDetail({ verdict: "useless" }));
    expect(text).toContain("outcome     evidence, marked useless\n");
    expect(text).not.toContain("groundwork mark");
    const detail = makeDetail({ injected_chars: 10 }, { injected: "价格价格价格价格价格" });
    const client = { name: "codex-cli", event: "UserPromptSubmit" } as const;
    const document = detail.document === null ? null : { ...detail.document, client };
    expect(print({ ...detail, document })).toContain("30 of 9,500 bytes");
  });

  it("text of a run cannot control the terminal", () => {
    const keep = [
      "door",
      "outcome",
      "stage",
      "status",
      "type",
      "schema_version",
      "client",
      "repo_root_source",
      "limits_text",
      "created_at",
    ];
    const spoil = (value: unknown): unknown =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([key, own]) => [key, keep.includes(key) ? own : spoil(own)]))
        : Array.isArray(value)
          ? value.map(spoil)
          : mapStrings(value, (text) => `${text}${HOSTILE}`);
    const text = print(spoil(makeDetail({}, { cut: ["x"] })) as RunDetail, 80);
    expect(text).toContain("Findings (1)");
    expect(text).not.toMatch(ACTING);
    expect(text.match(/abcdefgh/g)?.length).toBeGreaterThan(10);
  });

  it("colours only surround words and take no columns", () => {
    const text = print(makeDetail(), 80, true);
    expect(text).toContain("\u001b[32mevidence\u001b[0m");
    expect(text.replace(/\u001b\[\d+m/g, "")).toBe(print(makeDetail(), 80));
  });
});
