import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import { defineTool } from "../contract/tool.ts";
import { makeOutcome, readForeignData, repeatsFault } from "./tool-outcome.ts";

const owners = defineTool({
  name: "ci_owners",
  summary: "Tells whose a file is.",
  tier: 1,
  effect: "read",
  version: "1.0",
  timeoutMs: 100,
  input: () => z.object({ path: z.string(), most: z._default(z.number(), 3) }),
  output: () => z.object({ owned: z.array(z.object({ at: z.string(), by: z.string() })) }),
  ceilings: {},
  plan: () => null,
  // The types of `path`, `most` and `owned` are inferred: this file would not compile otherwise.
  run: async ({ path, most }) => succeed({ summary: "", data: { owned: [{ at: path, by: "x".repeat(most) }] } }),
  toFindings: ({ owned }) =>
    owned.map(({ at, by }) => ({ ...PLACE, path: at, summary: by.toUpperCase(), confidence: 1 })),
});
const PLACE = { line: null, symbol: "", title: "", reason: "" };

describe("data from a program that replaces a tool", () => {
  it("is converted by the tool if it has the tool's own form", () => {
    expect(readForeignData(owners, { owned: [{ at: "a.ts", by: "ann" }] })).toEqual([
      { ...PLACE, path: "a.ts", summary: "ANN", confidence: 1 },
    ]);
  });

  it.each(["file", "file_path", "path"])("is guessed if it lists candidates by %s", (key) => {
    const list = [{ [key]: "a.ts", start_line: 3, name: "f", fusion_score: 0.7 }, { line: 3 }, 7];
    expect(readForeignData(owners, { candidates: list })).toEqual([
      { ...PLACE, path: "a.ts", line: 3, symbol: "f", summary: "", confidence: 0.7 },
    ]);
  });

  it("contains no places otherwise, and a status is not a finding", () => {
    expect(readForeignData(owners, { owned: "nobody", stdout_text: "" })).toBeNull();
    expect(readForeignData(undefined, { text: "" })).toBeNull();
    expect(readForeignData(undefined, { index_status: "ready" })).toEqual([]);
  });
});

describe("limits that only repeat a fault", () => {
  const fault = { code: "E_TIMEOUT", message: "late" } as const;
  const own = LIMITS.fault("E_TIMEOUT", "ci_owners");
  const hook = LIMITS.hookFailed("ci_owners", "afterToolCall", "c", 2, "");
  const cut = LIMITS.clamped("ci_owners", "most", 3);
  const repeated = (limits: readonly (typeof own)[]) => {
    const outcome = makeOutcome({ tool: "ci_owners", fault, startedAt: "t", summary: "late", limits, version: "1.0" });
    return limits.filter((limit) => repeatsFault(limit, outcome));
  };

  it("are those of the tool, or of the hook that made it fail", () => {
    expect(repeated([cut, own, hook])).toEqual([own]);
    expect(repeated([cut, hook])).toEqual([hook]);
    expect(repeated([LIMITS.fault("E_TIMEOUT", "ci_other")])).toEqual([]);
  });
});
