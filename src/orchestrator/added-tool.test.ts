import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { GIT_FILES, makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { succeed } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { makeRegistry } from "../tools/registry.ts";
import { runKernel } from "./kernel.ts";

/** A complete new tool: nothing outside this declaration refers to its name. */
const owners: ToolDeclaration = {
  name: "ci_owners",
  summary: "Who looks after a file. Returns names.",
  tier: 1,
  effect: "read",
  version: "3.2",
  timeoutMs: 1_000,
  input: () => z.object({ symbol: z.string(), depth: z.number() }),
  ceilings: { depth: 2 },
  plan: ({ symbols }) =>
    symbols[0] === undefined ? null : { args: { symbol: symbols[0], depth: 9 }, reason: "a symbol is named" },
  run: async ({ symbol, depth }) =>
    succeed({ summary: "one owner", data: { owner: `team-${depth} of ${symbol}, Bearer ${"a1".repeat(10)}` } }),
  toFindings: ({ owner }) => [
    {
      path: "src/tax.ts",
      line: 1,
      symbol: "",
      title: "",
      summary: `looked after by ${owner}`,
      confidence: 0.8,
      reason: "owners",
    },
  ],
};

describe("[ATO-SCOPE-5] a tool that is added to the registry", () => {
  it("takes part in plan, clamp, run, guard and injection without any other change", async () => {
    const folder = makeFolder({ ...GIT_FILES, "src/tax.ts": "export function rateFor() {}\n" });
    const { document } = await runKernel(
      {
        text: "why does rateFor return undefined?",
        client: { name: "claude-code", event: "cli" },
        hints: {},
        asksForTool: false,
        limits: [],
      },
      {
        env: { HOME: folder, CI_AUTO_TOOLS_INDEX: "off" },
        folder,
        clock: systemClock,
        tools: [...makeRegistry(makeFileEngine(systemClock)), owners],
        signal: new AbortController().signal,
      },
    );
    expect(document.tool_plan.tools.at(-1)).toEqual({
      tool: "ci_owners",
      tier: 1,
      reason: "a symbol is named",
      args: { symbol: "rateFor", depth: 2 },
      timeout_ms: 1_000,
    });
    expect(document.tool_results.at(-1)).toMatchObject({
      tool: "ci_owners",
      status: "ok",
      data: { owner: "team-2 of rateFor, Bearer <redacted>" },
    });
    const { for_model, for_user } = document.fused_context;
    expect(for_model.additional_context).toContain("looked after by team-2 of rateFor, Bearer <redacted>");
    expect(for_user.limits_text).toContain("[Limits] ci_owners: depth clamped to 2");
    expect(for_model.structured.findings?.find(({ tool }) => tool === "ci_owners")?.provenance.version).toBe("3.2");
  });
});
