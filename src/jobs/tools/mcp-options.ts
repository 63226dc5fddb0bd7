import type * as z from "zod/mini";
import { readPolicyArgs } from "../policy/args.ts";
import { readStated } from "../policy/policy.ts";
import { parseStartOptions } from "../run/start-options.ts";
import type { ExecInput } from "./codex-inputs.ts";

/** What an MCP client can say about a run. */
export type McpRunInputs = z.output<ReturnType<typeof ExecInput>>;

/**
 * The options of start.sh that stand for a call's inputs, the caller's own arguments last. Contract: pure; a sandbox is
 * added wherever the caller named none: danger-full-access beside a bypass, else workspace-write; permissions of
 * whatever name are none. What the caller said twice and differently stays, for the policy to refuse.
 */
export function injectMcpOptions(inputs: McpRunInputs): string[] {
  const config = Object.entries(inputs.codexConfig ?? {}).map(([key, value]) => `${key}=${toToml(value)}`);
  // Behind `--` everything is Codex's, so what is added goes before it all.
  const said = readStated(
    readPolicyArgs([...config.flatMap((pair) => ["--config", pair]), ...codexArgsOf(inputs.args)]),
  );
  const bypass = inputs.dangerouslyBypass === true || said.bypass;
  const usual = bypass ? "danger-full-access" : "workspace-write";
  const sandbox = inputs.sandbox ?? (said.isSettled ? undefined : usual);
  return [
    ...option("--sandbox", sandbox),
    ...flag("--dangerously-bypass-approvals-and-sandbox", inputs.dangerouslyBypass === true && !said.bypass),
    ...option("--ask-for-approval", bypass ? undefined : inputs.approvalPolicy),
    ...flag("--full-auto", inputs.fullAuto),
    ...option("--profile", inputs.profile),
    ...option("--codex-config", toNetwork(inputs.network)),
    ...config.flatMap((pair) => ["--codex-config", pair]),
    ...option("--preset", inputs.preset),
    ...flag("--no-carry-context", inputs.carryContext === false),
    ...flag("--no-compress-context", inputs.compressContext === false),
    ...option("--context-head", inputs.contextHead?.toString()),
    ...flag("--patch-mode", inputs.patchMode),
    ...(inputs.requireChangeIn ?? []).flatMap((glob) => ["--require-change-in", glob]),
    ...flag("--require-git-commit", inputs.requireGitCommit),
    ...flag("--auto-commit-on-done", inputs.autoCommitOnDone),
    ...option("--auto-commit-message", inputs.autoCommitMessage),
    ...inputs.args,
  ];
}

/** What of start.sh's options goes to Codex. Options that start.sh refuses may be those of another start program. */
function codexArgsOf(args: readonly string[]): readonly string[] {
  const read = parseStartOptions(args, {});
  return read.ok ? read.value.codexArgs : args;
}

/** A caller who says no gets no, whatever the user's own configuration of Codex says. */
function toNetwork(network: boolean | undefined): string | undefined {
  return network === undefined ? undefined : `sandbox_workspace_write.network_access=${network}`;
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

function flag(name: string, isOn: boolean | undefined): string[] {
  return isOn === true ? [name] : [];
}

/** Numbers and booleans are written alike in TOML; so are strings, but for two things that JSON leaves as they are. */
function toToml(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.toWellFormed()).replaceAll("\u007f", "\\u007f");
}
