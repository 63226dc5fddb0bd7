import type { Environment } from "../../base/environment.ts";
import { isSafeUrl, type ServerRequest, sendRequest } from "../../base/send-request.ts";
import { cutText, parseObject, textOf, toOneLine } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";

/** A team's server and who asks it. */
export interface TeamAccess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

/** A question to it. */
interface TeamQuestion {
  readonly method: ServerRequest["method"];
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What it answered. */
export interface TeamAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** A server that says nothing for so long has gone. */
const IDLE_MS = 20_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_REASON_CHARS = 300;

/** Finds the server that the environment names. Contract: a fault says what to set; a repository names none. */
export function findTeamAccess(env: Environment): Outcome<TeamAccess> {
  const { GROUNDWORK_TEAM_URL: url = "", GROUNDWORK_TEAM_TOKEN: token = "" } = env;
  if (url === "") return fail("E_CONFIG", "no team's server is known here", "set GROUNDWORK_TEAM_URL to its address");
  if (!isSafeUrl(url))
    return fail(
      "E_CONFIG",
      "GROUNDWORK_TEAM_URL is no address that nobody reads along",
      "use https, or http on this machine",
    );
  if (token === "")
    return fail(
      "E_CONFIG",
      "the team's server wants a token",
      "set GROUNDWORK_TEAM_TOKEN; groundwork team token create makes one",
    );
  if (!/^[\w-]{1,200}$/.test(token)) return fail("E_CONFIG", "GROUNDWORK_TEAM_TOKEN is no token");
  return succeed({ url: url.replace(/\/+$/, ""), token });
}

/** Asks a team's server. Contract: never throws; null where no whole answer came. */
export function askServer({ url, token }: TeamAccess, question: TeamQuestion): Promise<TeamAnswer | null> {
  const { path, headers = {}, ...rest } = question;
  return sendRequest({
    ...rest,
    url: `${url}${path}`,
    headers: { ...headers, authorization: `Bearer ${token}` },
    maxBytes: MAX_ANSWER_BYTES,
    idleMs: IDLE_MS,
  });
}

/** The data of an answer that went well; otherwise the fault, in the server's own words as one line. */
export function toData({ url }: TeamAccess, answer: TeamAnswer | null): Outcome<Readonly<Record<string, unknown>>> {
  const taken = toBytes({ url }, answer);
  if (!taken.ok) return taken;
  const data = parseObject(taken.value.toString("utf8"));
  return data === null ? fail("E_PARSE", `${url} answers with something else than data`) : succeed(data);
}

/** The same for bytes as they are. */
export function toBytes({ url }: Pick<TeamAccess, "url">, answer: TeamAnswer | null): Outcome<Buffer> {
  if (answer === null) return fail("E_TOOL_UNAVAILABLE", `${url} does not answer`);
  const { status, body } = answer;
  if (status >= 200 && status < 300) return succeed(body);
  const said = textOf(parseObject(body.subarray(0, MAX_ANSWER_BYTES).toString("utf8")), "error");
  const why = cutText(toOneLine(said), MAX_REASON_CHARS).text || `it answers with ${status}`;
  if (status === 401) return fail("E_CONFIG", `${url} does not know this token`, "set GROUNDWORK_TEAM_TOKEN");
  return fail(status >= 500 || status === 429 ? "E_TOOL_UNAVAILABLE" : "E_INVALID_ARGS", why);
}
