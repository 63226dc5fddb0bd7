import type * as z from "zod/mini";
import { readPolicyArgs } from "../policy/args.ts";
import { readStated } from "../policy/policy.ts";
import { parseStartOptions } from "../run/start-options.ts";
import type { ExecInput } from "./codex-inputs.ts";

/** The options of a run that an MCP client can set. */
export type McpRunInputs = z.output<ReturnType<typeof ExecInput>>;

/**
 * Translates a call's inputs into options of start.sh, the caller's own arguments last. Contract: pure; adds a sandbox
 * if the caller named none: danger-full-access with a bypass, else workspace-write; permissions of any name do not
 * count as a sandbox. Contradictory repetitions stay, for the policy to refuse.
 */
export function injectMcpOptions(inputs: McpRunInputs): string[] {
  const config = Object.entries(inputs.codexConfig ?? {}).map(([key, value]) => `${key}=${toToml(value)}`);
  // Everything after `--` is Codex's, so additions come first.
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

/**
 * The part of start.sh's options that goes to Codex. Options that start.sh refuses may be meant for another start
 * program.
 */
function codexArgsOf(args: readonly string[]): readonly string[] {
  const read = parseStartOptions(args, {});
  return read.ok ? read.value.codexArgs : args;
}

/** An explicit false is passed on too: it overrides the user's own configuration of Codex. */
function toNetwork(network: boolean | undefined): string | undefined {
  return network === undefined ? undefined : `sandbox_workspace_write.network_access=${network}`;
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

function flag(name: string, isOn: boolean | undefined): string[] {
  return isOn === true ? [name] : [];
}

/** Numbers, booleans and strings are written in TOML as in JSON, except for lone surrogates and U+007F in strings. */
function toToml(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.toWellFormed()).replaceAll("\u007f", "\\u007f");
}
