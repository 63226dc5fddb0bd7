import type { Environment } from "../base/environment.ts";
import type { ToolRule } from "../config/settings.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { PlannedTool, RecommendedTool } from "../contract/run-document.ts";
import type { Clues, Intent, ToolDeclaration, Wish } from "../contract/tool.ts";
import { clampArgs, lowerArgs } from "../lifecycle/clamp.ts";

/** Milliseconds that planned tier-2 tools add to the wall-clock budget. */
const TIER2_EXTRA_MS = 5_000;

/** A tool whose arguments were refused; it is reported as skipped. */
export interface RejectedTool {
  readonly tool: string;
  readonly message: string;
}

/** The tools to run, with reasons and arguments. */
export interface Plan {
  readonly tools: readonly PlannedTool[];
  readonly rejected: readonly RejectedTool[];
  readonly recommended: readonly RecommendedTool[];
  readonly wallMs: number;
  readonly limits: readonly Limit[];
  /** True if a tool of a tier that is not enabled would have contributed. */
  readonly isHeldBack: boolean;
  /** True if only such a tool can meet the question's wish, so that a guess by words would miss the subject. */
  readonly isUnmet: boolean;
}

interface PlanInput {
  readonly intent: Intent;
  readonly wantsTier2: boolean;
  /** True if the person requests tier 2 regardless of the wording. */
  readonly isDeep: boolean;
  readonly clues: Clues;
  readonly tools: readonly ToolDeclaration[];
  readonly rules: ReadonlyMap<string, ToolRule>;
  readonly tierMax: number;
  readonly wallMs: number;
  readonly env: Environment;
}

/**
 * Chooses tools by intent, tier and settings. Contract: pure; arguments come from the clues and the environment, never
 * from words such as "depth=10" in the prompt, and are clamped here and again before the call.
 */
export function makePlan(input: PlanInput): Plan {
  const tools: PlannedTool[] = [];
  const rejected: RejectedTool[] = [];
  const recommended: RecommendedTool[] = [];
  const limits: Limit[] = [];
  for (const tool of input.tools) {
    const rule = input.rules.get(tool.name);
    if (rule?.enabled !== true || !(isCalledFor(tool, input) || (input.isDeep && rule.tier >= 2))) continue;
    const wish = tool.plan(input.clues);
    if (wish === null) continue;
    if (rule.tier > input.tierMax) {
      recommended.push({ tool: tool.name, reason: wish.reason, suggested_params: wish.args });
      continue;
    }
    const requested = requestedArgs(tool, input.env);
    // A tool's own plan matches its schema, and building the schema takes milliseconds in the hook; the call validates
    // again.
    const ready =
      Object.keys(requested).length === 0
        ? lowerArgs(tool, rule.ceilings, wish.args)
        : clampArgs(tool, rule.ceilings, { ...wish.args, ...requested }, "auto");
    if (!ready.ok) {
      rejected.push({ tool: tool.name, message: ready.fault.message });
      limits.push(LIMITS.rejected(tool.name, ready.fault.message));
      continue;
    }
    limits.push(...ready.value.limits);
    tools.push({
      tool: tool.name,
      tier: rule.tier,
      reason: wish.reason,
      args: { ...ready.value.args },
      timeout_ms: rule.timeoutMs,
    });
  }
  const isHeldBack = input.tierMax < 2 && (input.wantsTier2 || recommended.length > 0);
  if (isHeldBack) limits.push(LIMITS.tier2Disabled());
  const isUnmet = isHeldBack && NARROW.includes(input.clues.wish);
  const deep = tools.some(({ tier }) => tier >= 2);
  return {
    tools,
    rejected,
    recommended,
    limits,
    isHeldBack,
    isUnmet,
    wallMs: input.wallMs + (deep ? TIER2_EXTRA_MS : 0),
  };
}

/** Wishes that only one specific tool meets: a question about complexity needs no call chain. */
const NARROW: readonly (Wish | null)[] = ["complexity", "hotspots"];

/** True if a question calls for a tool: always for a tool without conditions, otherwise by wish or intent. */
function isCalledFor(tool: ToolDeclaration, input: PlanInput): boolean {
  if (tool.intents === undefined && tool.wishes === undefined) return true;
  if (isWished(tool, input)) return true;
  return !NARROW.includes(input.clues.wish) && (tool.intents?.includes(input.intent) ?? false);
}

function isWished({ wishes = [] }: ToolDeclaration, { clues: { wish } }: PlanInput): boolean {
  return wish !== null && wishes.includes(wish);
}

/** Arguments from the environment, e.g. `CI_AUTO_TOOLS_CI_SEARCH_LIMIT`. */
function requestedArgs(tool: ToolDeclaration, env: PlanInput["env"]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [suffix, key] of Object.entries(tool.requestable ?? {})) {
    const raw = env[`CI_AUTO_TOOLS_${tool.name.toUpperCase()}_${suffix}`];
    if (raw !== undefined && raw !== "") found[key] = /^-?\d{1,12}$/.test(raw) ? Number(raw) : raw;
  }
  return found;
}
