import { describe, expect, it } from "vitest";
import { type ChainedResult, NO_PLACE, type SubAgentBounds, type ToolProgress } from "../contract/tool.ts";
import { type SubAgentSources, startSubAgent } from "./sub-agent-executor.ts";

const ok = (file: string): ChainedResult => ({
  status: "ok",
  summary: `found ${file}`,
  data: { candidates: [{ file }] },
  findings: [{ ...NO_PLACE, path: file, confidence: 1 }],
  error: "",
});
const BOUNDS: SubAgentBounds = { tools: ["look", "write"], maxSteps: 10, maxMs: 10_000, maxChars: 10_000 };

function start(bounds: Partial<SubAgentBounds> = {}, more: Partial<SubAgentSources> = {}) {
  const called: string[] = [];
  const told: ToolProgress[] = [];
  const endMs = performance.now() + 200_000;
  const agent = startSubAgent(
    { ...BOUNDS, ...bounds },
    {
      find: async (tool) => (tool === "look" ? { effect: "read" } : undefined),
      signal: new AbortController().signal,
      timeLeftMs: () => endMs - performance.now(),
      report: (progress) => told.push(progress),
      ...more,
      call: async (tool, args, signal) => {
        called.push(`${tool} ${JSON.stringify(args)}`);
        return more.call?.(tool, args, signal) ?? ok(`${called.length}.ts`);
      },
    },
  );
  return { agent, called, told };
}

describe("[HOOK-5] a sub-agent", () => {
  it("records each step with its arguments and reason, and reports progress", async () => {
    const { agent, told } = start();
    expect(await agent.step("look", { query: "q" }, "because")).toEqual(ok("1.ts"));
    expect(agent.steps()).toEqual([
      { tool: "look", arguments: { query: "q" }, status: "ok", why: "because", summary: "found 1.ts" },
    ]);
    expect(told).toEqual([{ done: 0, of: 10, message: "because" }]);
    expect(agent.stopped()).toBeNull();
  });

  it.each([
    ["that is not in its list", "other"],
    ["that nobody knows or that does not only read", "write"],
  ])("does not call a tool %s", async (_, tool) => {
    const { agent, called } = start();
    expect(await agent.step(tool, {}, "")).toMatchObject({ status: "skipped", data: null });
    expect(called).toEqual([]);
    expect(agent.steps()).toMatchObject([{ tool, status: "skipped" }]);
  });

  it("does not make the same call twice, so that repeated requests come to an end", async () => {
    const { agent, called } = start({ maxSteps: 100 });
    let asked = 0;
    while ((await agent.step("look", { query: "q" }, "")) !== null) asked++;
    expect([asked, called.length, agent.stopped()]).toEqual([5, 1, "nothing new"]);
  });

  it("stops when steps find no new place", async () => {
    const { agent } = start({ maxSteps: 100 }, { call: async () => ok("same.ts") });
    for (let at = 0; (await agent.step("look", { at }, "")) !== null; ) at++;
    expect([agent.steps().length, agent.stopped()]).toEqual([5, "nothing new"]);
  });

  it.each([
    ["steps", { maxSteps: 2 }, 2],
    ["size", { maxChars: 50 }, 2],
    ["time", { maxMs: 0 }, 0],
  ] as const)("stops at its %s", async (stopped, bounds, taken) => {
    const { agent, called } = start(bounds);
    for (let at = 0; (await agent.step("look", { at }, "")) !== null; ) at++;
    expect([agent.stopped(), agent.steps().length, called.length]).toEqual([stopped, taken, taken]);
  });

  it("ends a hanging call at its time limit, and ends with its caller", async () => {
    const hang: SubAgentSources["call"] = (_tool, _args, signal) =>
      new Promise((resolve) => {
        const end = () => resolve({ status: "timeout", summary: "", data: null, findings: null, error: "late" });
        if (signal.aborted) end();
        else signal.addEventListener("abort", end);
      });
    const { agent } = start({ maxMs: 50 }, { call: hang });
    expect(await agent.step("look", {}, "")).toMatchObject({ status: "timeout" });
    expect(agent.stopped()).toBe("time");
    const caller = new AbortController();
    const { agent: left } = start({}, { call: hang, signal: caller.signal });
    const running = left.step("look", {}, "");
    caller.abort();
    expect(await running).toMatchObject({ status: "timeout" });
    expect([left.stopped(), await left.step("look", { again: 1 }, "")]).toEqual(["cancelled", null]);
  });
});
