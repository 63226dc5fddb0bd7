import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { makeRepo } from "../../../tests/support/git-repo.ts";
import { makeIndexedRepo, runTool } from "../../../tests/support/indexed-repo.ts";
import { SHOP } from "../../../tests/support/shop-repo.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { type HookRun, NO_HOOK_RAN } from "../../contract/tool-hooks.ts";
import type { ToolOutcome } from "../../lifecycle/tool-outcome.ts";
import { makeRegistry } from "../../tools/registry.ts";
import { toListedTools } from "./tool-list.ts";
import { sayUnknownTool, toCallResult } from "./tool-result.ts";

/** Calls of every tool, in all their forms. */
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["ci_index_status", {}],
  ["ci_search", { query: "price of an article" }],
  ["ci_search", { query: "nothing of this is in the shop: kubernetes ingress" }],
  ["ci_graph_rag", { query: "priceOf", budget: 2_000 }],
  ["ci_call_chain", { symbol: "src/price.ts#priceOf" }],
  ["ci_call_chain", { symbol: "openTill", to: "readRate", direction: "callees" }],
  ["ci_bug_locate", { error: "Error: negative amount in the cart\n    at priceOf (src/price.ts:6:27)" }],
  ["ci_impact", { symbol: "readRate" }],
  ["ci_impact", { file: "src/rates.ts", format: "md" }],
  ["ci_impact", { file: "src/rates.ts", format: "mermaid" }],
  ["ci_complexity", { path: "src" }],
  ["ci_complexity", { path: "src/price.ts", format: "text" }],
  ["ci_hotspot", {}],
  ["ci_hotspot", { format: "text", path: "src" }],
  ["ci_index", { action: "build" }],
  ["ci_investigate", { question: "why is the amount in the cart negative?", max_steps: 3 }],
];
/** The tool that needs a person. */
const ASKING = "askuser-ask_question";

const repo = await makeIndexedRepo(makeRepo([{ files: SHOP, subject: "a shop", at: "2026-01-05T10:00:00Z" }]));
const registry = makeRegistry(repo.engine());
const toolNamed = (name: string) => registry.find((tool) => tool.name === name) as ToolDeclaration;
const ask = async (name: string, args: Record<string, unknown>) =>
  toCallResult(toolNamed(name), await runTool(repo, name, args));

describe("results of calls", () => {
  const ajv = new Ajv({ strict: false });
  const schemas = new Map(
    toListedTools(registry).map(({ name, outputSchema }) => [name, ajv.compile(outputSchema ?? false)]),
  );

  it.each(CALLS)("%s %o answers as its schema says, in the text too", async (name, args) => {
    const { content, structuredContent, isError } = await ask(name, args);
    expect(isError, content[0]?.text).toBeUndefined();
    const validate = schemas.get(name);
    expect(validate?.(structuredContent), JSON.stringify(validate?.errors)).toBe(true);
    expect(structuredContent).toHaveProperty("schema_version", "1.0");
    // Not wrapped in `data`: it matches the declared schema.
    expect(structuredContent).not.toHaveProperty("data");
    const own = structuredContent?.["text"];
    if (typeof own === "string") expect(content[0]?.text).toContain(own);
    else expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
  });

  it("every tool is among the calls above", () => {
    expect(new Set(CALLS.map(([name]) => name))).toEqual(
      new Set(registry.map(({ name }) => name).filter((name) => name !== ASKING)),
    );
  });

  it("is an error at once if nobody can be asked", async () => {
    const { content, isError } = await ask(ASKING, { question: "Which?", options: ["a"] });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining("nobody to ask")]);
  });

  it.each([
    ["ci_search", {}, "Error: Invalid query: expected string, got undefined"],
    ["ci_search", { query: 5 }, "Error: Invalid query: expected string, got 5"],
    ["ci_search", { query: [] }, "Error: Invalid query: expected string, got array"],
    ["ci_search", { query: "q", limit: 51 }, "Error: Invalid limit: expected at most 50, got 51"],
    ["ci_search", { query: "q", limit: 1.5 }, "Error: Invalid limit: expected int, got 1.5"],
    ["ci_search", { query: "", limit: 1 }, "Error: Invalid query: expected at least 1 characters, got string"],
    ["ci_search", { query: "q", mode: "secret" }, "Error: Invalid mode: expected semantic or keyword, got string"],
    ["ci_graph_rag", { query: "q", budget: "x" }, "Error: Invalid token_budget: expected number, got string"],
  ])("%s %o is refused with what was expected", async (name, args, text) => {
    expect(await ask(name, args)).toEqual({ content: [{ type: "text", text }], isError: true });
  });

  it("a fault of the tool is an error that says what to do", async () => {
    const { content, isError } = await ask("ci_call_chain", { symbol: "noSuchFunction" });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/^Error: ci_call_chain: no symbol noSuchFunction/);
    const outside = await ask("ci_complexity", { path: "../.." });
    expect(outside.isError).toBe(true);
  });

  it("an unknown tool is named if that is a valid name", () => {
    expect(sayUnknownTool("x")).toBe("Unknown tool: x");
    for (const odd of ["", "a\nb", "../../etc/passwd", "c".repeat(500), "价格"])
      expect(sayUnknownTool(odd)).toBe("Unknown tool: ?");
    expect(sayUnknownTool(`AKIA${"ABCDEFGH".repeat(2)}`)).toBe("Unknown tool: AKIA<redacted>");
  });
});

