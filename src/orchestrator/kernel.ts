import { type Clock, toIsoSeconds } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { readFrame } from "../base/question-frame.ts";
import { sliceWhole } from "../base/text.ts";
import { type LoadedSettings, loadSettings } from "../config/load-settings.ts";
import type { McpServer } from "../config/mcp-servers.ts";
import { describeOff, findOff } from "../config/off-book.ts";
import { fromVariable } from "../config/settings.ts";
import { FAULTS, type Fault, sayFault } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import {
  type Clues,
  type ExternalTools,
  NO_EXTERNAL_TOOLS,
  type ToolDeclaration,
  type Vocabulary,
} from "../contract/tool.ts";
import { type GuardPolicy, guardLimits, guardOwn } from "../lifecycle/guard.ts";
import { makeGuardPolicy, makeLifecycleDeps } from "../lifecycle/lifecycle-deps.ts";
import { makeOutcome, type ToolOutcome } from "../lifecycle/tool-outcome.ts";
import { MAX_ANALYSED_CHARS, type PromptClues } from "./clues.ts";
import { concludeRun } from "./conclude.ts";
import { type KernelAnswer, makeEmptyAnswer } from "./document.ts";
import { readFakeOutcomes, usesFakeResults } from "./fake-results.ts";
import { CONFIDENCE_THRESHOLD } from "./intent.ts";
import { type Judgement, judgePrompt, type Prompt } from "./judge.ts";
import { makePlan, type Plan, type RejectedTool } from "./plan.ts";
import { findRefusals, sortPaths } from "./prompt-paths.ts";
import { resolveFollowUp } from "./resolve.ts";
import { runPlan } from "./run-plan.ts";
import { openSession, type Session, toTurn } from "./session.ts";
import { startTimeline } from "./timeline.ts";
import { decideByVocabulary, type LookUp, withNames } from "./vocabulary.ts";

interface KernelDeps {
  readonly env: Environment;
  /** Folder in which the question was asked. */
  readonly folder: string;
  readonly clock: Clock;
  readonly tools: readonly ToolDeclaration[];
  /** Opens the tools of the MCP servers in the settings. */
  readonly openExternal?: (servers: readonly McpServer[], root: string) => ExternalTools;
  /** Looks up the words of a question in a repository; absent if no lookup is available. */
  readonly lookUp?: LookUp;
  readonly signal: AbortSignal;
  /** Milliseconds that the question has spent in a queue; they count against the budget. */
  readonly waitedMs?: number;
}

const MAX_PROMPT_CHARS = 100_000;
const MAX_QUERY_CHARS = 8_000;

/**
 * Turns a prompt into a run document. Contract: never throws, whatever a prompt, a repository or a tool does; the
 * document is always valid; plan mode and dry run start nothing and give the same bytes for the same input.
 */
export async function runKernel(given: Prompt, deps: KernelDeps): Promise<KernelAnswer> {
  const prompt = { ...given, text: sliceWhole(given.text, MAX_PROMPT_CHARS) };
  const limits = [...given.limits];
  if (prompt.text.length < given.text.length) limits.push(LIMITS.promptCut(MAX_PROMPT_CHARS));
  const legacy = fromVariable(deps.env, "legacy") === true;
  const isOff = prompt.marks?.isOff === true;
  if (prompt.text.trim() === "" && !isOff) return silent(prompt, LIMITS.emptyPrompt(), limits, legacy);
  if (prompt.asksForTool) {
    const refused = silent(prompt, LIMITS.bypassRefused(), limits, legacy);
    return { ...refused, notices: [LIMITS.bypassRefused()] };
  }
  const loaded = await loadSettings({
    env: deps.env,
    folder: deps.folder,
    bounds: deps.tools,
    nowMs: deps.clock.nowMs(),
  });
  if (!loaded.ok && isOff) return silent(prompt, LIMITS.off("prompt"), limits, legacy);
  // Without a root, an off switch for all repositories still applies.
  const everywhere = loaded.ok ? null : findOff(deps.env, null, deps.clock.nowMs());
  if (everywhere !== null) return silent(prompt, LIMITS.off(describeOff(everywhere)), limits, legacy);
  if (!loaded.ok) return { ...failed(prompt, loaded.fault, limits, legacy), exitCode: FAULTS.E_CONFIG.exit };
  limits.push(...loaded.value.limits);
  const current = isOff ? switchOff(loaded.value) : loaded.value;
  const { fault, settings } = current;
  // Off means silent, even if there are other faults.
  if (fault !== null && settings.autoTools !== "off") return failed(prompt, fault, limits, legacy);
  return runLoaded(prompt, deps, current, limits);
}

