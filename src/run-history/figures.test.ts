import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import type { RunDocument } from "../contract/run-document.ts";
import { makeDocument, makeRun } from "./ended-run.test-helper.ts";
import { type CountedRun, countFigures } from "./figures.ts";
import { type EndedRun, type RunRecord, toRecord } from "./record.ts";

const TOOLS = ["ci_search", "ci_impact"];

/** A record as the store returns it. */
function toCounted({ row, at, codes, failed }: RunRecord, more: Partial<CountedRun> = {}): CountedRun {
  const lists = { tools: JSON.stringify(row.tools), codes: JSON.stringify(codes), failed: JSON.stringify(failed) };
  return { ...row, ...lists, at, verdict: null, isOnlyVerdict: false, ...more };
}

const counted = (changes: Partial<EndedRun> = {}, more: Partial<CountedRun> = {}) =>
  toCounted(toRecord(makeRun("where is parseToken?", changes)), more);

describe("figures of runs for a team", () => {
  it("[T-14] outcomes, doors, clients, tools and how often they fail, limits, times, characters and verdicts, per day in UTC", () => {
    const [result] = makeDocument("q").tool_results;
    const document = makeDocument("q", {
      tool_results: [
        { ...result, status: "timeout" },
        { ...result, tool: "ci_impact" },
      ] as RunDocument["tool_results"],
    });
    const late = Date.UTC(2026, 0, 2, 23, 59, 59, 999);
    const runs = [
      counted({ durationMs: 5 }),
      counted({ document, startMs: late, durationMs: 999_999, limits: [LIMITS.fault("E_TIMEOUT", "ci_search")] }),
      counted({ startMs: late + 1, isGuess: true, door: "codex", limits: [] }, { verdict: "useful" }),
      counted({ startMs: late + 1 }, { verdict: "useless", isOnlyVerdict: true }),
    ];
    expect(countFigures(runs, TOOLS)).toEqual([
      {
        day: "2026-01-02",
        counts: {
          "client.claude-code": 2,
          "door.hook": 2,
          "failed.ci_search": 1,
          "injected.chars": 16,
          "limit.E_TIMEOUT": 1,
          "limit.nothingFound": 1,
          "limit.quoted": 1,
          "outcome.evidence": 2,
          "time.300000": 1,
          "time.5": 1,
          "tool.ci_impact": 1,
          "tool.ci_search": 2,
        },
      },
      {
        day: "2026-01-03",
        counts: {
          "client.claude-code": 1,
          "door.codex": 1,
          "injected.chars": 8,
          "outcome.guess": 1,
          "time.150": 1,
          "tool.ci_search": 1,
          "verdict.useful": 1,
          "verdict.useless": 1,
        },
      },
    ]);
  });

  it("[T-14] contain no text, path or name, whatever the history contains", () => {
    const bad = "/home/miller/secret-shop.AKIAIOSFODNN7EXAMPLE";
    const hostile = [
      bad,
      "__proto__",
      "constructor",
      "toString",
      "ci_search\u0000x",
      "outcome.evidence",
      "",
      "ci_searc",
    ];
    const runs = hostile.map((text) => ({
      ...counted(),
      ...{ repo: text, run_id: text, intent: text, prompt: text, hash: text, key: text },
      ...({ door: text, client: text, outcome: text, verdict: text } as unknown as Partial<CountedRun>),
      tools: JSON.stringify([text, `${text}2`, "mcp__github__issues"]),
      codes: JSON.stringify([text]),
      failed: JSON.stringify([text]),
      limits: JSON.stringify([text]),
    }));
    expect(countFigures(runs, TOOLS)).toEqual([
      {
        day: "2026-01-02",
        counts: {
          "client.other": 8,
          "door.other": 8,
          "failed.other": 8,
          "injected.chars": 64,
          "limit.other": 8,
          "outcome.other": 8,
          "time.150": 8,
          "tool.other": 8,
          "verdict.other": 8,
        },
      },
    ]);
  });
});
