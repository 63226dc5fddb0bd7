import { type Clock, toIsoSeconds } from "../base/clock.ts";
import { onceMore } from "../base/damaged-state.ts";
import type { Environment } from "../base/environment.ts";
import { cutText, isDeeperThan, sliceWhole, toMessage, toOneLine } from "../base/text.ts";
import { startTimer } from "../base/timers.ts";
import { type Fault, fail, type Outcome, sayFault } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { AskUser, CallOrigin, ToolAnswer, ToolContext, ToolDeclaration, ToolProgress } from "../contract/tool.ts";
import {
  failureOf,
  type HookRun,
  type HookVerdicts,
  NO_HOOK_RAN,
  TOOL_HOOK_TYPES,
  type ToolHooks,
} from "../contract/tool-hooks.ts";
import { defang } from "../safety/defang/defang.ts";
import { clampArgs, type Rejection } from "./clamp.ts";
import { type GuardPolicy, guard } from "./guard.ts";
import { type RunnerAnswer, runnerVariable, runRunner } from "./runner.ts";
import { type SubAgentSources, startSubAgent } from "./sub-agent-executor.ts";
import { runAfterToolHooks, runBeforeToolHooks } from "./tool-hooks.ts";
import { makeOutcome, readForeignData, type ToolOutcome } from "./tool-outcome.ts";
import { normalizeToolArgs, type ToolRouter, tooLarge } from "./tool-router.ts";

interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly origin: CallOrigin;
}

/** Dependencies of a call. */
export interface LifecycleDeps extends Omit<GuardPolicy, "names"> {
  readonly router: ToolRouter;
  /** The user's commands that run before and after calls. */
  readonly hooks: ToolHooks;
  /** Working folder of the caller. */
  readonly cwd: string;
  /** Ceilings and time limit in force for a tool. */
  readonly ruleOf: (tool: ToolDeclaration) => {
    readonly timeoutMs: number;
    readonly ceilings: Readonly<Record<string, number>>;
  };
  readonly usesIndex: boolean;
  readonly prompt: string;
  readonly env: Environment;
  readonly clock: Clock;
  /** Aborted when the wall budget is used up or the caller goes away. */
  readonly signal: AbortSignal;
  readonly askUser: AskUser | null;
  /** Called with the progress of a call. */
  readonly report?: (progress: ToolProgress) => void;
}

/** The answer of a tool, or of the program that replaces it. */
type Answer = ToolAnswer & Partial<RunnerAnswer>;

const MAX_SUMMARY = 240;
/** Maximum number of characters that are quoted from the output of a hook. */
const MAX_SAID = 300;

/**
 * Runs one tool call: find, normalise, validate, clamp, before hooks, execute, after hooks, guard, settle. No other
 * code runs a tool or its hooks, for any caller. Contract: never throws; every path ends in exactly one outcome; ends
 * at the tool's time limit or the signal; hooks and tool get the same frozen arguments, the tool with its defaults
 * filled in; a call with an unknown tool, a refused tool or invalid arguments runs no hooks.
 */