/** Overrides the settings for a prompt that opts out by itself. */
function switchOff({ settings, origins, ...loaded }: LoadedSettings): LoadedSettings {
  return { ...loaded, settings: { ...settings, autoTools: "off" }, origins: { ...origins, autoTools: "prompt" } };
}

async function runLoaded(
  prompt: Prompt,
  deps: KernelDeps,
  loaded: LoadedSettings,
  limits: Limit[],
): Promise<KernelAnswer> {
  const { settings, root } = loaded;
  const timeline = startTimeline(deps.clock);
  if (settings.legacy) limits.push(LIMITS.legacy());
  const policy = makeGuardPolicy(loaded);
  const isPlanOnly = settings.mode === "plan" || settings.dryRun;
  const nowMs = isPlanOnly ? null : deps.clock.nowMs();
  const session = nowMs === null ? null : findSession(prompt, deps, loaded, nowMs);
  const earlier = session?.turns ?? [];
  limits.push(...(session?.limits ?? []));
  const alone =
    prompt.judgement !== undefined && settings.threshold === CONFIDENCE_THRESHOLD
      ? prompt.judgement
      : judgePrompt(prompt.text, prompt.hints, settings.threshold);
  const resolved = resolveFollowUp(alone, prompt.text, earlier);
  timeline.end("judge");
  const judgement =
    isPlanOnly || settings.autoTools !== "auto" || deps.lookUp === undefined
      ? resolved
      : await decideByVocabulary(resolved, settings.threshold, () => lookUpIn(prompt, resolved, deps, loaded, policy));
  timeline.end("look");
  const external = deps.openExternal?.(loaded.servers, root.root) ?? NO_EXTERNAL_TOOLS;
  const tools = [...deps.tools, ...external.planned];
  const notices: Limit[] = [];
  const plan = planFor(prompt, { ...deps, tools }, loaded, judgement, { limits, notices });
  timeline.end("plan");
  const conclude = (outcomes: readonly ToolOutcome[]) =>
    concludeRun({ prompt, loaded, policy, judgement, plan, outcomes, nowMs, limits, notices, earlier, timeline });
  const finish = (outcomes: readonly ToolOutcome[]) => conclude(outcomes).answer;
  if (plan.tools.length + plan.rejected.length === 0) return finish([]);
  const fakes = readFakeOutcomes(deps.env, policy, tools);
  if (!fakes.ok) return failed(prompt, fakes.fault, limits, settings.legacy);
  if (fakes.value !== null) return finish(fakes.value);
  if (isPlanOnly) return finish([]);
  const paths = sortPaths(root.root, judgement.clues.paths).inside;
  const refusals = findRefusals(root.root, paths);
  const calls = makeLifecycleDeps(loaded, {
    ...deps,
    external,
    prompt: prompt.text,
    askUser: null,
    ruleOf: (tool) => loaded.tools.get(tool.name) ?? tool,
  });
  limits.push(...refusals, ...calls.hooks.limits);
  notices.push(...refusals, ...calls.hooks.limits);
  const budget = { wallMs: plan.wallMs - (deps.waitedMs ?? 0), maxConcurrency: settings.maxConcurrency, timeline };
  const ran = await runPlan(plan.tools, budget, calls, deps.signal);
  timeline.end("run");
  const skipped = plan.rejected.map((rejected) => toSkipped(rejected, deps.clock));
  const { answer, findings, shown } = conclude([...ran, ...skipped]);
  const clues = withNames(judgement.clues, answer.document.tool_results);
  session?.remember(toTurn({ text: prompt.text, clues, paths, findings, shown, policy }));
  return answer;
}

/** Share of the budget that the lookup of a question's words may use. */
const LOOK_SHARE = 0.4;

/** Looks up the question in the repository, with the same query that the search will use. */
function lookUpIn(
  prompt: Prompt,
  { clues }: Judgement,
  { lookUp, clock, signal, waitedMs = 0 }: KernelDeps,
  { settings, root }: LoadedSettings,
  { isExcluded }: GuardPolicy,
): Promise<Vocabulary | null> {
  const endMs = clock.monotonicMs() + (settings.wallMs - waitedMs) * LOOK_SHARE;
  const { query } = toToolClues(prompt.text, clues, []);
  const budget = {
    signal,
    isExcluded,
    usesIndex: settings.index === "auto",
    timeLeftMs: () => endMs - clock.monotonicMs(),
  };
  return lookUp?.(root.root, query, budget).catch(() => null) ?? Promise.resolve(null);
}

