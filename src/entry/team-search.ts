import type { Environment } from "../base/environment.ts";
import { splitNames } from "../base/text.ts";
import { SETTINGS } from "../config/settings.ts";
import { hasTeamServer, readTeamServer } from "../config/team-server.ts";
import { findJoin } from "../team/find-join.ts";
import type { TeamSearch } from "../tools/team-search.ts";

/**
 * The team server as tools query it; only the environment can name one. Null if it names none. Contract: does not
 * connect until it is queried.
 */
export function makeTeamSearch(env: Environment): TeamSearch | null {
  if (!hasTeamServer(env)) return null;
  const place = readTeamServer(env);
  const named = splitNames(env[SETTINGS.teamRepos.env] ?? "");
  return {
    url: place.ok ? place.value.url : "",
    inPrompts: named.length === 0 ? null : named.includes("*") ? [] : named,
    ask: async (question, root, signal) => {
      if (!place.ok) return place;
      // Loaded lazily: only teams need it.
      const [{ askTeamFor }, { TeamAnswer }] = await Promise.all([
        import("../team/ask-server.ts"),
        import("../team/shared-index.ts"),
      ]);
      const body = { ...question, own: findOwn(env, place.value.url, root) };
      return askTeamFor(TeamAnswer, place.value, { method: "POST", path: "/v1/search", body, signal });
    },
  };
}

/** The repository's name on the server, taken from the bases that it has joined there; null if it has joined none. */
function findOwn(env: Environment, url: string, root: string): string | null {
  const store = findJoin(env, root).join?.store ?? "";
  const start = `${url}/v1/base/`;
  return store.startsWith(start) ? store.slice(start.length).replace(/\/+$/, "") : null;
}
