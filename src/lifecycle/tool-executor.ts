import { type Clock, toIsoSeconds } from "../base/clock.ts";
import { sliceWhole, toMessage, toOneLine } from "../base/text.ts";
import { type Fault, fail, type Outcome } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ToolResult } from "../contract/run-document.ts";
import type { CallOrigin, ToolAnswer, ToolContext, ToolDeclaration } from "../contract/tool.ts";
import { clampArgs } from "./clamp.ts";
import { guard } from "./guard.ts";
import { type RunnerAnswer, runnerVariable, runRunner } from "./runner.ts";

/** One request to run one tool. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly origin: CallOrigin;
}

/** What a call needs from outside. */
export interface LifecycleDeps {
  readonly tools: ReadonlyMap<string, ToolDeclaration>;
  /** Ceilings and time limit in force for a tool. */
  readonly ruleOf: (tool: ToolDeclaration) => {
    readonly timeoutMs: number;
    readonly ceilings: Readonly<Record<string, number>>;
  };
  readonly root: string;
  readonly isExcluded: (path: string) => boolean;
  readonly usesIndex: boolean;
  readonly prompt: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Aborted when the wall budget is used up or the caller goes away. */
  readonly signal: AbortSignal;
}

/** What a call came to. */
export interface ToolOutcome {
  readonly result: ToolResult;
  readonly fault: Fault | null;
  readonly limits: readonly string[];
  /** Version told with its findings. */
  readonly version: string;
}

const MAX_SUMMARY = 300;

/**
 * Runs one tool call: find, clamp, execute, guard, settle. The only place that runs a tool, whoever asks.
 * Contract: never throws; every path ends in exactly one outcome; ends at the tool's limit or the signal.
 */
export async function executeToolCall(call: ToolCall, deps: LifecycleDeps): Promise<ToolOutcome> {
  const startedAt = toIsoSeconds(deps.clock.nowMs());
  const startMs = deps.clock.monotonicMs();
  const settle = (outcome: Outcome<RunnerAnswer | ToolAnswer>, limits: readonly string[], version: string) =>
    settleCall(call.tool, outcome, {
      startedAt,
      durationMs: Math.round(deps.clock.monotonicMs() - startMs),
      limits,
      version,
      deps,
    });
  const tool = deps.tools.get(call.tool);
  if (tool === undefined) return settle(fail("E_TOOL_UNAVAILABLE", `unknown tool ${call.tool}`), [], "-");
  const rule = deps.ruleOf(tool);
  const ready = clampArgs(tool, rule.ceilings, call.args, call.origin);
  if (!ready.ok) return settle(ready, [], tool.version);
  const args = Object.freeze({ ...ready.value.args });
  const program = deps.env[runnerVariable(tool.name)];
  const outcome = await withinTime(rule.timeoutMs, call.origin, deps, (context) =>
    program === undefined || program === ""
      ? tool.run(args, context)
      : runRunner({ program, tool: tool.name, prompt: deps.prompt, args, env: deps.env }, context),
  );
  return settle(outcome, ready.value.limits, program ? "runner" : tool.version);
}

/** Runs `work` until it ends, its time is up or the caller goes away; throws and hangs become faults. */
async function withinTime<T>(
  timeoutMs: number,
  origin: CallOrigin,
  deps: LifecycleDeps,
  work: (context: ToolContext) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const timer = new AbortController();
  const signal = AbortSignal.any([timer.signal, deps.signal]);
  const endMs = deps.clock.monotonicMs() + timeoutMs;
  const context: ToolContext = {
    root: deps.root,
    origin,
    signal,
    timeLeftMs: () => (signal.aborted ? 0 : endMs - deps.clock.monotonicMs()),
    isExcluded: deps.isExcluded,
    usesIndex: deps.usesIndex,
  };
  const timeout = setTimeout(() => timer.abort(), timeoutMs);
  const aborted = new Promise<Outcome<T>>((resolve) => {
    const end = () =>
      resolve(fail("E_TIMEOUT", deps.signal.aborted ? "ended by the wall clock" : `no answer within ${timeoutMs} ms`));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  try {
    return await Promise.race([work(context), aborted]);
  } catch (thrown) {
    return fail("E_UNKNOWN", toMessage(thrown));
  } finally {
    clearTimeout(timeout);
    // Whoever lost the race stops here.
    timer.abort();
  }
}

interface Settlement {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly limits: readonly string[];
  readonly version: string;
  readonly deps: LifecycleDeps;
}

function settleCall(tool: string, outcome: Outcome<RunnerAnswer | ToolAnswer>, settlement: Settlement): ToolOutcome {
  const { deps, startedAt, durationMs, version } = settlement;
  const fault = outcome.ok ? ("fault" in outcome.value ? (outcome.value.fault ?? null) : null) : outcome.fault;
  const message = fault === null ? "" : [fault.message, fault.hint].filter(Boolean).join("; ");
  const raw = {
    summary: outcome.ok ? outcome.value.summary : message,
    message,
    ...(outcome.ok ? { data: outcome.value.data } : {}),
  };
  const { value, redactions, limits } = guard(raw, { root: deps.root, isExcluded: deps.isExcluded });
  const cut = outcome.ok && "cut" in outcome.value && outcome.value.cut;
  const result: ToolResult = {
    tool,
    status: toStatus(fault),
    started_at: startedAt,
    duration_ms: durationMs,
    summary: sliceWhole(toOneLine(value.summary), MAX_SUMMARY),
    ...("data" in value ? { data: value.data as Record<string, unknown> } : {}),
    error: { message: toOneLine(value.message), ...(fault === null ? {} : { code: fault.code }) },
    redactions: [...redactions],
    truncated: cut,
  };
  const own = outcome.ok && "limits" in outcome.value ? (outcome.value.limits ?? []) : [];
  return { result, fault, version, limits: [...settlement.limits, ...own, ...limits, ...toFaultLimits(tool, fault)] };
}

function toStatus(fault: Fault | null): ToolResult["status"] {
  if (fault === null) return "ok";
  if (fault.code === "E_TIMEOUT") return "timeout";
  return fault.code === "E_INVALID_ARGS" ? "skipped" : "error";
}

function toFaultLimits(tool: string, fault: Fault | null): string[] {
  if (fault === null) return [];
  // A rejection's message is its limit: it names tool and key.
  return [fault.code === "E_INVALID_ARGS" ? fault.message : LIMITS.fault(fault.code, tool)];
}
