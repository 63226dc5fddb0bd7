import { APPROVAL_POLICIES, SANDBOX_MODES } from "../../contract/codex-jobs.ts";

const CONFLICT = "错误: 参数冲突";
const INVALID_COMBINATION = "错误: 组合无效";

/** Refusals of a run, before Codex is started. Contract: lines for stderr; the only place that words them. */
export const POLICY_REFUSALS = {
  bypassConflict: (given: readonly string[]) => [
    CONFLICT,
    "- --dangerously-bypass-approvals-and-sandbox 不可与 --ask-for-approval 或 --full-auto 同时使用",
    `Given: ${given.join(" and ")}. Either the bypass alone, inside a container, or --sandbox with --ask-for-approval and no bypass.`,
  ],
  /** Full access with nobody to ask, and no switch that says how to handle that. */
  neverWithFullAccess: [
    INVALID_COMBINATION,
    "--sandbox danger-full-access with --ask-for-approval never would run everything unasked. Three ways out:",
    "- --sandbox workspace-write --ask-for-approval never (or leave DFA_DEGRADE_ON_NEVER at 1, which does that)",
    "- --sandbox danger-full-access --ask-for-approval on-request",
    "- inside a container: ALLOW_DFA_WITH_NEVER=1, or --dangerously-bypass-approvals-and-sandbox without --ask-for-approval",
  ],
  named: (option: string, values: readonly string[]) => [
    CONFLICT,
    `- ${option} is given more than once, with different values: ${values.join(", ")}. Give one.`,
  ],
  sandbox: (where: string, value: string) => [notOneOf(where, value, SANDBOX_MODES)],
  approval: (where: string, value: string) => [notOneOf(where, value, APPROVAL_POLICIES)],
  permissions: (value: string) => [
    notOneOf("default_permissions", value, [
      ":read-only",
      ":workspace",
      ":danger-full-access",
      "the name of a profile",
    ]),
  ],
  degradeTarget: (value: string) => [
    notOneOf(
      "DFA_DEGRADE_TARGET",
      value,
      SANDBOX_MODES.filter((mode) => mode !== "danger-full-access"),
    ),
  ],
  configValue: ["错误: --config needs a value: key=value"],
  separator: ['错误: "--" cannot be handed to Codex: it would read the rest of its command line as a prompt.'],
};

/** Changes to the arguments. Contract: the only place that words them. */
export const POLICY_NOTES = {
  approvalAdded: (approval: string, isDefault: boolean) =>
    `--sandbox danger-full-access without an approval policy: added --ask-for-approval ${approval}${isDefault ? "" : " (DEFAULT_APPROVAL_FOR_DFA)"}`,
  bypassAdded: (dropped: readonly string[]) =>
    `ALLOW_DFA_WITH_NEVER=1 and danger-full-access with never: added --dangerously-bypass-approvals-and-sandbox${dropped.length === 0 ? "" : `, dropped ${dropped.join(" and ")}`}. Codex runs without sandbox and approvals`,
  degraded: (target: string) =>
    `danger-full-access with never: sandbox lowered to ${target} (DFA_DEGRADE_ON_NEVER). ALLOW_DFA_WITH_NEVER=1 keeps full access, inside a container`,
  permissionsCount:
    "permissions that are defined in arguments count as danger-full-access: --sandbox names less than that",
  repeated: (given: string) => `dropped a second ${given}: Codex takes it once`,
  bypassWins: (sandbox: string) =>
    `the bypass wins over --sandbox ${sandbox}: Codex runs without sandbox and approvals`,
  networkUnused: (sandbox: string) =>
    `sandbox_workspace_write.network_access counts under workspace-write alone; the sandbox is ${sandbox}`,
  fullAutoReplaced: "--full-auto is now --sandbox workspace-write",
  fullAutoDropped: (sandbox: string) => `--full-auto dropped: the sandbox ${sandbox} was named`,
  approvalReplaced: (policy: string) =>
    `approval policy ${policy} is now on-request: this Codex has it no more, and exec never asks`,
  neverAsks:
    "this Codex never asks in exec, whatever the approval policy: with danger-full-access everything runs unasked",
  oldVersion: (version: string) => `codex ${version} is older than 0.100: everything is passed as given`,
  unknownVersion: "codex does not report its version: everything is passed as given",
  /** One line of the log. */
  said: (note: string) => `[arg-normalize] ${note}`,
} as const;

/** Descriptions of what an argument opens beyond the sandbox. Contract: the only place that words them. */
export const OPENING_NOTES = {
  programs: "programs outside of any sandbox",
  rights: "more rights than the sandbox has",
  environment: "the environment of commands",
  trust: "programs of a repository",
  rules: "commands that the user's rules hold back",
  server: "another server",
  path: "a path outside the working folder",
  /** One line of the log. */
  said: (name: string, opens: string) => `[arg-open] ${name}: ${opens}`,
} as const;

/** Refusals of an MCP call, before anything is started. Contract: words that the guard lets through. */
export const MCP_REFUSALS = {
  opening: (name: string, opens: string) => `not taken by MCP: ${name} (${opens})`,
  word: (word: string) => `not taken by MCP: "${word}" (a command of Codex's own)`,
  commitHooks: (option: string) => `not taken by MCP: ${option} (hooks of the repository)`,
  hint: "leave it out; a person can use it with start.sh or groundwork codex exec",
} as const;

function notOneOf(where: string, value: string, accepted: readonly string[]): string {
  const given = value === "" ? "needs a value" : `cannot be "${value}"`;
  return `错误: ${where} ${given}; accepted: ${accepted.join(", ")}`;
}
