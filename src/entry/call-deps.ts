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

/** The client that calls tools by name, and where it calls from. */
export interface Caller {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The caller's current folder. */
  readonly folder: string;
  readonly tools: readonly ToolDeclaration[];
  readonly askUser: AskUser | null;
}

/** Longer than the limit of a prompt: the caller asked for the tool explicitly. */
const TIMEOUT_MS = 60_000;

/** Opens what calls by name need at every entry point: the settings, root and hooks for the caller's folder. */
export async function openToolCalls({
  env,
  folder,
  tools,
  askUser,
}: Caller): Promise<Outcome<Omit<LifecycleDeps, "signal">>> {
  const loaded = await loadSettings({ env, folder, bounds: tools });
  if (!loaded.ok) return loaded;
  const { settings, servers, root, top, fault } = loaded.value;
  // An unreadable settings file may have excluded files that the call would show.
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
