import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type IndexedRepo, makeIndexable, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { type ModelTurn, startScriptedModel } from "../../tests/support/scripted-model.ts";
import { SHOP } from "../../tests/support/shop-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { toLimitTexts } from "../contract/limits.ts";
import { NO_TOOL_HOOKS } from "../contract/tool-hooks.ts";
import { executeToolCall, type LifecycleDeps } from "../lifecycle/tool-executor.ts";
import { makeRouter } from "../lifecycle/tool-router.ts";
import type { ModelSettings } from "./investigate.ts";
import { makeRegistry } from "./registry.ts";

const NAME = "ci_investigate";
const ISSUE = `The total of the cart is wrong for negative amounts

When an article has a negative amount, the cart does not refuse it and the total is wrong.

\`\`\`
Error: negative amount in the cart
    at priceOf (src/price.ts:6:25)
    at Cart.total (src/cart.ts:11:51)
\`\`\`
`;

interface Told {
  readonly conclusion: string;
  readonly candidates: readonly { readonly file: string; readonly evidence: readonly string[] }[];
  readonly functions: readonly { readonly file: string; readonly symbol: string }[];
  readonly steps: readonly {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly status: string;
    readonly why: string;
  }[];
  readonly metadata: { readonly strategy: string; readonly model: string | null; readonly stopped_by: string | null };
}

let repo: IndexedRepo;
beforeAll(async () => {
  repo = await makeIndexedRepo(makeFolder(SHOP));
});

interface AskOptions extends Partial<LifecycleDeps> {
  readonly model?: ModelSettings | null;
  readonly of?: IndexedRepo;
}

async function ask(args: Readonly<Record<string, unknown>>, { model = null, of = repo, ...more }: AskOptions = {}) {
  const outcome = await executeToolCall(
    { tool: NAME, args, origin: "cli" },
    {
      router: makeRouter(makeRegistry(of.engine(), model)),
      hooks: NO_TOOL_HOOKS,
      cwd: of.root,
      askUser: null,
      ruleOf: () => ({ timeoutMs: 30_000, ceilings: {} }),
      root: of.root,
      isExcluded: () => false,
      usesIndex: true,
      prompt: "",
      env: { PATH: process.env["PATH"] },
      clock: systemClock,
      signal: new AbortController().signal,
      ...more,
    },
  );
  return { ...outcome, limits: toLimitTexts(outcome.limits), told: outcome.result.data as unknown as Told };
}

describe("ci_investigate by rules", () => {
  it("chains tools and reports files, functions, reasons and each step", async () => {
    const { told, result, limits } = await ask({ question: ISSUE });
    expect(result.status).toBe("ok");
    expect(limits).toEqual([]);
    expect(told.candidates[0]).toMatchObject({ file: "src/price.ts" });
    expect(told.candidates[0]?.evidence.length).toBeGreaterThan(1);
    expect(told.functions[0]).toMatchObject({ file: "src/price.ts", symbol: "priceOf" });
    expect(told.conclusion).toContain("priceOf in src/price.ts:4");
    expect(told.steps.map(({ tool }) => tool)).toEqual([
      "ci_bug_locate",
      "ci_search",
      "ci_search",
      "ci_call_chain",
      "ci_call_chain",
      "ci_search",
    ]);
    expect(told.steps.every(({ status, why }) => status === "ok" && why !== "")).toBe(true);
    // Such a small repository is completely explored by then.
    expect(told.metadata).toEqual({ strategy: "rules", model: null, stopped_by: "nothing new" });
  });

  it("ranks what the best functions call higher", async () => {
    const { told } = await ask({ question: ISSUE });
    const rates = told.candidates.find(({ file }) => file === "src/rates.ts");
    expect(rates?.evidence).toContain("priceOf calls readRate");
    expect(told.candidates.findIndex(({ file }) => file === "src/rates.ts")).toBeLessThan(4);
  });

  it("gives the same answer twice", async () => {
    expect((await ask({ question: ISSUE })).told).toEqual((await ask({ question: ISSUE })).told);
  });

  it("takes as many steps as allowed, also for a plain question", async () => {
    const one = await ask({ question: ISSUE, max_steps: 1 });
    expect([one.told.steps.length, one.told.metadata.stopped_by]).toEqual([1, "steps"]);
    const { told } = await ask({ question: "how is the price of an article computed?", max_steps: 20 });
    expect(told.candidates[0]?.file).toBe("src/price.ts");
    expect(told.steps[0]?.tool).toBe("ci_search");
  });

  it.each([0, 21, "many"])("refuses max_steps %s", async (max_steps) => {
    expect((await ask({ question: ISSUE, max_steps })).result.status).toBe("skipped");
  });

  it("never calls itself, nor tools that are not about code", async () => {
    const { told } = await ask({ question: ISSUE, max_steps: 20 });
    const called = new Set(told.steps.map(({ tool }) => tool));
    expect([called.has(NAME), called.has("ci_index_status")]).toEqual([false, false]);
  });

  it("reports that nothing was found, and counts failed steps", async () => {
    const empty = makeIndexable(makeFolder({ "a.txt": "" }));
    const { told, result } = await ask({ question: ISSUE }, { of: empty, usesIndex: false });
    expect([result.status, told.candidates]).toEqual(["ok", []]);
    expect(told.conclusion).toContain("Nothing was found");
    const { told: bare } = await ask({ question: ISSUE }, { of: makeIndexable(repo.root), usesIndex: false });
    expect(bare.candidates.length).toBeGreaterThan(0);
    expect(bare.steps.some(({ status }) => status === "error")).toBe(true);
  });

  it("ends with its caller", async () => {
    const { result } = await ask({ question: ISSUE }, { signal: AbortSignal.abort() });
    expect(result.status).toBe("timeout");
  });

  it("[ATO-SEC-2] is never part of a plan", () => {
    const tool = makeRegistry(repo.engine()).find(({ name }) => name === NAME);
    expect(
      tool?.plan({ query: ISSUE, symbols: ["priceOf"], asked: [], wish: null, paths: [], error: ISSUE }),
    ).toBeNull();
  });
});

