import { systemClock } from "../base/clock.ts";
import { loadSettings } from "../config/load-settings.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { type Caller, makeLifecycleDeps } from "../lifecycle/lifecycle-deps.ts";
import { executeToolCall, type LifecycleDeps } from "../lifecycle/tool-executor.ts";
import type { ToolOutcome } from "../lifecycle/tool-outcome.ts";
import { makeExternalTools } from "../tools/external/external-tools.ts";
import { terminalAsker } from "./ask-terminal.ts";
import { namedFolder } from "./process.ts";

/** Minimum tool timeout: a person or program that calls a tool by name waits longer than a prompt does. */
const TIMEOUT_MS = 60_000;

/**
 * Dependencies of calls by name, the same for every entry point: the settings, root and hooks of the caller's folder.
 */
export async function openToolCalls(
  caller: Pick<Caller, "env" | "folder" | "tools" | "askUser">,
): Promise<Outcome<Omit<LifecycleDeps, "signal">>> {
  const { env, folder, tools } = caller;
  const loaded = await loadSettings({ env, folder, bounds: tools });
  if (!loaded.ok) return loaded;
  const { servers, root, fault } = loaded.value;
  // An unreadable settings file may have excluded what the call would show.
  if (fault !== null) return { ok: false, fault };
  return succeed(
    makeLifecycleDeps(loaded.value, {
      ...caller,
      clock: systemClock,
      external: makeExternalTools(servers, { env, root: root.root }),
      prompt: "",
      ruleOf: ({ timeoutMs, ceilings }) => ({ timeoutMs: Math.max(TIMEOUT_MS, timeoutMs), ceilings }),
    }),
  );
}

/** Prepares calls by name from the command line, in the folder that `--repo` names. */
export async function openCommandCalls(
  repo: string | null | undefined,
  tools: readonly ToolDeclaration[],
): Promise<Outcome<(tool: string, args: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>>> {
  const folder = namedFolder(repo);
  const deps = await openToolCalls({ env: process.env, folder, tools, askUser: terminalAsker() });
  if (!deps.ok) return deps;
  const { signal } = new AbortController();
  return succeed((tool, args) => executeToolCall({ tool, args, origin: "cli" }, { ...deps.value, signal }));
}
