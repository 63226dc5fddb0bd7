import { describe, expect, it } from "vitest";
import { LIMITS, type Limit } from "../contract/limits.ts";
import { makeDocument, makeRun, withoutEvidence } from "./ended-run.test-helper.ts";
import { toRecord } from "./record.ts";

const nothingPlanned = { tier_max: 0, budget: { wall_ms: 0, max_concurrency: 0, max_injected_chars: 0 }, tools: [] };

describe("[K 1] [AC-015] the record of a run", () => {
  it("contains the row, the document, the injected bytes and the times", () => {
    const { row, at, hash, detail } = toRecord(makeRun("where is parseToken?"));
    expect(row).toMatchObject({
      run_id: "20260102-030405-abc123",
      created_at: "2026-01-02T03:04:05.678Z",
      repo: "/repo",
      door: "hook",
      client: "claude-code",
      outcome: "evidence",
      injected_chars: 8,
      duration_ms: 120.3,
      tools: ["ci_search"],
      limits: ["one", "two"],
      prompt: "where is parseToken?",
    });
    expect(at).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(detail?.document?.inputs.prompt).toBe("where is parseToken?");
    expect(detail).toMatchObject({ injected: "evidence", client_max: 9_500, cut: [] });
    expect(detail?.timeline).toHaveLength(1);
  });

  it("hides secrets of the prompt everywhere", () => {
    const record = toRecord(makeRun("why does login fail? password=hunter2horse99"));
    expect(record.row.prompt).toContain("<redacted>");
    expect(record.detail?.document?.inputs.prompt).toContain("<redacted>");
  });

  it("contains neither prompt nor document if nothing was planned, because such a prompt is not about code", () => {
    const document = withoutEvidence(
      makeDocument("my mother's birthday", { tool_plan: nothingPlanned, tool_results: [] }),
    );
    const record = toRecord(makeRun("my mother's birthday", { document, injected: "" }));
    expect(JSON.stringify(record)).not.toContain("birthday");
    expect(record).toMatchObject({ hash: "", row: { outcome: "silent", tools: [], prompt: "" } });
    expect(record.detail).toBeUndefined();
  });

  it("contains no text of a prompt that is not about code, even if tools run for every prompt", () => {
    const task_context = { intent_analysis: { primary_intent: "none" }, relevant_snippets: [], call_chains: [] };
    const document = makeDocument("my mother's birthday", { task_context });
    const record = toRecord(makeRun("my mother's birthday", { document }));
    expect(JSON.stringify(record)).not.toContain("birthday");
    expect(record.row).toMatchObject({ outcome: "evidence", tools: ["ci_search"] });
  });

  it("contains only a hash and counts with no-prompts", () => {
    const record = toRecord(makeRun("where is parseToken?", { history: "no-prompts" }));
    expect(JSON.stringify(record)).not.toContain("parseToken");
    expect(record.hash).not.toBe("");
    expect(record.row).toMatchObject({ injected_chars: 8, tools: ["ci_search"] });
  });

  it("has the same hash only for the same question in the same repository", () => {
    const hashOf = (prompt: string, repo: string) =>
      toRecord(
        makeRun(prompt, { document: makeDocument(prompt, { inputs: { prompt, signals: [], repo_root: repo } }) }),
      ).hash;
    expect(hashOf("Where is  x?", "/a")).toBe(hashOf("where is x?", "/a"));
    expect(hashOf("where is x?", "/a")).not.toBe(hashOf("where is x?", "/b"));
  });

  it.each([
    ["guess", { isGuess: true }, makeDocument("q")],
    ["plan", { injected: "" }, withoutEvidence(makeDocument("q", { run_id: "plan-123456789012" }))],
    ["silent", { injected: "" }, withoutEvidence(makeDocument("q"))],
    [
      "failed",
      { injected: "" },
      withoutEvidence(
        makeDocument("q", { degraded: { is_degraded: true, reason: "E_CONFIG: broken", degraded_to: "empty" } }),
      ),
    ],
  ])("has the outcome %s", (outcome, changes, document) => {
    expect(toRecord(makeRun("q", { ...changes, document })).row.outcome).toBe(outcome);
  });

  it("says why nothing was injected: the limit that silenced the run, whatever else was left out", () => {
    const silent = { document: withoutEvidence(makeDocument("q")), injected: "" };
    const reasonOf = (...limits: Limit[]) => toRecord(makeRun("q", { ...silent, limits })).row.reason;
    expect(reasonOf(LIMITS.noGitRoot(), LIMITS.off("environment"), LIMITS.legacy())).toBe(
      "switched off (CI_AUTO_TOOLS=off)",
    );
    expect(reasonOf(LIMITS.legacy(), LIMITS.noGitRoot())).toBe(LIMITS.legacy().text);
    expect(reasonOf()).toBe(LIMITS.nothingFound().text);
    expect(toRecord(makeRun("q")).row.reason).toBe("");
  });

  it("has a unique key that sorts by time", () => {
    const keys = Array.from({ length: 200 }, (_, at) => toRecord(makeRun("q", { startMs: 1_000_000 + at })).row.key);
    expect(new Set(keys).size).toBe(200);
    expect(keys.toSorted()).toEqual(keys);
    expect(keys.every((key) => key.length === 26)).toBe(true);
  });

  it("drops the largest data of a document beyond 256 kB first, and says so", () => {
    const [result] = makeDocument("q").tool_results;
    const large = { ...result, tool: "ci_large", data: { text: "x".repeat(300_000) } };
    const small = { ...result, tool: "ci_small", data: { text: "y".repeat(1_000) } };
    const document = makeDocument("q", { tool_results: [large, small] as never });
    const { detail } = toRecord(makeRun("q", { document }));
    expect(detail?.cut).toEqual(["data of ci_large (293 kB)"]);
    expect(detail?.document?.tool_results.map(({ data }) => JSON.stringify(data).length > 100)).toEqual([false, true]);
    expect(JSON.stringify(detail?.document).length).toBeLessThan(256 * 1024);
  });

  it("keeps every document within 256 kB, whichever part is long", () => {
    const long = "界".repeat(400_000);
    for (const document of [makeDocument(long), makeDocument("q", { project_profile: { name: long } as never })]) {
      const { detail } = toRecord(makeRun("q", { document }));
      expect(JSON.stringify(detail?.document).length).toBeLessThan(256 * 1024);
      expect(detail?.cut.length).toBeGreaterThan(0);
    }
  });
});
