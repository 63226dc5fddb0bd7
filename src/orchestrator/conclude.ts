import type { LoadedSettings } from "../config/load-settings.ts";
import { FAULTS, toExitCode } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { RunDocument, ToolResult } from "../contract/run-document.ts";
import { type GuardPolicy, guardLimits, guardOwn } from "../lifecycle/guard.ts";
import type { ToolOutcome } from "../lifecycle/tool-outcome.ts";
import { sumRedactions } from "../safety/redact/redact.ts";
import { type KernelAnswer, makeDocument } from "./document.ts";
import { type Fused, type FusedFinding, fuse } from "./fuse.ts";
import type { Judgement, Prompt } from "./judge.ts";
import { type Evidence, splitGiven, type Turn } from "./memory.ts";
import { toFindings } from "./normalise.ts";
import type { Plan } from "./plan.ts";
import { type Block, fitsClient, renderBlock, renderGuess, renderPlanText, renderResultsText } from "./render.ts";
import { readSnippets, type Snippets } from "./snippets.ts";
import type { Timeline } from "./timeline.ts";

/** A run whose tools have finished. */
interface FinishedRun {
  readonly prompt: Prompt;
  readonly loaded: LoadedSettings;
  readonly policy: GuardPolicy;
  readonly judgement: Judgement;
  readonly plan: Plan;
  readonly outcomes: readonly ToolOutcome[];
  /** Null in plan mode, in which no time is shown and no file is read. */
  readonly nowMs: number | null;
  readonly limits: readonly Limit[];
  /** Messages for the person that do not depend on the findings. */
  readonly notices: readonly Limit[];
  /** Earlier turns of the session whose evidence is already in the conversation; it is named, not repeated. */
  readonly earlier: readonly Turn[];
  readonly timeline: Timeline;
}

interface Conclusion {
  readonly answer: KernelAnswer;
  /** All findings, ordered by relevance. */
  readonly findings: readonly FusedFinding[];
  /** The evidence that the block contains. */
  readonly shown: Evidence;
}

const NO_SNIPPETS: Snippets = { items: [], redactions: [], limits: [] };

/**
 * Fuses the findings of the tools and renders the document. Contract: every loss on the way is reported in its limits.
 */
export function concludeRun(run: FinishedRun): Conclusion {
  const { prompt, loaded, judgement, plan, outcomes, nowMs } = run;
  const { settings, root } = loaded;
  const results = outcomes.map(({ result }) => result);
  const fused = fuseOutcomes(outcomes);
  const snippets =
    nowMs === null || isGuess(outcomes, fused) ? NO_SNIPPETS : readSnippets(fused.byRelevance, run.policy);
  const limits = guardLimits([...run.limits, ...collectLimits(run, fused, snippets)]);
  const planText = renderPlanText(
    plan.tools,
    judgement.analysis.intent === null ? "asked for every prompt" : guardOwn(judgement.analysis.why),
  );
  const block = renderWithin(run, fused, snippets, limits, planText.split("\n")[0] ?? "");
  // "Not found" is an answer of a tool, not a failure.
  const failed = outcomes.filter(({ fault }) => fault !== null && fault.isAnswer !== true);
  const document = makeDocument({
    prompt,
    judgement,
    root,
    plan: {
      tier_max: plan.tools.length === 0 && plan.rejected.length === 0 ? 0 : settings.tierMax,
      planned_codex_command: settings.sessionMode === "exec" ? "codex exec" : "codex exec resume --last",
      budget: {
        wall_ms: plan.wallMs,
        max_concurrency: settings.maxConcurrency,
        max_injected_chars: settings.maxInjectedChars,
      },
      tools: [...plan.tools],
    },
    results: results.map((result) => markTruncated(result, block.exceededBy)),
    additionalContext: block.text,
    findings: fused.byKey,
    snippets: snippets.items,
    recommended: plan.recommended,
    planText,
    resultsText: renderResultsText(fused.byKey, fused.total),
    limits: block.limits,
    degraded: toDegraded(failed, outcomes.length, block.exceededBy.size > 0),
    legacy: settings.legacy,
    nowMs,
  });
  const codes = failed.flatMap(({ fault }) => fault?.code ?? []);
  const exitCode = toExitCode(block.exceededBy.size > 0 ? [...codes, "E_BUDGET_EXCEEDED"] : codes);
  const notices = guardLimits([...run.notices, ...(block.text === "" ? toReasons(run) : [])]);
  const { limits: told, unsaid } = block;
  run.timeline.end("conclude");
  const trace = { history: settings.history, timeline: run.timeline.parts, isGuess: isGuess(outcomes, fused) };
  return {
    answer: { document, exitCode, limits: told, unsaid, notices, trace },
    findings: fused.byRelevance,
    shown: block.shown,
  };
}

/** If nothing is injected, tells the person what would have changed that. Contract: empty if nothing was planned. */
function toReasons({ plan, loaded, notices }: FinishedRun): Limit[] {
  if (plan.tools.length === 0) return [];
  const reasons = [loaded.settings.legacy && LIMITS.legacy(), plan.isHeldBack && LIMITS.tier2Disabled()];
  return reasons.filter((reason) => reason !== false).filter(({ code }) => !notices.some((told) => told.code === code));
}

