import { describe, expect, it } from "vitest";
import { displayWidth } from "../../base/display-width.ts";
import { ACTING, HOSTILE, makeRow, NOW_MS, screenOf } from "./kept-run.test-helper.ts";
import { printFollowed, printRuns, printRunsJson, printRunsJsonl } from "./runs.ts";

const ROWS = [
  makeRow(),
  makeRow({
    prompt: "购物车的价格在哪里计算？购物车的价格在哪里计算？购物车的价格在哪里计算？",
    repo: "/home/ada/商店",
  }),
  makeRow({
    outcome: "silent",
    tools: [],
    prompt: "",
    injected_chars: 0,
    reason: "not about code; nothing injected",
  }),
  makeRow({ outcome: "guess", door: "cli", prompt: "", duration_ms: 12_345 }),
];
const print = (columns: number | null, changes: Partial<Parameters<typeof printRuns>[0]> = {}, hasColours = false) =>
  printRuns(
    { rows: ROWS, nowMs: NOW_MS, isOneRepo: false, more: 0, silent: 0, ...changes },
    screenOf(columns, hasColours),
  );
const widthOf = (text: string) => Math.max(...text.split("\n").map(displayWidth));

describe("[K 2] groundwork runs", () => {
  it("has one line per run, with its columns", () => {
    expect(print(null)).toBe(
      [
        "when    outcome   repository  by           chars      ms  id      question",
        "3m ago  evidence  shop        claude-code  1,234     128  5566ab  where is priceOf defined and who calls it?",
        `3m ago  evidence  商店        claude-code  1,234     128  5566ab  ${ROWS[1]?.prompt}`,
        "3m ago  silent    shop        claude-code      -     128  5566ab  (not about code)",
        "3m ago  guess     shop        cli          1,234  12,345  5566ab  (its text is not kept)",
        "",
      ].join("\n"),
    );
  });

  it.each([40, 60, 80, 200])("has at most %i columns, and the most important ones at any width", (columns) => {
    const text = print(columns, { more: 1_000, silent: 12 });
    expect(widthOf(text)).toBeLessThanOrEqual(columns);
    expect(text.split("\n\n")[0]?.split("\n")).toHaveLength(ROWS.length + 1);
    for (const part of ["3m ago", "evidence", "5566ab", "where is", "购物车"]) expect(text).toContain(part);
    expect(text.includes("claude-code")).toBe(columns > 80);
  });

  it("reports what the list leaves out", () => {
    expect(print(null, { more: 114, silent: 1 })).toContain(
      "\n\n114 more runs; all of them: --limit 118\n1 silent run left out; with them: --silent\n",
    );
  });

  it("names repositories if there are several, with a parent if two share a name, and verdicts if there are any", () => {
    expect(print(null, { isOneRepo: true })).not.toContain("repository");
    const rows = [makeRow({ repo: "/a/shop" }), makeRow({ repo: "/b/shop" }), makeRow({ repo: "", verdict: "useful" })];
    const text = print(null, { rows });
    for (const part of ["a/shop", "b/shop", "  -  ", "verdict", "useful"]) expect(text).toContain(part);
    expect(print(null)).not.toContain("verdict");
  });

  it("colours only surround words and take no columns", () => {
    const text = print(80, {}, true);
    expect(text).toContain("\u001b[32mevidence\u001b[0m");
    expect(text.replace(/\u001b\[\d+m/g, "")).toBe(print(80));
    expect(print(80)).not.toContain("\u001b");
  });

  it("text of a run cannot control the terminal, not even through a pipe", () => {
    const hostile = makeRow({ key: HOSTILE, run_id: HOSTILE, repo: `/x/${HOSTILE}`, client: HOSTILE, prompt: HOSTILE });
    const text = print(null, {
      rows: [hostile, { ...hostile, prompt: "", tools: [], outcome: "silent", reason: HOSTILE }],
    });
    expect(text).not.toMatch(ACTING);
    expect(text).toContain("abcdefghi");
    expect(text.split("\n")).toHaveLength(4);
  });

  it("as JSON: an array with the documented keys in order, or one object per line", () => {
    const [first] = JSON.parse(printRunsJson(ROWS)) as Record<string, unknown>[];
    expect(Object.keys(first ?? {})).toEqual([
      ...[
        "run_id",
        "created_at",
        "repo",
        "door",
        "client",
        "intent",
        "injected_chars",
        "duration_ms",
        "tools",
        "limits",
      ],
      ...["outcome", "key", "verdict", "prompt"],
    ]);
    expect(
      printRunsJsonl(ROWS)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(JSON.parse(printRunsJson(ROWS)));
    expect([printRunsJson([]), printRunsJsonl([])]).toEqual(["[]\n", ""]);
  });
});

describe("[K 2] groundwork runs --follow", () => {
  it.each([40, 80, 200, null])("keeps its columns in place, whatever follows, at %s columns", (columns) => {
    const screen = screenOf(columns);
    const head = printFollowed(ROWS.slice(0, 1), { isOneRepo: false, hasHead: true }, screen).split("\n");
    const later = ROWS.slice(1).map((row) => printFollowed([row], { isOneRepo: false, hasHead: false }, screen));
    const placeOf = (line: string, word: string) => displayWidth(line.slice(0, line.indexOf(word)));
    expect(head[1]).toMatch(/^14:00:22 {2}evidence/);
    for (const line of later) expect(placeOf(line, "5566ab")).toBe(placeOf(head[0] ?? "", "id "));
    if (columns !== null)
      expect(Math.max(...[...head, ...later].map((line) => widthOf(line)))).toBeLessThanOrEqual(columns);
  });
});
