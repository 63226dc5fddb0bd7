import { hashHex } from "../base/hash.ts";
import { sliceWhole, toOneLine } from "../base/text.ts";
import type { Settings } from "../config/settings.ts";
import { factsOf } from "../contract/clients.ts";
import { LIMITS, type Limit, readLimitsText } from "../contract/limits.ts";
import type { RunDocument } from "../contract/run-document.ts";
import type { RunDetail, RunDoor, RunOutcome, RunRow, TimelinePart } from "../contract/run-history.ts";
import { defang } from "../safety/defang/defang.ts";
import { redact } from "../safety/redact/redact.ts";
import { cutDocument } from "./cut-document.ts";
import { makeKey } from "./key.ts";

/** A finished run. */
export interface EndedRun {
  readonly door: RunDoor;
  readonly document: RunDocument;
  /** The limits of the document's `limits_text`, as values. */
  readonly limits: readonly Limit[];
  /** Exactly the text that the model was given. */
  readonly injected: string;
  readonly isGuess: boolean;
  readonly timeline: readonly TimelinePart[];
  /** Start time in milliseconds since the epoch. */
  readonly startMs: number;
  readonly durationMs: number;
  /** The repository, used if the document names none. */
  readonly root: string;
  readonly history: Exclude<Settings["history"], "off">;
}

/** The kept data of a run, as one line of the spool. */
export interface RunRecord {
  readonly row: Omit<RunRow, "verdict">;
  /** Start time in milliseconds since the epoch. */
  readonly at: number;
  /** Equal for equal questions in the same repository; empty if the question was not about code. */
  readonly hash: string;
  /** Codes of its limits. */
  readonly codes: readonly string[];
  /** Names of the tools that failed. */
  readonly failed: readonly string[];
  /** Absent if only the row is kept. */
  readonly detail?: Omit<RunDetail, "row">;
}

/** Maximum number of characters of a prompt that are searched; lists show fewer. */
const MAX_PROMPT_CHARS = 2_000;
const MAX_LIMITS = 20;

/**
 * Creates the record of a run. Contract: pure except for the key; contains the text of a prompt only if tools were
 * planned for it and the setting allows it, and then without secrets.
 */
export function toRecord(run: EndedRun): RunRecord {
  const { document, injected, startMs } = run;
  const { inputs, tool_plan } = document;
  // With auto_tools: on, tools are planned for any prompt.
  const intent = document.task_context?.intent_analysis.primary_intent;
  const isAboutCode = tool_plan.tools.length > 0 && intent !== "none";
  const isText = isAboutCode && run.history === "full";
  const clean = isText ? redact(defang(inputs.prompt)).text : "";
  const outcome = toRunOutcome(run);
  const row = {
    key: makeKey(startMs),
    run_id: document.run_id,
    created_at: new Date(startMs).toISOString(),
    repo: inputs.repo_root ?? run.root,
    door: run.door,
    client: document.client.name,
    intent: intent ?? "none",
    outcome,
    injected_chars: injected.length,
    duration_ms: Math.round(run.durationMs * 10) / 10,
    tools: listTools(document),
    limits: toLimits(document),
    reason: outcome === "silent" ? whySilent(run.limits) : "",
    prompt: sliceWhole(toOneLine(clean), MAX_PROMPT_CHARS),
  };
  const about = {
    row,
    at: startMs,
    hash: isAboutCode ? hashQuestion(inputs.prompt, row.repo) : "",
    codes: [...new Set(run.limits.map(({ code }) => code))],
    failed: listFailed(document),
  };
  if (!isText) return about;
  const { kept, cut } = cutDocument({ ...document, inputs: { ...inputs, prompt: clean } });
  const client_max = run.door === "hook" ? factsOf(document.client.name).max : 0;
  return { ...about, detail: { document: kept, injected, client_max, timeline: run.timeline, cut } };
}

/** Returns the outcome of a run. */
export function toRunOutcome({ document, isGuess }: Pick<EndedRun, "document" | "isGuess">): RunOutcome {
  if (document.run_id.startsWith("plan-")) return document.tool_plan.tools.length > 0 ? "plan" : "silent";
  // Not `injected`, which is never empty for Codex: it always gets the run's id.
  if (document.fused_context.for_model.additional_context !== "") return isGuess ? "guess" : "evidence";
  const { is_degraded, reason } = document.degraded;
  return is_degraded && /\bE_[A-Z]/.test(reason) ? "failed" : "silent";
}

/** Limits that end a run before there is anything to inject, or after nothing was found. */
const SILENCING: readonly Limit["code"][] = ["off", "notCode", "nothingFound", "emptyPrompt", "inputInvalid"];

/** Returns the limit that explains why a run injected nothing; the others are incidental. */
function whySilent(limits: readonly Limit[]): string {
  const why = limits.find(({ code }) => SILENCING.includes(code)) ?? limits[0] ?? LIMITS.nothingFound();
  return why.text;
}

/** Returns the tools that ran; for a plan, those that would run. */
function listTools({ tool_results, tool_plan }: RunDocument): string[] {
  const ran = tool_results.filter(({ status }) => status !== "skipped").map(({ tool }) => tool);
  return [...new Set(ran.length > 0 ? ran : tool_plan.tools.map(({ tool }) => tool))];
}

function listFailed({ tool_results }: RunDocument): string[] {
  const failed = tool_results.filter(({ status }) => status !== "ok" && status !== "skipped");
  return [...new Set(failed.map(({ tool }) => tool))];
}

function toLimits({ fused_context }: RunDocument): string[] {
  return readLimitsText(fused_context.for_user.limits_text)
    .slice(0, MAX_LIMITS)
    .map(({ text }) => text);
}

function hashQuestion(prompt: string, repo: string): string {
  return hashHex([toOneLine(prompt).toLowerCase(), repo], 16);
}
