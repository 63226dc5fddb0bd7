import type { Environment } from "../base/environment.ts";
import { SETTINGS } from "../config/settings.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { ModelSettings } from "../tools/investigate.ts";
import { makeRegistry } from "../tools/registry.ts";
import { makeDoorEngine } from "./engine.ts";
import { makeTeamSearch } from "./team-search.ts";

/** The model that leads investigations: only the environment can name one, never a file of a repository. */
function modelSettings(env: Environment): ModelSettings | null {
  const read = (name: "investigateEndpoint" | "investigateModel" | "investigateKeyVariable") => {
    const value = env[SETTINGS[name].env]?.trim();
    return SETTINGS[name].accepts(value) ? value : "";
  };
  const endpoint = read("investigateEndpoint");
  const api = env[SETTINGS.investigateApi.env]?.trim() || SETTINGS.investigateApi.fallback;
  if (endpoint === "" || !SETTINGS.investigateApi.accepts(api)) return null;
  const key = env[read("investigateKeyVariable")]?.trim() ?? "";
  return { endpoint, api, model: read("investigateModel"), key };
}

/** Makes the tools for every entry point that accepts calls by name. Contract: does nothing until one is called. */
export function makeDoorTools(env: Environment, engine = makeDoorEngine(env)): readonly ToolDeclaration[] {
  return makeRegistry(engine, modelSettings(env), makeTeamSearch(env));
}
