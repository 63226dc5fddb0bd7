import type { Environment } from "../base/environment.ts";
import { isSafeUrl } from "../base/send-request.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";

/** Address of a team's server, and the token for it. */
export interface TeamServerPlace {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
}

const TOKEN = /^[\x21-\x7e]{1,200}$/;

/** True if the environment names a team's server. */
export function hasTeamServer(env: Environment): boolean {
  return (env["GROUNDWORK_TEAM_URL"]?.trim() ?? "") !== "";
}

/**
 * Reads the team server from the environment. Contract: pure; only the environment decides, files cannot; a fault says
 * what to set and contains no token.
 */
export function readTeamServer(env: Environment): Outcome<TeamServerPlace> {
  const url = env["GROUNDWORK_TEAM_URL"]?.trim().replace(/\/{1,20}$/, "") ?? "";
  const token = env["GROUNDWORK_TEAM_TOKEN"]?.trim() ?? "";
  if (url === "") return fail("E_CONFIG", "no team's server is named", "set GROUNDWORK_TEAM_URL to its address");
  if (!isSafeUrl(url) || /[?#]/.test(url))
    return fail("E_CONFIG", "GROUNDWORK_TEAM_URL is neither an https address nor an http address on this machine");
  if (!TOKEN.test(token))
    return fail("E_CONFIG", "the token for the team's server is missing", "set GROUNDWORK_TEAM_TOKEN to yours");
  return succeed({ url, token });
}
