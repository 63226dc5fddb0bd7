import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemClock } from "../base/clock.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { makeRegistry } from "../tools/registry.ts";
import { clampArgs } from "./clamp.ts";

const tools = new Map(makeRegistry(makeFileEngine(systemClock)).map((tool) => [tool.name, tool]));

function clamp(name: string, args: Record<string, unknown>, origin: "auto" | "mcp" = "auto") {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(name);
  return clampArgs(tool, tool.ceilings, args, origin);
}

describe("[ATO-SEC-5] [ATO-SEC-7] arguments are clamped into their range, with a limit", () => {
  it.each([
    ["ci_graph_rag", { query: "q", depth: 5 }, "ci_graph_rag: depth clamped to 2", { depth: 2 }],
    ["ci_graph_rag", { query: "q", budget: 9_000 }, "ci_graph_rag: budget clamped to 8000", { token_budget: 8_000 }],
    [
      "ci_graph_rag",
      { query: "q", token_budget: 9_000 },
      "ci_graph_rag: budget clamped to 8000",
      { token_budget: 8_000 },
    ],
    ["ci_graph_rag", { query: "q", top_k: 1_000 }, "ci_graph_rag: top_k clamped to 10", { top_k: 10 }],
    ["ci_search", { query: "q", limit: 1e9 }, "ci_search: limit clamped to 10", { limit: 10 }],
    ["ci_call_chain", { symbol: "s", depth: 10 }, "ci_call_chain: depth clamped to 3", { depth: 3 }],
    ["ci_hotspot", { days: 365 }, "ci_hotspot: days clamped to 30", { days: 30 }],
    ["ci_hotspot", { top: 100 }, "ci_hotspot: top clamped to 20", { top: 20 }],
  ])("%s %j", (name, args, limit, expected) => {
    const once = clamp(name, args);
    expect(once).toMatchObject({ ok: true, value: { args: expected, limits: [{ text: limit }] } });
    const twice = once.ok ? clamp(name, { ...once.value.args }) : once;
    expect(twice).toMatchObject({ ok: true, value: { args: expected, limits: [] } });
  });

  it.each([
    ["ci_graph_rag", { query: "q", depth: "deep" }, "ci_graph_rag: args rejected (depth)"],
    ["ci_graph_rag", { query: "q", depth: -1 }, "ci_graph_rag: args rejected (depth)"],
    ["ci_graph_rag", { query: "q", budget: 1 }, "ci_graph_rag: args rejected (budget)"],
    ["ci_search", { query: "q", limit: Number.NaN }, "ci_search: args rejected (limit)"],
    ["ci_search", { query: "q", mode: "magic" }, "ci_search: args rejected (mode)"],
    ["ci_search", {}, "ci_search: args rejected (query)"],
  ])("[ATO-SEC-6] %s %j cannot be clamped", (name, args, message) => {
    expect(clamp(name, args)).toMatchObject({ ok: false, fault: { code: "E_INVALID_ARGS", message } });
  });

  it("ceilings apply to automatic calls only, ranges to all", () => {
    expect(clamp("ci_search", { query: "q", limit: 40 }, "mcp")).toMatchObject({
      ok: true,
      value: { args: { limit: 40 } },
    });
    expect(clamp("ci_search", { query: "q", limit: 400 }, "mcp").ok).toBe(false);
  });
});

describe("[ATO-SEC-2] the catalogue", () => {
  it("lists these tools in these tiers, all read-only except the one that builds the index", () => {
    const tiers = [...tools.values()].map(({ name, tier, effect }) => [name, tier, effect]);
    expect(tiers).toEqual([
      ["ci_index_status", 0, "read"],
      ["ci_search", 1, "read"],
      ["ci_graph_rag", 1, "read"],
      ["ci_call_chain", 2, "read"],
      ["ci_bug_locate", 2, "read"],
      ["ci_impact", 2, "read"],
      ["ci_complexity", 2, "read"],
      ["ci_hotspot", 2, "read"],
      ["ci_investigate", 2, "read"],
      ["ci_index", 2, "write"],
      ["askuser-ask_question", 2, "read"],
    ]);
  });

  it("[ATO-BUD-3] has these time limits", () => {
    const limits = ["ci_index_status", "ci_search", "ci_graph_rag", "ci_complexity"].map(
      (name) => tools.get(name)?.timeoutMs,
    );
    expect(limits).toEqual([500, 2_000, 3_500, 1_000]);
  });

  it("describes each tool in at most 160 characters", () => {
    for (const { summary } of tools.values()) expect(summary.length).toBeLessThanOrEqual(160);
  });
});

describe("[ATO-SEC-5] a tool's own plan", () => {
  const text = fc.string({ minLength: 1, maxLength: 1_500 });
  const clues = fc.record({
    query: text,
    symbols: fc.array(fc.stringMatching(/^[A-Za-z_$][\w$.]{0,40}$/), { maxLength: 8 }),
    asked: fc.array(fc.stringMatching(/^[A-Za-z]{4,20}$/), { maxLength: 3 }),
    wish: fc.constantFrom("callers", "impact", "path", "complexity", "hotspots", "definition", "meaning", null),
    paths: fc.array(fc.stringMatching(/^[\w./-]{1,60}$/), { maxLength: 12 }),
    error: fc.oneof(fc.constant(""), text),
  });

  it.each([...tools.values()].map((tool) => [tool.name, tool] as const))(
    "of %s matches its schema unchanged",
    (_, tool) => {
      fc.assert(
        fc.property(clues, (found) => {
          const wish = tool.plan(found);
          if (wish === null) return;
          const checked = clampArgs(tool, tool.ceilings, wish.args, "auto");
          expect(checked.ok && [checked.value.args, checked.value.limits]).toEqual([wish.args, []]);
        }),
      );
    },
  );
});
