import type { Environment } from "../../base/environment.ts";
import { APPROVAL_POLICIES, SANDBOX_MODES, type SandboxMode } from "../../contract/codex-jobs.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import type { CodexVersion } from "../run/codex.ts";
import { toShown } from "../run/start-option-table.ts";
import { type PolicyArg, readPolicyArgs, toArgs, writeValue } from "./args.ts";
import { POLICY_NOTES, POLICY_REFUSALS } from "./texts.ts";

/** Codex's permissions in a run, and the arguments that express them. */
export interface PolicyDecision extends Pick<Stated, "sandbox" | "approval" | "bypass" | "network"> {
  /** Arguments for Codex, in the caller's order; additions come last. */
  readonly args: readonly string[];
  /** What was changed and why, one line each. */
  readonly notes: readonly string[];
}

type Stated = Readonly<ReturnType<typeof readStated>>;

interface FittedArgs {
  readonly args: readonly string[];
  readonly notes: readonly string[];
  /** True for a Codex whose options are known: 0.100 or newer. */
  readonly isKnown: boolean;
}

const BYPASS = "--dangerously-bypass-approvals-and-sandbox";
const FULL_ACCESS = "danger-full-access";
const SANDBOX_KINDS: readonly PolicyArg["kind"][] = ["sandbox", "sandbox-config", "permissions-config"];
const PERMISSION_KINDS: readonly PolicyArg["kind"][] = ["permissions-config", "permissions-definition"];
/** Kinds that conflict with the bypass. */
const AGAINST_BYPASS: readonly PolicyArg["kind"][] = ["approval", "approval-config", "full-auto"];
/** Kinds that Codex accepts only once. */
const SINGLE: readonly PolicyArg["kind"][] = ["sandbox", "approval", "bypass", "full-auto"];
/** From this minor version on, there is no `--full-auto` and no approval policy other than on-request and never. */
const FIRST_KNOWN_MINOR = 100;

/**
 * Decides Codex's permissions from its arguments (in every spelling) and the switches in the environment. Contract:
 * pure; ignores the version of Codex; idempotent on its own arguments; overrides a caller's choice only by the rule for
 * full access without approval, and reports each change as a note.
 */
export function decidePolicy(input: {
  readonly args: readonly string[];
  readonly env: Environment;
}): Outcome<PolicyDecision> {
  const given = readPolicyArgs(input.args);
  const possible = checkTogether(given);
  if (!possible.ok) return possible;
  const { parts, notes } = dropRepeated(given);
  const ruled = ruleFullAccess(parts, input.env);
  if (!ruled.ok) return ruled;
  const stated = readStated(ruled.value.parts);
  const all = [...notes, ...ruled.value.notes];
  if (stated.bypass && stated.named !== null && stated.named !== FULL_ACCESS)
    all.push(POLICY_NOTES.bypassWins(stated.named));
  else if (stated.network && stated.sandbox === "read-only") all.push(POLICY_NOTES.networkUnused(stated.sandbox));
  const { sandbox, approval, bypass, network } = stated;
  return succeed({
    args: toArgs(ruled.value.parts),
    sandbox,
    approval,
    bypass,
    network,
    notes: all.map(POLICY_NOTES.said),
  });
}

/**
 * Rewrites a decision for the installed version of Codex. Contract: pure; an older or unknown version gets all
 * arguments unchanged, with a note.
 */
export function fitToVersion(decision: PolicyDecision, version: CodexVersion | null): FittedArgs {
  if (version === null || (version.major === 0 && version.minor < FIRST_KNOWN_MINOR)) {
    const note = version === null ? POLICY_NOTES.unknownVersion : POLICY_NOTES.oldVersion(version.text);
    return { args: decision.args, notes: [POLICY_NOTES.said(note)], isKnown: false };
  }
  const notes: string[] = [];
  const parts = readPolicyArgs(decision.args);
  const { named } = readStated(parts);
  const args = parts.flatMap((part) => {
    if (part.kind === "full-auto") {
      notes.push(named === null ? POLICY_NOTES.fullAutoReplaced : POLICY_NOTES.fullAutoDropped(named));
      return named === null ? ["--sandbox", "workspace-write"] : [];
    }
    const isApproval = part.kind === "approval" || part.kind === "approval-config";
    if (!isApproval || (part.value !== "untrusted" && part.value !== "on-failure")) return part.tokens;
    notes.push(POLICY_NOTES.approvalReplaced(part.value));
    return writeValue(part, "on-request");
  });
  if (decision.sandbox === FULL_ACCESS && !decision.bypass) notes.push(POLICY_NOTES.neverAsks);
  return { args, notes: notes.map(POLICY_NOTES.said), isKnown: true };
}

