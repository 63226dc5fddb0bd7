import type { Clock } from "../base/clock.ts";
import { makeExcluder } from "../base/exclusions.ts";
import { toInside } from "../base/jail.ts";
import { loadToolHooks } from "../config/hook-files.ts";
import type { LoadedSettings } from "../config/load-settings.ts";
import { findHome } from "../config/places.ts";
import type { ExternalTools, ToolDeclaration } from "../contract/tool.ts";
import { NO_TOOL_HOOKS } from "../contract/tool-hooks.ts";
import type { GuardPolicy } from "./guard.ts";
import type { LifecycleDeps } from "./tool-executor.ts";
import { makeRouter } from "./tool-router.ts";

/** Source of tool calls: the plan of a prompt, or a client that requests a tool by name. */
export interface Caller extends Pick<LifecycleDeps, "env" | "clock" | "prompt" | "askUser" | "ruleOf"> {
  /** Working folder of the caller. */
  readonly folder: string;
  readonly tools: readonly ToolDeclaration[];
  readonly external: ExternalTools;
}

/**
 * Guard policy for these settings. Exclusion patterns also apply from the top of the repository if the root is a
 * subfolder of it.
 */
export function makeGuardPolicy({ settings, root, top }: LoadedSettings): GuardPolicy {
  return { root: root.root, isExcluded: makeExcluder(settings.exclude, toInside(top, root.root) ?? "") };
}

/**
 * Builds the dependencies of tool calls in a repository, for every kind of caller; no other code assembles them.
 * Contract: reads the hook files.
 */
export function makeLifecycleDeps(
  loaded: LoadedSettings,
  { env, folder, clock, tools, external, prompt, askUser, ruleOf }: Caller,
): Omit<LifecycleDeps, "signal"> {
  return {
    ...makeGuardPolicy(loaded),
    router: makeRouter(tools, external.find),
    hooks: loadToolHooks(findHome(env), loaded.top),
    ruleOf,
    cwd: folder,
    usesIndex: loaded.settings.index === "auto",
    prompt,
    env,
    clock,
    askUser,
  };
}

/**
 * Builds the dependencies of tool calls without a repository and a user, as on a team server: nothing is excluded, no
 * path is outside the root, and there are no hooks. The results of tools still pass the guard.
 */
export function makePlainDeps(
  tools: readonly ToolDeclaration[],
  clock: Clock,
  timeoutMs: number,
): Omit<LifecycleDeps, "signal"> {
  return {
    router: makeRouter(tools),
    hooks: NO_TOOL_HOOKS,
    cwd: "/",
    root: "/",
    isExcluded: () => false,
    ruleOf: ({ ceilings }) => ({ timeoutMs, ceilings }),
    usesIndex: false,
    prompt: "",
    env: {},
    clock,
    askUser: null,
  };
}
