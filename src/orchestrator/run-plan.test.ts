import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { countUsualMs } from "../../tests/support/timed.ts";
import { systemClock } from "../base/clock.ts";
import { succeed } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { NO_TOOL_HOOKS } from "../contract/tool-hooks.ts";
import { makeRouter } from "../lifecycle/tool-router.ts";
import { runPlan } from "./run-plan.ts";
import { startTimeline } from "./timeline.ts";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Tools that each take the given time, and a count of how many ran at once. */
function makeTools(times: readonly number[]) {
  const seen = { now: 0, most: 0 };
  const tools = times.map(
    (ms, at): ToolDeclaration => ({
      name: `tool${at}`,
      summary: "",
      tier: 1,
      effect: "read",
      version: "1.0",
      timeoutMs: 5_000,
      input: () => z.object({}),
      ceilings: {},
      plan: () => null,
      run: async () => {
        seen.most = Math.max(seen.most, ++seen.now);
        await wait(ms);
        seen.now--;
        return succeed({ summary: `${at}`, data: {} });
      },
      toFindings: () => null,
    }),
  );
  return { seen, tools };
}

async function run(times: readonly number[], wallMs: number, maxConcurrency: number) {
  const { seen, tools } = makeTools(times);
  const planned = tools.map(({ name }) => ({ tool: name, tier: 1, reason: "", args: {}, timeout_ms: 5_000 }));
  const deps = {
    router: makeRouter(tools),
    hooks: NO_TOOL_HOOKS,
    cwd: "/",
    askUser: null,
    ruleOf: (tool: ToolDeclaration) => tool,
    root: "/",
    isExcluded: () => false,
    usesIndex: false,
    prompt: "",
    env: {},
    clock: systemClock,
  };
  const usualMs = countUsualMs();
  const outcomes = await runPlan(
    planned,
    { wallMs, maxConcurrency, timeline: startTimeline(systemClock) },
    deps,
    new AbortController().signal,
  );
  return {
    most: seen.most,
    ms: usualMs(),
    statuses: outcomes.map(({ result }) => `${result.tool} ${result.status}`),
  };
}

describe("[ATO-BUD-1] [ATO-BUD-2] running a plan", () => {
  it.each([1, 2, 3])("runs at most %d tools at once and answers in the order of the plan", async (maxConcurrency) => {
    const { most, statuses } = await run([60, 10, 30, 5, 20], 5_000, maxConcurrency);
    expect(most).toBe(maxConcurrency);
    expect(statuses).toEqual(["tool0 ok", "tool1 ok", "tool2 ok", "tool3 ok", "tool4 ok"]);
  });

  it("[ATO-FAIL-9] the wall clock ends running and waiting tools and keeps what is ready", async () => {
    const { ms, statuses } = await run([10, 3_000, 3_000, 10], 150, 2);
    expect(statuses).toEqual(["tool0 ok", "tool1 timeout", "tool2 timeout", "tool3 timeout"]);
    expect(ms).toBeLessThan(1_000);
  });
});