/**
 * Combines the arguments with Codex's precedence: the sandbox flag wins over permissions, permissions over the
 * automatic review, the review over the setting; of repeated settings, the last one wins. Permissions that the
 * arguments themselves define count as full access: they may grant all of it, and their names do not show it.
 */
export function readStated(parts: readonly PolicyArg[]) {
  const lastOf = (kind: PolicyArg["kind"]) => parts.findLast((part) => part.kind === kind)?.value ?? null;
  const has = (kind: PolicyArg["kind"]) => parts.some((part) => part.kind === kind);
  const bypass = has("bypass");
  const reviewed = has("approve-for-me");
  const usual = reviewed ? "workspace-write" : lastOf("sandbox-config");
  const chosen = lastOf("permissions-config");
  const isDefined = has("permissions-definition") && !isSandbox(chosen ?? "");
  const permitted = isDefined ? FULL_ACCESS : chosen;
  const flagged = lastOf("sandbox");
  const named = flagged ?? permitted ?? usual;
  const sandbox = bypass ? FULL_ACCESS : (named ?? (has("full-auto") ? "workspace-write" : ""));
  return {
    /** The sandbox, or custom permissions, named by an argument. */
    named,
    /** True if permissions that the arguments define are in effect. */
    isDefined: isDefined && flagged === null,
    /** True if an argument determines the sandbox regardless of other settings: a sandbox flag must not be added. */
    isSettled: flagged !== null || reviewed || (permitted === null && usual !== null),
    /** Null if Codex's own configuration decides. */
    sandbox: isSandbox(sandbox) ? sandbox : null,
    /** The approval policy, as given or added; null if there is none. */
    approval: lastOf("approval") ?? (reviewed ? "on-request" : lastOf("approval-config")),
    bypass,
    /** True if network access was requested; effective only under workspace-write. */
    network: lastOf("network-config") === "true",
  };
}

/** Refuses contradictory arguments. */
function checkTogether(parts: readonly PolicyArg[]): Outcome<null> {
  const of = (...kinds: readonly PolicyArg["kind"][]) => parts.filter(({ kind }) => kinds.includes(kind));
  const [bypass] = of("bypass");
  const against = of(...AGAINST_BYPASS);
  if (bypass !== undefined && against.length > 0)
    return refuse(...POLICY_REFUSALS.bypassConflict([bypass, ...against].map(toText)));
  for (const part of of("sandbox", "sandbox-config"))
    if (!isSandbox(part.value)) return refuse(...POLICY_REFUSALS.sandbox(nameOf(part), toShown(part.value)));
  for (const { value } of of("permissions-config"))
    if (!isSandbox(value) && !/^[\w.-]+$/.test(value)) return refuse(...POLICY_REFUSALS.permissions(toShown(value)));
  // A table is a finer-grained policy, which Codex validates itself.
  for (const part of of("approval", "approval-config"))
    if (!isApproval(part.value) && !(part.kind === "approval-config" && part.value.startsWith("{")))
      return refuse(...POLICY_REFUSALS.approval(nameOf(part), toShown(part.value)));
  for (const kind of ["sandbox", "approval"] as const) {
    const values = [...new Set(of(kind).map(({ value }) => value))];
    const option = kind === "sandbox" ? "--sandbox" : "--ask-for-approval";
    if (values.length > 1) return refuse(...POLICY_REFUSALS.named(option, values));
  }
  // Dropping arguments later must not leave such an option in front of a word that would become its value.
  if (of("config-without-value").length > 0) return refuse(...POLICY_REFUSALS.configValue);
  return of("separator").length > 0 ? refuse(...POLICY_REFUSALS.separator) : succeed(null);
}