export async function executeToolCall(call: ToolCall, deps: LifecycleDeps): Promise<ToolOutcome> {
  const startedAt = toIsoSeconds(deps.clock.nowMs());
  const startMs = deps.clock.monotonicMs();
  const settle = (outcome: Outcome<Answer>, told: StageReport) =>
    settleCall(call.tool, outcome, {
      startedAt,
      durationMs: Math.round(deps.clock.monotonicMs() - startMs),
      deps,
      ...told,
    });
  const found = await deps.router.find(call.tool, deps.signal);
  if (!found.ok) return settle(found, { limits: [], version: "-" });
  const tool = found.value;
  // A tool that writes runs only for a person, who requests this very call, or for an origin that the tool allows.
  if (tool.effect !== "read" && call.origin !== "cli" && tool.writesFor?.includes(call.origin) !== true) {
    const refusal = LIMITS.notReadOnly(tool.name);
    return settle(fail("E_TOOL_UNAVAILABLE", refusal.text), { limits: [refusal], version: tool.version });
  }
  const rule = deps.ruleOf(tool);
  const ready = clampArgs(tool, rule.ceilings, structuredClone(normalizeToolArgs(call.args)), call.origin);
  if (!ready.ok) {
    const { rejection } = ready;
    return settle(ready, { limits: [], version: tool.version, ...(rejection === undefined ? {} : { rejection }) });
  }
  const args = freezeAll(ready.value.args);
  const input = freezeAll(ready.value.input);
  const settings = { hooks: deps.hooks, cwd: deps.cwd, env: deps.env, signal: deps.signal };
  const before = await runBeforeToolHooks({ toolName: tool.name, args }, settings);
  const program = deps.env[runnerVariable(tool.name)] ?? "";
  const outcome =
    before.failure !== null
      ? fail("E_TOOL_UNAVAILABLE", toFailure(tool.name, TOOL_HOOK_TYPES.before, before.failure).text)
      : await withinTime(rule.timeoutMs, call.origin, deps, (context) =>
          program === ""
            ? tool.run(input, context)
            : runRunner({ program, tool: tool.name, prompt: deps.prompt, args, env: deps.env }, context),
        );
  const sized = limitSize(outcome);
  const after = await runAfterToolHooks(
    {
      toolName: tool.name,
      args,
      result: sized.ok ? sized.value.data : null,
      error: sized.ok ? null : sized.fault.message,
    },
    settings,
  );
  return settle(sized, {
    limits: ready.value.limits,
    version: program === "" ? tool.version : "runner",
    hooks: { before, after },
    toFindings: program === "" ? tool.toFindings : (data) => readForeignData(tool, data),
  });
}

const MAX_LEVELS = 64;

/** Turns a result that is too large for a model or nested too deeply to be checked into a fault of that call alone. */
function limitSize<T extends ToolAnswer>(outcome: Outcome<T>): Outcome<T> {
  if (outcome.ok && isDeeperThan(outcome.value.data, MAX_LEVELS))
    return fail("E_PARSE", `the answer is nested deeper than ${MAX_LEVELS} levels`);
  const reason = outcome.ok ? tooLarge(outcome.value.data) : null;
  return reason === null ? outcome : fail("E_BUDGET_EXCEEDED", reason);
}

function freezeAll<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) freezeAll(inner);
    Object.freeze(value);
  }
  return value;
}