describe("what an answer leaves out", () => {
  const search = toolNamed("ci_search");
  const outcome = (more: Partial<ToolOutcome>): ToolOutcome => ({
    result: {
      tool: "ci_search",
      status: "ok",
      started_at: "",
      duration_ms: 1,
      summary: "",
      data: { source: "index", candidates: [] },
      error: { message: "" },
      redactions: [],
      truncated: false,
    },
    fault: null,
    rejection: null,
    findings: [],
    limits: [],
    version: "1.0",
    hooks: NO_HOOK_RAN,
    ...more,
  });

  it("limits are next to the data and in the text", () => {
    const { content, structuredContent } = toCallResult(search, outcome({ limits: [LIMITS.indexStale(2)] }));
    expect(structuredContent?.["limits"]).toEqual([LIMITS.indexStale(2).text]);
    expect(content[0]?.text).toContain(LIMITS.indexStale(2).text);
    const text = { ...outcome({}).result, data: { hotspots: [], text: "a table" } };
    const told = toCallResult(toolNamed("ci_hotspot"), outcome({ result: text, limits: [LIMITS.indexStale(2)] }));
    expect(told.content[0]?.text).toBe(`a table\n\n[Limits] ${LIMITS.indexStale(2).text}`);
  });

  it("data of another shape, from a program that replaces the tool, is passed on under `data`", () => {
    const result = { ...outcome({}).result, data: { candidates: "none", stdout_text: "hello" } };
    const { structuredContent } = toCallResult(search, outcome({ result }));
    expect(structuredContent).toEqual({ data: { candidates: "none", stdout_text: "hello" } });
  });

  it("[HOOK-8] a failed hook is reported with command, exit code, output and stderr", () => {
    const failure: HookRun = { command: "./guard.sh", exitCode: 2, output: "not there", error: "because" };
    const limit = LIMITS.hookFailed("ci_search", "before", failure.command, failure.exitCode, failure.output);
    const message = limit.text;
    const { isError, content } = toCallResult(
      search,
      outcome({
        result: { ...outcome({}).result, status: "error", error: { message, code: "E_TOOL_UNAVAILABLE" } },
        fault: { code: "E_TOOL_UNAVAILABLE", message },
        limits: [limit],
        hooks: { ...NO_HOOK_RAN, before: { failure, warnings: [] } },
      }),
    );
    expect(isError).toBe(true);
    const text = content[0]?.text ?? "";
    for (const part of ["./guard.sh", "Exit code: 2", "Output:\nnot there", "Stderr:\nbecause"])
      expect(text).toContain(part);
    expect(text.split(message)).toHaveLength(2);
  });
});