/** Drops repeated options: Codex refuses them even if the values agree. */
function dropRepeated(parts: readonly PolicyArg[]): Ruled {
  const seen = new Set<string>();
  const notes: string[] = [];
  const kept = parts.filter((part) => {
    if (!SINGLE.includes(part.kind)) return true;
    if (seen.has(part.kind)) notes.push(POLICY_NOTES.repeated(toText(part)));
    return !seen.has(part.kind) && seen.add(part.kind);
  });
  return { parts: kept, notes };
}

interface Ruled {
  readonly parts: readonly PolicyArg[];
  readonly notes: readonly string[];
}

/** The rule for full access: it needs an approval policy, and `never` does not count unless a switch permits it. */
function ruleFullAccess(parts: readonly PolicyArg[], env: Environment): Outcome<Ruled> {
  const { named, bypass, isDefined } = readStated(parts);
  if (bypass || named !== FULL_ACCESS) return succeed({ parts, notes: [] });
  const ruled = ruleApproval(parts, env);
  if (!ruled.ok || !isDefined) return ruled;
  return succeed({ ...ruled.value, notes: [POLICY_NOTES.permissionsCount, ...ruled.value.notes] });
}

function ruleApproval(parts: readonly PolicyArg[], env: Environment): Outcome<Ruled> {
  const { approval } = readStated(parts);
  if (approval !== null) return approval === "never" ? ruleNever(parts, env) : succeed({ parts, notes: [] });
  const wanted = env["DEFAULT_APPROVAL_FOR_DFA"] || "on-request";
  if (!isApproval(wanted)) return refuse(...POLICY_REFUSALS.approval("DEFAULT_APPROVAL_FOR_DFA", toShown(wanted)));
  const added = [...parts, ...readPolicyArgs(["--ask-for-approval", wanted])];
  const note = POLICY_NOTES.approvalAdded(wanted, !env["DEFAULT_APPROVAL_FOR_DFA"]);
  if (wanted !== "never") return succeed({ parts: added, notes: [note] });
  const ruled = ruleNever(added, env);
  return ruled.ok ? succeed({ ...ruled.value, notes: [note, ...ruled.value.notes] }) : ruled;
}

function ruleNever(parts: readonly PolicyArg[], env: Environment): Outcome<Ruled> {
  if (env["ALLOW_DFA_WITH_NEVER"] === "1") {
    const isDropped = ({ kind }: PolicyArg) => AGAINST_BYPASS.includes(kind);
    const kept = parts.filter((part) => !isDropped(part));
    const note = POLICY_NOTES.bypassAdded(parts.filter(isDropped).map(toText));
    return succeed({ parts: [...kept, ...readPolicyArgs([BYPASS])], notes: [note] });
  }
  if ((env["DFA_DEGRADE_ON_NEVER"] || "1") !== "1") return refuse(...POLICY_REFUSALS.neverWithFullAccess);
  const target = env["DFA_DEGRADE_TARGET"] || "workspace-write";
  if (!isSandbox(target) || target === FULL_ACCESS) return refuse(...POLICY_REFUSALS.degradeTarget(toShown(target)));
  const isFull = ({ kind, value }: PolicyArg) => SANDBOX_KINDS.includes(kind) && value === FULL_ACCESS;
  const { isDefined } = readStated(parts);
  // Replaces permissions that the arguments define with the flag: a profile of that name may be the user's own choice.
  const kept = isDefined ? parts.filter(({ kind }) => !PERMISSION_KINDS.includes(kind)) : parts;
  const lowered = kept.flatMap((part) => (isFull(part) ? writeValue(part, target) : part.tokens));
  const named = isDefined ? ["--sandbox", target] : [];
  return succeed({ parts: readPolicyArgs([...lowered, ...named]), notes: [POLICY_NOTES.degraded(target)] });
}

function isSandbox(value: string): value is SandboxMode {
  return (SANDBOX_MODES as readonly string[]).includes(value);
}

function isApproval(value: string): boolean {
  return (APPROVAL_POLICIES as readonly string[]).includes(value);
}

function toText({ tokens }: PolicyArg): string {
  return toShown(tokens.join(" "));
}

function nameOf({ kind }: PolicyArg): string {
  if (kind === "sandbox") return "--sandbox";
  if (kind === "approval") return "--ask-for-approval";
  return kind === "sandbox-config" ? "sandbox_mode" : "approval_policy";
}
