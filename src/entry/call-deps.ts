import { systemClock } from "../base/clock.ts";
import { loadSettings } from "../config/load-settings.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import { type Caller, makeLifecycleDeps } from "../lifecycle/lifecycle-deps.ts";
import type { LifecycleDeps } from "../lifecycle/tool-executor.ts";
import { makeExternalTools } from "../tools/external/external-tools.ts";

/** A person or a program that asks for a tool waits longer than a prompt does. */
const TIMEOUT_MS = 60_000;

/** What calls by name need, as every door has it: the settings, the root and the hooks of where the caller stands. */
export async function openToolCalls(
  caller: Pick<Caller, "env" | "folder" | "tools" | "askUser">,
): Promise<Outcome<Omit<LifecycleDeps, "signal">>> {
  const { env, folder, tools } = caller;
  const loaded = await loadSettings({ env, folder, bounds: tools });
  if (!loaded.ok) return loaded;
  const { servers, root, fault } = loaded.value;
  // A file that cannot be read may have excluded what the call would show.
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
