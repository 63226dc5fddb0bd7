import { toLines } from "../src/contract/faults.ts";
import { decidePolicy, fitToVersion } from "../src/jobs/policy/policy.ts";
import { parseVersion } from "../src/jobs/run/codex.ts";
import { parseStartOptions } from "../src/jobs/run/start-options.ts";
import { injectMcpOptions, type McpRunInputs } from "../src/jobs/tools/mcp-options.ts";

const FULL = "--sandbox danger-full-access";
const NEVER = "--ask-for-approval never";
const BYPASS = "--dangerously-bypass-approvals-and-sandbox";

/** Options of start.sh and environment switches: one case of each kind. */
const CASES: readonly (readonly [options: string, switches?: string])[] = [
  [""],
  [`--sandbox read-only ${NEVER}`],
  [`--sandbox workspace-write ${NEVER}`],
  ["--sandbox workspace-write --codex-config sandbox_workspace_write.network_access=true"],
  ["--sandbox read-only --codex-config sandbox_workspace_write.network_access=true"],
  ["--ask-for-approval untrusted"],
  ["--ask-for-approval on-failure"],
  ["--full-auto"],
  ["--full-auto --sandbox read-only"],
  [FULL],
  [FULL, "DEFAULT_APPROVAL_FOR_DFA=untrusted"],
  [FULL, "DEFAULT_APPROVAL_FOR_DFA=never"],
  [FULL, "DEFAULT_APPROVAL_FOR_DFA=sometimes"],
  [`${FULL} --ask-for-approval on-request`],
  [`${FULL} ${NEVER}`],
  [`${FULL} ${NEVER}`, "DFA_DEGRADE_TARGET=read-only"],
  [`${FULL} ${NEVER}`, "DFA_DEGRADE_TARGET=danger-full-access"],
  [`${FULL} ${NEVER}`, "DFA_DEGRADE_ON_NEVER=0"],
  [`${FULL} ${NEVER}`, "ALLOW_DFA_WITH_NEVER=1"],
  [BYPASS],
  [`${BYPASS} --sandbox read-only`],
  [`${BYPASS} ${NEVER}`],
  [`${BYPASS} --full-auto`],
  ["--sandbox read-only --sandbox workspace-write"],
  ["--sandbox none"],
];

/** Inputs of `codex.exec` or `codex.start`. */
const MCP_CASES: readonly Partial<McpRunInputs>[] = [
  {},
  { sandbox: "read-only" },
  { args: ["--sandbox", "read-only"] },
  { network: true },
  { approvalPolicy: "never" },
  { sandbox: "danger-full-access", approvalPolicy: "never" },
  { dangerouslyBypass: true },
  { dangerouslyBypass: true, approvalPolicy: "never" },
  { dangerouslyBypass: true, fullAuto: true },
  { sandbox: "read-only", args: ["--sandbox", "workspace-write"] },
];

/** Rows of the behaviour matrix: options, switches, arguments that a current Codex gets before `exec`, and messages. */
export function policyRows(): string[][] {
  return CASES.map(([options, switches = ""]) => {
    const [name = "", value = ""] = switches.split("=");
    return [code(options), code(switches), ...outcome(options.split(" ").filter(Boolean), { [name]: value })];
  });
}

/** Rows for calls over MCP: inputs, arguments that a current Codex gets before `exec`, and messages. */
export function mcpPolicyRows(): string[][] {
  return MCP_CASES.map((inputs) => {
    return [code(JSON.stringify(inputs)), ...outcome(injectMcpOptions({ args: [], ...inputs }), {})];
  });
}

function outcome(options: readonly string[], env: Readonly<Record<string, string>>): [emitted: string, said: string] {
  const read = parseStartOptions(options, {});
  const decision = read.ok ? decidePolicy({ args: read.value.codexArgs, env }) : read;
  if (!decision.ok) return ["refused, exit 2", toLines(decision.fault).slice(0, 2).join("<br>")];
  const { args, notes } = fitToVersion(decision.value, parseVersion("codex-cli 0.100.0"));
  const said = [...decision.value.notes, ...notes].map((note) => note.replace("[arg-normalize] ", ""));
  return [code(args.join(" ")), said.join("<br>")];
}

function code(text: string): string {
  return text === "" ? "–" : `\`${text}\``;
}
