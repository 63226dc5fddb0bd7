import * as z from "zod/mini";
import { fail } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { toCandidateFindings } from "./candidates.ts";

const path = () => z.string().check(z.minLength(1), z.maxLength(1_000));
const symbol = () => z.string().check(z.minLength(1), z.maxLength(200));
const depth = (max: number) => z._default(z.number().check(z.int(), z.gte(1), z.lte(max)), 3);

type Declared = Omit<ToolDeclaration, "tier" | "effect" | "version" | "run" | "toFindings">;

/**
 * A tier-2 tool. Contract: it needs the index; until there is one, a call answers E_TOOL_UNAVAILABLE and says how to
 * name a program that takes its place.
 */
function deepTool(declared: Declared): ToolDeclaration {
  return {
    ...declared,
    tier: 2,
    effect: "read",
    version: "1.0",
    run: async () =>
      fail(
        "E_TOOL_UNAVAILABLE",
        `${declared.name} has no built-in answer yet`,
        `name a program that answers it in CI_AUTO_TOOLS_RUNNER_${declared.name.toUpperCase()}`,
      ),
    toFindings: toCandidateFindings,
  };
}

/** `ci_call_chain`: who calls a function and what it calls. */
export const callChainTool = deepTool({
  name: "ci_call_chain",
  summary: "Trace who calls a symbol and what it calls. Returns the chain with file, line and depth.",
  timeoutMs: 2_000,
  input: () =>
    z.object({
      symbol: symbol(),
      direction: z._default(z.enum(["callers", "callees", "both"]), "both"),
      depth: depth(10),
    }),
  ceilings: { depth: 3 },
  intents: ["debug", "refactor", "explore", "docs"],
  plan: ({ symbols, words }) => {
    const name = symbols[0] ?? words[0];
    if (name === undefined) return null;
    return { args: { symbol: name, direction: "both", depth: 3 }, reason: `traces the calls of ${name}` };
  },
});

/** `ci_bug_locate`: where an error comes from. */
export const bugLocateTool = deepTool({
  name: "ci_bug_locate",
  summary: "Rank the files and functions where an error most likely comes from, with the evidence for each.",
  timeoutMs: 3_000,
  input: () => z.object({ error: z.string().check(z.minLength(1), z.maxLength(8_000)) }),
  ceilings: {},
  intents: ["debug"],
  plan: ({ error, query }) => ({
    args: { error: error || query },
    reason: error === "" ? "locates what the report describes" : "locates the error and its stack frames",
  }),
});

/** `ci_impact`: what a change would touch. */
export const impactTool = deepTool({
  name: "ci_impact",
  summary: "Tell what a change of a symbol or file affects, with falling confidence, and which tests to run.",
  timeoutMs: 3_000,
  input: () =>
    z.object({
      symbol: z.optional(symbol()),
      file: z.optional(path()),
      depth: depth(5),
      format: z._default(z.enum(["json", "md", "mermaid"]), "json"),
    }),
  ceilings: { depth: 3 },
  intents: ["refactor", "feature", "explore", "test"],
  plan: ({ symbols, paths, words }) => {
    const named = symbols[0] ?? (paths[0] === undefined ? words[0] : undefined);
    const target = named === undefined ? { file: paths[0] } : { symbol: named };
    const what = named ?? paths[0];
    if (what === undefined) return null;
    return { args: { ...target, depth: 3, format: "json" }, reason: `shows what a change of ${what} touches` };
  },
});

/** `ci_complexity`: how complex the functions of a file are. */
export const complexityTool = deepTool({
  name: "ci_complexity",
  summary: "Measure cyclomatic and cognitive complexity of each function in a file.",
  timeoutMs: 1_000,
  input: () => z.object({ path: path(), format: z._default(z.enum(["text", "json"]), "json") }),
  ceilings: {},
  intents: ["refactor", "test"],
  plan: ({ paths }) =>
    paths[0] === undefined ? null : { args: { path: paths[0], format: "json" }, reason: `measures ${paths[0]}` },
});

/** `ci_hotspot`: files that change often and are complex. */
export const hotspotTool = deepTool({
  name: "ci_hotspot",
  summary: "List the files that change most and are most complex, with the trend of each.",
  timeoutMs: 2_000,
  input: () =>
    z.object({
      top: z._default(z.number().check(z.int(), z.gte(1), z.lte(200)), 20),
      days: z._default(z.number().check(z.int(), z.gte(1), z.lte(3_650)), 30),
      format: z._default(z.enum(["text", "json"]), "json"),
      path: z.optional(path()),
    }),
  ceilings: { days: 30, top: 20 },
  intents: ["debug", "refactor"],
  plan: () => ({ args: { top: 20, days: 30, format: "json" }, reason: "shows where changes pile up" }),
});