/** Runs `work` until it ends, its time is up or the caller goes away; exceptions and hangs become faults. */
async function withinTime<T>(
  timeoutMs: number,
  origin: CallOrigin,
  deps: LifecycleDeps,
  work: (context: ToolContext) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const timer = new AbortController();
  const signal = AbortSignal.any([timer.signal, deps.signal]);
  const endMs = deps.clock.monotonicMs() + timeoutMs;
  const timeLeftMs = () => (signal.aborted ? 0 : endMs - deps.clock.monotonicMs());
  const report = deps.report ?? (() => {});
  const callChained: SubAgentSources["call"] = async (tool, args, until) => {
    // Progress is reported for the steps, not for the work within a step.
    const { report: _, ...own } = deps;
    const { result, findings } = await executeToolCall({ tool, args, origin: "subagent" }, { ...own, signal: until });
    const { status, summary, data, error } = result;
    return { status, summary, data: data ?? null, findings, error: error.message };
  };
  const find: SubAgentSources["find"] = async (tool) => {
    const found = await deps.router.find(tool, signal);
    return found.ok ? found.value : undefined;
  };
  const context: ToolContext = {
    root: deps.root,
    origin,
    signal,
    timeLeftMs,
    isExcluded: deps.isExcluded,
    usesIndex: deps.usesIndex,
    askUser: deps.askUser,
    startSubAgent: (bounds) => startSubAgent(bounds, { call: callChained, find, signal, timeLeftMs, report }),
    report,
  };
  const timeout = startTimer(timeoutMs, () => timer.abort());
  const aborted = new Promise<Outcome<T>>((resolve) => {
    const end = () =>
      resolve(fail("E_TIMEOUT", deps.signal.aborted ? "ended by the wall clock" : `no answer within ${timeoutMs} ms`));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  try {
    return await Promise.race([onceMore(() => work(context)), aborted]);
  } catch (thrown) {
    return fail("E_UNKNOWN", toMessage(thrown));
  } finally {
    clearTimeout(timeout);
    // Stops the work if it lost the race.
    timer.abort();
  }
}

/** Facts that the stages of a call report for its outcome. */
interface StageReport {
  readonly limits: readonly Limit[];
  readonly version: string;
  readonly hooks?: HookVerdicts;
  readonly rejection?: Rejection;
  readonly toFindings?: ToolDeclaration["toFindings"];
}

interface Settlement extends StageReport {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly deps: LifecycleDeps;
}

function settleCall(tool: string, outcome: Outcome<Answer>, settlement: Settlement): ToolOutcome {
  const { deps, startedAt, durationMs, version, rejection = null, toFindings } = settlement;
  const said = settlement.hooks ?? NO_HOOK_RAN;
  const raw = {
    summary: outcome.ok ? outcome.value.summary : "",
    // A fault may quote data that the tool has read.
    fault: faultOf(tool, outcome, said),
    hooks: said,
    ...(outcome.ok ? { data: outcome.value.data } : {}),
  };
  const names = new Set(outcome.ok ? outcome.value.names : []);
  const { value, redactions, limits } = guard(raw, { root: deps.root, isExcluded: deps.isExcluded, names });
  const { fault, hooks } = value;
  // Each part passed the guard, but the joined text may form new structure.
  const message = fault === null ? "" : defang(toOneLine(sayFault(fault)));
  const summary = cutText(outcome.ok ? toOneLine(value.summary) : message, MAX_SUMMARY);
  const own = (outcome.ok ? outcome.value.limits : null) ?? [];
  const warned = (moment: string) => (run: HookRun) => LIMITS.hookWarned(tool, moment, run.command, saidBy(run));
  const warnings = [
    ...hooks.before.warnings.map(warned(TOOL_HOOK_TYPES.before)),
    ...hooks.after.warnings.map(warned(TOOL_HOOK_TYPES.after)),
  ];
  const data = "data" in value ? (value.data as Record<string, unknown>) : undefined;
  return makeOutcome({
    tool,
    fault,
    startedAt,
    durationMs,
    summary: summary.text,
    data,
    message,
    redactions,
    isCut: summary.truncated || (outcome.ok && outcome.value.cut === true),
    rejection,
    findings: data === undefined ? null : (toFindings?.(data) ?? null),
    version,
    hooks,
    // Limits of the hook files belong to the call: hooks of an unreadable file would have applied to it.
    limits: [
      ...deps.hooks.limits,
      ...settlement.limits,
      ...own,
      ...limits,
      ...warnings,
      ...toFaultLimits(tool, fault, hooks, { isOwn: ownFaultOf(outcome) !== null && hooks.before.failure === null }),
    ],
  });
}

/** Fault of a call: a failed after hook makes a successful call fail, but does not hide the tool's own fault. */
function faultOf(tool: string, outcome: Outcome<Answer>, { after }: HookVerdicts): Fault | null {
  const own = ownFaultOf(outcome);
  if (own !== null || after.failure === null) return own;
  return { code: "E_TOOL_UNAVAILABLE", message: toFailure(tool, TOOL_HOOK_TYPES.after, after.failure).text };
}

/** Fault of the tool itself, or of whatever kept it from running. */
function ownFaultOf(outcome: Outcome<Answer>): Fault | null {
  return (outcome.ok ? outcome.value.fault : outcome.fault) ?? null;
}

function toFailure(tool: string, moment: string, run: HookRun): Limit {
  return LIMITS.hookFailed(tool, moment, run.command, run.exitCode, saidBy(run));
}

/** First line of a hook's output, or of its error if the output is blank. */
function saidBy({ output, error }: HookRun): string {
  return sliceWhole(toOneLine((output.trim() || error.trim()).split("\n", 1)[0] ?? ""), MAX_SAID);
}

/** Limits that report why a call failed: the fault if it is the tool's own, and the hook that failed. */
function toFaultLimits(
  tool: string,
  fault: Fault | null,
  hooks: HookVerdicts,
  { isOwn }: { readonly isOwn: boolean },
): Limit[] {
  if (fault === null) return [];
  const failure = failureOf(hooks);
  const moment = hooks.before.failure === null ? TOOL_HOOK_TYPES.after : TOOL_HOOK_TYPES.before;
  const byHook = failure === null ? [] : [toFailure(tool, moment, failure)];
  if (!isOwn) return byHook;
  // The message of a rejection becomes its limit: it names the tool and the reason.
  const own = fault.code === "E_INVALID_ARGS" ? LIMITS.rejected(tool, fault.message) : LIMITS.fault(fault.code, tool);
  return [own, ...byHook];
}
