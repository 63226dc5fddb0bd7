import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { makeExcluder } from "../base/exclusions.ts";
import { toInside } from "../base/jail.ts";
import { loadToolHooks } from "../config/hook-files.ts";
import type { LoadedSettings } from "../config/load-settings.ts";
import { findHome } from "../config/places.ts";
import type { AskUser, ExternalTools, ToolDeclaration } from "../contract/tool.ts";
import { NO_TOOL_HOOKS } from "../contract/tool-hooks.ts";
import type { GuardPolicy } from "./guard.ts";
import type { LifecycleDeps } from "./tool-executor.ts";
import { makeRouter } from "./tool-router.ts";

/** Who makes calls: a prompt's plan, or somebody who asks for a tool by name. */
export interface Caller {
  readonly env: Environment;
  /** Folder that the caller stands in. */
  readonly folder: string;
  readonly clock: Clock;
  readonly tools: readonly ToolDeclaration[];
  readonly external: ExternalTools;
  readonly prompt: string;
  readonly askUser: AskUser | null;
  readonly ruleOf: LifecycleDeps["ruleOf"];
}

/** What may be read under these settings. Patterns start at the top of the repository, even where the root is below it. */
export function makeGuardPolicy({ settings, root, top }: LoadedSettings): GuardPolicy {
  return { root: root.root, isExcluded: makeExcluder(settings.exclude, toInside(top, root.root) ?? "") };
}

/** Everything that calls need, whoever makes them: the only place that puts it together. Contract: reads the hook files. */
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
 * What calls need where there is neither a repository nor a user, as on a team's server: nothing is excluded, nothing lies outside the
 * root, and there are no hooks. What tools return passes the guard as everywhere.
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