function fuseOutcomes(outcomes: readonly ToolOutcome[]): Fused {
  const sources = new Map(outcomes.map(({ result, version }) => [result.tool, { at: result.started_at, version }]));
  const findings = outcomes.flatMap(toFindings);
  return fuse(findings, (tool) => sources.get(tool) ?? { at: "-", version: "-" });
}

function collectLimits({ outcomes, plan }: FinishedRun, fused: Fused, snippets: Snippets): Limit[] {
  const limits = [...outcomes.flatMap((outcome) => outcome.limits), ...snippets.limits, ...fused.limits];
  const hidden = sumRedactions([...outcomes.map(({ result }) => result.redactions), snippets.redactions]);
  const count = hidden.reduce((sum, redaction) => sum + redaction.count, 0);
  if (count > 0) limits.push(LIMITS.redacted(count, hidden.map(({ kind }) => kind).join(", ")));
  const searched = outcomes.length > 0 && plan.tools.some(({ tier }) => tier > 0);
  if (searched && fused.total === 0) limits.push(LIMITS.nothingFound());
  return limits;
}

interface BlockWithin {
  readonly text: string;
  readonly limits: readonly Limit[];
  /** The subset of the limits that the text does not mention. */
  readonly unsaid: readonly Limit[];
  /** Tools that lost text to `max_injected_chars`; the client's own cap does not count. */
  readonly exceededBy: ReadonlySet<string>;
  readonly shown: Evidence;
}

function renderWithin(
  { prompt, loaded, plan, outcomes, earlier }: FinishedRun,
  fused: Fused,
  snippets: Snippets,
  limits: readonly Limit[],
  planLine: string,
): BlockWithin {
  const status = outcomes.find(({ result }) => result.data?.["index_status"])?.result.data?.["index_status"];
  // Only the output of a hook certainly becomes part of the conversation.
  const known = prompt.client.event === "UserPromptSubmit" ? earlier : [];
  const {
    findings,
    snippets: excerpts,
    withheld,
  } = splitGiven({ findings: fused.byRelevance, snippets: snippets.items }, known);
  const parts = {
    prompt: prompt.text,
    findings,
    snippets: excerpts,
    withheld,
    total: fused.total - (fused.byRelevance.length - findings.length),
    indexStatus: typeof status === "string" ? status : "",
  };
  const fitsBudget = (text: string) => text.length <= loaded.settings.maxInjectedChars;
  const fits = fitsClient(prompt.client, planLine);
  if (isGuess(outcomes, fused)) {
    // A guess is too short to include its limits.
    const silent = { limits, unsaid: limits, exceededBy: new Set<string>() };
    if (plan.isUnmet) return { ...silent, text: "", shown: { findings: [], snippets: [] } };
    const { text, shown } = renderGuess({ ...parts, limits }, planLine, (block) => fitsBudget(block) && fits(block));
    return { ...silent, text, shown: { findings: findings.slice(0, shown), snippets: [] } };
  }
  const whole: Block = renderBlock({ ...parts, limits }, fitsBudget);
  const exceeded = whole.droppedTools.size > 0 ? [LIMITS.fault("E_BUDGET_EXCEEDED")] : [];
  const told = [...limits, ...exceeded];
  const block = renderBlock({ ...parts, limits: told }, (text) => fitsBudget(text) && fits(text));
  const capped = block.shown < whole.shown ? [LIMITS.clientCap(block.shown, findings.length)] : [];
  const all = [...told, ...capped];
  return {
    text: block.text,
    limits: all,
    unsaid: block.text === "" ? all : capped,
    exceededBy: whole.droppedTools,
    shown: { findings: findings.slice(0, block.shown), snippets: excerpts.slice(0, block.shownSnippets) },
  };
}

/** True if all findings come from tools that only guess. */
function isGuess(outcomes: readonly ToolOutcome[], { byRelevance }: Fused): boolean {
  const guessing = new Set(
    outcomes.filter(({ result }) => result.data?.["grade"] === "guess").map(({ result }) => result.tool),
  );
  return byRelevance.length > 0 && byRelevance.every(({ tool }) => guessing.has(tool));
}

function markTruncated(result: ToolResult, dropped: ReadonlySet<string>): ToolResult {
  if (!dropped.has(result.tool)) return result;
  const error = { message: FAULTS.E_BUDGET_EXCEEDED.limit, code: "E_BUDGET_EXCEEDED" };
  return { ...result, truncated: true, error: result.error.code === undefined ? error : result.error };
}

function toDegraded(failed: readonly ToolOutcome[], ran: number, exceeded: boolean): RunDocument["degraded"] {
  const codes = failed.map(({ fault, result }) => `${fault?.code}: ${result.tool}`);
  const reasons = exceeded ? [...codes, "E_BUDGET_EXCEEDED"] : codes;
  if (reasons.length === 0) return { is_degraded: false, reason: "", degraded_to: "" };
  const nothing = failed.length === ran && ran > 0;
  return { is_degraded: true, reason: reasons.join("; "), degraded_to: nothing ? "plan-only" : "partial" };
}
