import { describe, expect, it } from "vitest";
import { makeDocument, makeRun, withoutEvidence } from "./ended-run.test-helper.ts";
import { toRecord } from "./record.ts";

const nothingPlanned = { tier_max: 0, budget: { wall_ms: 0, max_concurrency: 0, max_injected_chars: 0 }, tools: [] };

describe("[K 1] [AC-015] what is kept of a run", () => {
  it("keeps row, document, injected bytes and times", () => {
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

  it("hides secrets in the prompt, wherever it stands", () => {
    const record = toRecord(makeRun("why does login fail? password=hunter2horse99"));
    expect(record.row.prompt).toContain("<redacted>");
    expect(record.detail?.document?.inputs.prompt).toContain("<redacted>");
  });

  it("keeps neither prompt nor document where nothing was planned: a prompt that is not about code is no text of ours", () => {
    const document = withoutEvidence(
      makeDocument("my mother's birthday", { tool_plan: nothingPlanned, tool_results: [] }),
    );
    const record = toRecord(makeRun("my mother's birthday", { document, injected: "" }));
    expect(JSON.stringify(record)).not.toContain("birthday");
    expect(record).toMatchObject({ hash: "", row: { outcome: "silent", tools: [], prompt: "" } });
    expect(record.detail).toBeUndefined();
  });

  it("keeps no text of a prompt that is not about code either where tools run for every prompt", () => {
    const task_context = { intent_analysis: { primary_intent: "none" }, relevant_snippets: [], call_chains: [] };
    const document = makeDocument("my mother's birthday", { task_context });
    const record = toRecord(makeRun("my mother's birthday", { document }));
    expect(JSON.stringify(record)).not.toContain("birthday");
    expect(record.row).toMatchObject({ outcome: "evidence", tools: ["ci_search"] });
  });

  it("no-prompts keeps a hash and the counts alone", () => {
    const record = toRecord(makeRun("where is parseToken?", { history: "no-prompts" }));
    expect(JSON.stringify(record)).not.toContain("parseToken");
    expect(record.hash).not.toBe("");
    expect(record.row).toMatchObject({ injected_chars: 8, tools: ["ci_search"] });
  });

  it("the same question in the same repository has the same hash, in another one another", () => {
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
  ])("an outcome is told: %s", (outcome, changes, document) => {
    expect(toRecord(makeRun("q", { ...changes, document })).row.outcome).toBe(outcome);
  });

  it("keys are unique and sort by time", () => {
    const keys = Array.from({ length: 200 }, (_, at) => toRecord(makeRun("q", { startMs: 1_000_000 + at })).row.key);
    expect(new Set(keys).size).toBe(200);
    expect(keys.toSorted()).toEqual(keys);
    expect(keys.every((key) => key.length === 26)).toBe(true);
  });

  it("a document beyond 256 kB loses the largest data first, and says so", () => {
    const [result] = makeDocument("q").tool_results;
    const large = { ...result, tool: "ci_large", data: { text: "x".repeat(300_000) } };
    const small = { ...result, tool: "ci_small", data: { text: "y".repeat(1_000) } };
    const document = makeDocument("q", { tool_results: [large, small] as never });
    const { detail } = toRecord(makeRun("q", { document }));
    expect(detail?.cut).toEqual(["data of ci_large (293 kB)"]);
    expect(detail?.document?.tool_results.map(({ data }) => JSON.stringify(data).length > 100)).toEqual([false, true]);
    expect(JSON.stringify(detail?.document).length).toBeLessThan(256 * 1024);
  });

  it("whatever is long, the document stays within 256 kB", () => {
    const long = "界".repeat(400_000);
    for (const document of [makeDocument(long), makeDocument("q", { project_profile: { name: long } as never })]) {
      const { detail } = toRecord(makeRun("q", { document }));
      expect(JSON.stringify(detail?.document).length).toBeLessThan(256 * 1024);
      expect(detail?.cut.length).toBeGreaterThan(0);
    }
  });
});