/** Opens the session that a prompt belongs to. Null if it is not to be remembered. */
function findSession(prompt: Prompt, deps: KernelDeps, loaded: LoadedSettings, nowMs: number): Session | null {
  const { autoTools, sessionMemory } = loaded.settings;
  if (!sessionMemory || autoTools === "off" || usesFakeResults(deps.env)) return null;
  return openSession({ env: deps.env, root: loaded.root.root, sessionId: prompt.client.session_id ?? "", nowMs });
}

function planFor(
  prompt: Prompt,
  deps: KernelDeps,
  loaded: LoadedSettings,
  judgement: Judgement,
  { limits, notices }: { readonly limits: Limit[]; readonly notices: Limit[] },
): Plan {
  const { settings, tools: rules, root } = loaded;
  const { analysis, clues } = judgement;
  const nothing = {
    tools: [],
    rejected: [],
    recommended: [],
    wallMs: settings.wallMs,
    limits: [],
    isHeldBack: false,
    isUnmet: false,
  };
  if (settings.autoTools === "off") {
    const off = LIMITS.off(loaded.origins.autoTools);
    limits.push(off);
    // Someone who switched it off knows; someone whose record is unreadable does not.
    const isUnexpected = loaded.off !== null && loaded.off.damage !== null && analysis.intent !== null;
    if (prompt.marks?.isOff === true || isUnexpected) notices.push(off);
    return nothing;
  }
  const isDeep = prompt.marks?.isDeep === true;
  const isDeepRefused = isDeep && settings.tierMax < 2;
  if (isDeepRefused) notices.push(LIMITS.tier2Disabled());
  // A person who requests tier 2, and is allowed to, asks about this repository.
  if (settings.autoTools === "auto" && analysis.intent === null && (!isDeep || isDeepRefused)) {
    limits.push(LIMITS.notCode(), ...(isDeepRefused ? [LIMITS.tier2Disabled()] : []));
    return nothing;
  }
  const paths = sortPaths(root.root, clues.paths);
  const plan = makePlan({
    intent: analysis.intent ?? "explore",
    wantsTier2: analysis.wantsTier2 || isDeep,
    isDeep,
    clues: toToolClues(prompt.text, clues, paths.inside),
    tools: deps.tools,
    rules,
    tierMax: settings.tierMax,
    wallMs: settings.wallMs,
    env: deps.env,
  });
  limits.push(...paths.limits, ...plan.limits);
  notices.push(...paths.sensitive);
  return plan;
}

/** Clues that tools may get of a prompt: redacted, so that a key pasted into a question goes no further. */
function toToolClues(text: string, clues: PromptClues, paths: readonly string[]): Clues {
  const { asked, quoted, wish } = readFrame(text);
  const isName = (piece: string) => /^[\w$.:#>-]{2,80}$/.test(piece);
  return guardOwn({
    query: sliceWhole(text.slice(0, MAX_ANALYSED_CHARS).trim(), MAX_QUERY_CHARS),
    symbols: clues.symbols,
    asked: [...new Set([...quoted.filter(isName), ...asked])].filter((name) => !clues.paths.includes(name)).slice(0, 3),
    wish,
    paths,
    error: clues.error,
  });
}

/** Reports a tool whose arguments were refused during planning as skipped. */
function toSkipped({ tool, message }: RejectedTool, clock: Clock): ToolOutcome {
  return makeOutcome({
    tool,
    fault: { code: "E_INVALID_ARGS", message },
    startedAt: toIsoSeconds(clock.nowMs()),
    summary: message,
    // The plan has already reported it.
    limits: [],
    version: "-",
  });
}

/** Answer for a run with nothing to do and no fault: the reason is the limit. */
function silent({ client, text }: Prompt, reason: Limit, limits: readonly Limit[], legacy: boolean): KernelAnswer {
  const told = guardLimits([reason, ...limits]);
  return makeEmptyAnswer(
    { client, prompt: text, reason: reason.text, limits: told, legacy },
    { exitCode: 0, notices: [] },
  );
}

/** Makes an empty injection for a fault that prevents a run. */
function failed({ client, text }: Prompt, fault: Fault, limits: readonly Limit[], legacy: boolean): KernelAnswer {
  const [reason] = guardLimits([LIMITS.quoted(`${fault.code}: ${sayFault(fault)}`)]);
  const notice = LIMITS.runFault(fault);
  return makeEmptyAnswer(
    { client, prompt: text, reason: reason?.text ?? "", limits: guardLimits([notice, ...limits]), legacy },
    { exitCode: FAULTS[fault.code].exit, notices: guardLimits([notice]).slice(0, 1) },
  );
}