describe("[HOOK-5] [HOOK-6] [HOOK-10] hooks of an investigation", () => {
  it("run once before and after each step and the investigation itself, with the executed arguments", async () => {
    const folder = makeFolder();
    const log = (moment: string) => ({
      matcher: null,
      actions: [{ command: `printf '${moment} ' >> log; cat >> log; echo >> log`, timeoutMs: 10_000 }],
    });
    const { told } = await ask(
      { question: ISSUE, max_steps: 3 },
      { cwd: folder, hooks: { before: [log("before")], after: [log("after")], limits: [] } },
    );
    const seen = readFileSync(join(folder, "log"), "utf8")
      .trim()
      .split("\n")
      .map((line) => ({ moment: line.split(" ", 1)[0], ...JSON.parse(line.slice(line.indexOf("{"))) }));
    const own = { toolName: NAME, args: { question: ISSUE, max_steps: 3 } };
    const steps = told.steps.map((step) => ({ toolName: step.tool, args: step.arguments }));
    expect(seen.filter(({ moment }) => moment === "before")).toMatchObject([own, ...steps]);
    expect(seen.filter(({ moment }) => moment === "after")).toMatchObject([...steps, own]);
    expect(seen).toHaveLength(8);
  });

  it("a step that a hook blocks is not run; the others are", async () => {
    const matcher = [{ field: "toolName", pattern: "ci_search" }];
    const block = { matcher, actions: [{ command: "echo no >&2; exit 2", timeoutMs: 10_000 }] };
    const { told } = await ask({ question: ISSUE }, { hooks: { before: [block], after: [], limits: [] } });
    const status = (tool: string) => told.steps.filter((step) => step.tool === tool).map((step) => step.status);
    expect(status("ci_search")).toEqual(["error", "error"]);
    expect(status("ci_bug_locate")).toEqual(["ok"]);
    expect(told.candidates[0]?.file).toBe("src/price.ts");
  });
});

