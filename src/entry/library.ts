import { groupByResource, readCall, toAsker, toFunctionResult, toUnrun } from "../adapters/library/messages.ts";
import { findRepoRoot } from "../base/repo-root.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { loadToolHooks } from "../config/hook-files.ts";
import { findHome } from "../config/places.ts";
import type { FunctionCall, FunctionOptions, FunctionResult } from "../contract/library.ts";
import type { HookVerdict } from "../contract/tool-hooks.ts";
import { executeToolCall as runCall } from "../lifecycle/tool-executor.ts";
import type { HookSettings } from "../lifecycle/tool-hooks.ts";
import * as hooks from "../lifecycle/tool-hooks.ts";
import { normalizeToolArgs as normalize } from "../lifecycle/tool-router.ts";
import { openToolCalls } from "./call-deps.ts";
import { makeDoorEngine } from "./engine.ts";
import { makeDoorTools } from "./tools.ts";

/** Calls, their options and their results. */
export type { FunctionCall, FunctionOptions, FunctionResult } from "../contract/library.ts";

const never = new AbortController().signal;
process.once("exit", stopAllPrograms);

/** Makes one call: before hooks, tool, after hooks. Contract: never throws for a failing tool or hook. */
export async function executeToolCall(call: FunctionCall, options: FunctionOptions = {}): Promise<FunctionResult> {
  const { id, tool, args } = readCall(call);
  // One engine per call: its caches serve that call only, so that the next call sees the current files.
  const engine = makeDoorEngine(process.env);
  try {
    const deps = await openToolCalls({
      env: process.env,
      folder: options.cwd ?? process.cwd(),
      tools: makeDoorTools(process.env, engine),
      askUser: toAsker(options.onUserInteractionNeeded),
    });
    if (!deps.ok) return { tool_call_id: id, role: "tool", content: `Error: ${deps.fault.message}` };
    const { signal = never, origin = "library" } = options;
    return toFunctionResult(id, await runCall({ tool, args, origin }, { ...deps.value, signal }));
  } finally {
    engine.close();
  }
}

/**
 * Makes several calls: calls on the same resource run in sequence, others concurrently. After a failed hook, the
 * remaining calls of its sequence are skipped. Contract: as for `executeToolCall`; results are in the order of the
 * calls.
 */
export async function executeToolCalls(
  calls: readonly FunctionCall[],
  options: FunctionOptions = {},
): Promise<FunctionResult[]> {
  const results = calls.map(toUnrun);
  const runGroup = async (group: readonly number[]) => {
    for (const at of group) {
      const call = calls[at];
      if (call === undefined) continue;
      const result = await executeToolCall(call, options);
      results[at] = result;
      if (result.hookFailed === true) return;
    }
  };
  const resources = new Map(makeDoorTools(process.env).map(({ name, resource }) => [name, resource]));
  await Promise.all(groupByResource(calls, (name) => resources.get(name)).map(runGroup));
  return results;
}

/** Normalises arguments to the form that hooks and tools see; see the contract of the function itself. */
export const normalizeToolArgs = normalize;

/** Runs the before hooks for a call that is made elsewhere, as configured for the caller's folder. */
export const runBeforeToolHooks = withHooks(hooks.runBeforeToolHooks);

/** Runs the after hooks for a call that was made elsewhere. */
export const runAfterToolHooks = withHooks(hooks.runAfterToolHooks);

function withHooks<Context>(run: (context: Context, settings: HookSettings) => Promise<HookVerdict>) {
  return (
    context: Context,
    { cwd = process.cwd(), signal = never }: Pick<FunctionOptions, "cwd" | "signal"> = {},
  ): Promise<HookVerdict> =>
    run(context, {
      hooks: loadToolHooks(findHome(process.env), findRepoRoot(cwd).root),
      cwd,
      env: process.env,
      signal,
    });
}
