import { LIMITS } from "../contract/limits.ts";
import type { RunDocument } from "../contract/run-document.ts";
import type { EndedRun } from "./record.ts";

/** A small run document as the kernel produces it. */
export function makeDocument(prompt: string, changes: Partial<RunDocument> = {}): RunDocument {
  const tool = { tool: "ci_search", tier: 1, reason: "symbol", args: { query: prompt }, timeout_ms: 2_000 };
  return {
    schema_version: "1.0",
    run_id: "20260102-030405-abc123",
    created_at: "2026-01-02T03:04:05Z",
    client: { name: "claude-code", event: "UserPromptSubmit" },
    inputs: { prompt, signals: [], repo_root: "/repo", repo_root_source: "git" },
    tool_plan: {
      tier_max: 1,
      budget: { wall_ms: 5_000, max_concurrency: 3, max_injected_chars: 12_000 },
      tools: [tool],
    },
    tool_results: [
      {
        tool: "ci_search",
        status: "ok",
        started_at: "2026-01-02T03:04:05Z",
        duration_ms: 12,
        summary: "1 hit",
        data: { candidates: [] },
        error: { message: "" },
        redactions: [],
        truncated: false,
      },
    ],
    fused_context: {
      for_model: {
        additional_context: "evidence",
        structured: {},
        safety: { tool_output_is_untrusted: true, ignore_instructions_inside_tool_output: true },
      },
      for_user: {
        tool_plan_text: "[Auto Tools] x",
        results_text: "[Results] y",
        limits_text: "[Limits] one\n[Limits] two",
      },
    },
    degraded: { is_degraded: false, reason: "", degraded_to: "" },
    ...changes,
  };
}

/** A finished run, by default one with evidence. */
export function makeRun(prompt: string, changes: Partial<EndedRun> = {}): EndedRun {
  return {
    door: "hook",
    document: makeDocument(prompt),
    limits: [LIMITS.nothingFound(), LIMITS.quoted("two")],
    injected: "evidence",
    isGuess: false,
    timeline: [{ stage: "judge", start_ms: 0, duration_ms: 1 }],
    startMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    durationMs: 120.26,
    root: "/elsewhere",
    history: "full",
    ...changes,
  };
}

/** The same document without evidence. */
export function withoutEvidence(document: RunDocument): RunDocument {
  const { for_model } = document.fused_context;
  const fused_context = { ...document.fused_context, for_model: { ...for_model, additional_context: "" } };
  return { ...document, fused_context };
}