describe.each(["openai", "anthropic"] as const)("ci_investigate led by a model (%s)", (api) => {
  const KEY = "k-1234";
  const lead = async (
    turns: readonly ModelTurn[],
    args: Readonly<Record<string, unknown>> = {},
    more: AskOptions = {},
  ) => {
    await using server = await startScriptedModel(api, turns);
    const model = { endpoint: server.url, api, model: "scripted", key: KEY };
    const outcome = await ask({ question: ISSUE, ...args }, { model, ...more });
    return { ...outcome, requests: server.requests };
  };
  const SEARCH: ModelTurn = { calls: [["ci_search", { query: "price" }]], text: "Looking for prices." };
  const DONE: ModelTurn = {
    text: "The tax is wrong.\nsrc/rates.ts: the rate\nsrc/made-up.ts: no\nsrc/price.ts: the price",
  };

  it("makes its calls and concludes with its text", async () => {
    const { told, limits, requests } = await lead([
      SEARCH,
      {
        calls: [
          ["ci_call_chain", { symbol: "priceOf" }],
          ["ci_hotspot", {}],
        ],
      },
      DONE,
    ]);
    expect(limits).toEqual([]);
    expect(told.metadata).toEqual({ strategy: "model", model: "scripted", stopped_by: null });
    expect(told.steps).toMatchObject([
      { tool: "ci_search", arguments: { query: "price" }, status: "ok", why: "Looking for prices." },
      { tool: "ci_call_chain", arguments: { symbol: "priceOf" }, status: "ok" },
      { tool: "ci_hotspot", status: "ok" },
    ]);
    expect(told.conclusion).toContain("The tax is wrong.");
    expect(told.candidates.slice(0, 2).map(({ file }) => file)).toEqual(["src/rates.ts", "src/price.ts"]);
    expect(told.candidates.some(({ file }) => file === "src/made-up.ts")).toBe(false);
    expect(requests).toHaveLength(3);
    const [first] = requests;
    expect(first?.path).toBe(api === "openai" ? "/v1/chat/completions" : "/v1/messages");
    expect(first?.headers[api === "openai" ? "authorization" : "x-api-key"]).toContain(KEY);
    expect(JSON.stringify(first?.body["tools"])).toContain("ci_graph_rag");
    expect(JSON.stringify(first?.body["tools"])).not.toMatch(/ci_investigate|ci_index_status/);
    expect(JSON.stringify(requests[1]?.body["messages"])).toContain("src/price.ts");
  });

  it("sends no secrets", async () => {
    const secret = `Bearer ${"a1".repeat(10)}`;
    const { requests } = await lead([DONE], { question: `Why does ${secret} not open the cart?` });
    expect(JSON.stringify(requests[0]?.body)).toContain("Bearer <redacted>");
    expect(JSON.stringify(requests[0]?.body)).not.toContain("a1a1");
  });

  it("invalid calls are skipped steps, and it may go on", async () => {
    const { told } = await lead([
      {
        calls: [
          ["rm_rf", { path: "/" }],
          [NAME, { question: "again" }],
          ["ci_search", "no object"],
          ["ci_search", { query: 7 }],
        ],
      },
      DONE,
    ]);
    expect(told.steps.map(({ tool, status }) => [tool, status])).toEqual([
      ["rm_rf", "skipped"],
      [NAME, "skipped"],
      ["ci_search", "skipped"],
      ["ci_search", "skipped"],
    ]);
    expect(told.metadata.strategy).toBe("model");
  });

  it.each<[string, readonly ModelTurn[], string]>([
    ["an error", [(response) => response.writeHead(500).end("no")], "answered with an error"],
    ["a refused key", [SEARCH, (response) => response.writeHead(401).end("{}")], "answered with an error"],
    ["a redirect", [(response) => response.writeHead(302, { location: "/" }).end()], "answered with an error"],
    ["garbage", [(response) => response.end("<html>")], "answered with something that cannot be read"],
    ["another shape", [(response) => response.end("[1]")], "answered with something that cannot be read"],
    ["nothing to say", [{ text: " " }], "answered with something that cannot be read"],
    ["breaking off", [(response) => response.destroy()], "does not answer"],
    ["an endless loop", [SEARCH], "kept calling tools when no step was left"],
  ])("%s: is reported, and the rules answer", async (_, turns, said) => {
    const { told, limits, result } = await lead(turns, { max_steps: 4 });
    expect(limits).toEqual([`the model scripted ${said}; investigated by rules instead`]);
    expect([result.status, told.metadata.strategy]).toEqual(["ok", "rules"]);
    expect(told.candidates[0]?.file).toBe("src/price.ts");
    expect(told.steps.at(-4)?.tool).toBe("ci_bug_locate");
  });

  it("a hanging server leaves time for the rules", async () => {
    const { told, limits } = await lead(
      [() => {}],
      {},
      { ruleOf: ({ name }) => ({ timeoutMs: name === NAME ? 8_000 : 30_000, ceilings: {} }) },
    );
    expect(limits).toEqual(["the model scripted did not answer in time; investigated by rules instead"]);
    expect(told.candidates[0]?.file).toBe("src/price.ts");
  });

  it("a caller that goes away ends it", async () => {
    const { result } = await lead([() => {}], {}, { signal: AbortSignal.timeout(300) });
    expect(result.status).toBe("timeout");
  });
});

describe("[ATO-SEC-1] the address of a model", () => {
  it("nothing is sent if it is neither https nor on this machine", async () => {
    const model = { endpoint: "http://example.org/", api: "openai", model: "", key: "" } as const;
    const { limits, told } = await ask({ question: ISSUE, max_steps: 2 }, { model });
    expect(limits).toEqual(["the model does not answer; investigated by rules instead"]);
    expect(told.candidates[0]?.file).toBe("src/price.ts");
  });
});
