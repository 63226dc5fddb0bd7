import type { RunDocument, ToolResult } from "../contract/run-document.ts";

/** Maximum length of a document's JSON in characters. */
const MAX_CHARS = 256 * 1024;
/** If a document is too long, its prompt is cut to this length. */
const MAX_PROMPT_CHARS = 16 * 1024;

/** A document within the size limit, and what was removed from it. */
interface CutDocument {
  readonly kept: RunDocument;
  /** Removed parts, in words. */
  readonly cut: readonly string[];
}

/**
 * Reduces a document to the size limit. Removes the data of the largest tool results first, then the end of the prompt,
 * then everything that is not needed to tell what happened. Contract: the result is a run document; `cut` lists what
 * was removed.
 */
export function cutDocument(document: RunDocument): CutDocument {
  const cut: string[] = [];
  let kept = document;
  let size = sizeOf(kept);
  const bySize = document.tool_results.map((result) => ({ result, size: sizeOf(result.data ?? {}) }));
  for (const { result } of bySize.toSorted((a, b) => b.size - a.size)) {
    if (size <= MAX_CHARS) break;
    kept = { ...kept, tool_results: kept.tool_results.map((own) => (own === result ? withoutData(own) : own)) };
    cut.push(`data of ${result.tool} (${Math.round(sizeOf(result.data ?? {}) / 1024)} kB)`);
    size = sizeOf(kept);
  }
  const { prompt } = kept.inputs;
  if (size > MAX_CHARS && prompt.length > MAX_PROMPT_CHARS) {
    kept = { ...kept, inputs: { ...kept.inputs, prompt: prompt.slice(0, MAX_PROMPT_CHARS).toWellFormed() } };
    cut.push(`the prompt after ${MAX_PROMPT_CHARS} characters`);
    size = sizeOf(kept);
  }
  if (size <= MAX_CHARS) return { kept, cut };
  return { kept: toSkeleton(kept), cut: [...cut, "findings, excerpts and arguments"] };
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

function withoutData({ data, ...rest }: ToolResult): ToolResult {
  return { ...rest, ...(data === undefined ? {} : { data: {} }), truncated: true };
}

/** Keeps only parts whose length a hostile orchestrator cannot inflate. */
function toSkeleton(document: RunDocument): RunDocument {
  const { for_model } = document.fused_context;
  return {
    schema_version: document.schema_version,
    run_id: document.run_id.slice(0, 200),
    created_at: document.created_at.slice(0, 40),
    client: { name: document.client.name, event: document.client.event },
    inputs: { prompt: document.inputs.prompt.slice(0, MAX_PROMPT_CHARS).toWellFormed(), signals: [] },
    tool_plan: { tier_max: 0, budget: { wall_ms: 0, max_concurrency: 0, max_injected_chars: 0 }, tools: [] },
    tool_results: [],
    fused_context: {
      for_model: { additional_context: "", structured: {}, safety: for_model.safety },
      for_user: { tool_plan_text: "", results_text: "", limits_text: "" },
    },
    degraded: { is_degraded: false, reason: "", degraded_to: "" },
  };
}
