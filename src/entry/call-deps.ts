import { systemClock } from "../base/clock.ts";
import { makeExcluder } from "../base/exclusions.ts";
import { findHome } from "../config/home.ts";
import { loadToolHooks } from "../config/hook-files.ts";
import { loadSettings } from "../config/load-settings.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { AskUser, ToolDeclaration } from "../contract/tool.ts";
import type { LifecycleDeps } from "../lifecycle/tool-executor.ts";
import { makeRouter } from "../lifecycle/tool-router.ts";
import { makeExternalTools } from "../tools/external/external-tools.ts";

/** Who calls tools by name, and from where. */
export interface Caller {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that it stands in. */
  readonly folder: string;
  readonly tools: readonly ToolDeclaration[];
  readonly askUser: AskUser | null;
}

/** A person or a program that asks for a tool waits longer than a prompt does. */
const TIMEOUT_MS = 60_000;

/** What calls by name need, as every door has it: the settings, the root and the hooks of where the caller stands. */
export async function openToolCalls({
  env,
  folder,
  tools,
  askUser,
}: Caller): Promise<Outcome<Omit<LifecycleDeps, "signal">>> {
  const loaded = await loadSettings({ env, folder, bounds: tools });
  if (!loaded.ok) return loaded;
  const { settings, servers, root, top, fault } = loaded.value;
  // A file that cannot be read may have excluded what the call would show.
  if (fault !== null) return { ok: false, fault };
  const external = makeExternalTools(servers, { env, root: root.root });
  return succeed({
    router: makeRouter(tools, external.find),
    hooks: loadToolHooks(findHome(env), top),
    ruleOf: ({ timeoutMs, ceilings }) => ({ timeoutMs: Math.max(TIMEOUT_MS, timeoutMs), ceilings }),
    root: root.root,
    cwd: folder,
    isExcluded: makeExcluder(settings.exclude, root.root === top ? "" : root.root.slice(top.length + 1)),
    usesIndex: settings.index === "auto",
    prompt: "",
    env,
    clock: systemClock,
    askUser,
  });
}
