import type { Environment } from "../base/environment.ts";
import { fromVariable, SETTINGS } from "../config/settings.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { ModelSettings } from "../tools/investigate.ts";
import { makeRegistry } from "../tools/registry.ts";
import { makeDoorEngine } from "./engine.ts";
import { makeTeamSearch } from "./team-search.ts";

/** The model that leads investigations: only the environment can name one, never a file of a repository. */
function modelSettings(env: Environment): ModelSettings | null {
  const { env: variable, fallback } = SETTINGS.investigateApi;
  const endpoint = fromVariable(env, "investigateEndpoint");
  const api = env[variable]?.trim() ? fromVariable(env, "investigateApi") : fallback;
  if (endpoint === undefined || api === undefined) return null;
  const key = env[fromVariable(env, "investigateKeyVariable") ?? ""]?.trim() ?? "";
  return { endpoint, api, model: fromVariable(env, "investigateModel") ?? "", key };
}

/** Makes the tools for every entry point that accepts calls by name. Contract: does nothing until one is called. */
export function makeDoorTools(env: Environment, engine = makeDoorEngine(env)): readonly ToolDeclaration[] {
  return makeRegistry(engine, modelSettings(env), makeTeamSearch(env));
}
