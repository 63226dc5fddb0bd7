import type * as z from "zod/mini";
import { type ServerRequest, sendRequest } from "../base/send-request.ts";
import { cutText, parseObject, textOf } from "../base/text.ts";
import type { TeamServerPlace } from "../config/team-server.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";

/** A raw request to a team's server. */
interface TeamMessage extends Pick<ServerRequest, "method" | "body" | "headers" | "signal"> {
  /** Includes the query; begins with a slash. */
  readonly path: string;
}

/** The server's raw answer. */
export type TeamReply = NonNullable<Awaited<ReturnType<typeof sendRequest>>>;

/** Idle time after which a silent server is considered gone. */
const IDLE_MS = 60_000;

/** Sends a request to a team's server. Contract: never throws; null if no complete answer arrived. */
export function sendToTeam({ url, token }: TeamServerPlace, message: TeamMessage): Promise<TeamReply | null> {
  const { path, headers = {}, ...rest } = message;
  return sendRequest({
    ...rest,
    url: `${url}${path}`,
    headers: { ...headers, authorization: `Bearer ${token}` },
    maxBytes: MAX_ANSWER_BYTES,
    idleMs: IDLE_MS,
  });
}

/** A JSON request to a team's server. */
interface TeamRequest extends Pick<TeamMessage, "path" | "signal"> {
  readonly method: "GET" | "POST";
  /** Sent as JSON. */
  readonly body?: unknown;
}

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_SAID_CHARS = 200;

/**
 * Sends a JSON request to a team's server. Contract: never throws; the fault code tells what is wrong:
 * `E_TOOL_UNAVAILABLE` if a retry may help, `E_CONFIG` for a token that is invalid or lacks the permission,
 * `E_INVALID_ARGS` for a request that the server will never accept. The answer is untrusted.
 */
export async function askTeamServer(
  place: TeamServerPlace,
  { method, path, body, signal }: TeamRequest,
): Promise<Outcome<Readonly<Record<string, unknown>>>> {
  const answer = await sendToTeam(place, {
    method,
    path,
    signal,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (answer === null)
    return fail(
      "E_TOOL_UNAVAILABLE",
      "the team's server does not answer",
      "check GROUNDWORK_TEAM_URL, or try again later",
    );
  const { status } = answer;
  const said = parseObject(answer.body.toString("utf8"));
  const why = cutText(textOf(said, "error"), MAX_SAID_CHARS).text;
  const because = why === "" ? "" : `: ${why}`;
  if (status === 204) return succeed({});
  if (status === 200 && said !== null) return succeed(said);
  if (status === 401)
    return fail(
      "E_CONFIG",
      "the team's server does not know this token",
      "ask for a new one, and set GROUNDWORK_TEAM_TOKEN to it",
    );
  if (status === 403) return fail("E_CONFIG", `the team's server refuses${because}`);
  if (status === 400 || status === 413 || status === 422)
    return fail("E_INVALID_ARGS", `the team's server does not take this${because}`);
  return fail("E_TOOL_UNAVAILABLE", `the team's server answers with ${status}${because}`);
}

/** Like `askTeamServer`, for an answer of the given shape. Contract: an answer of another shape is a fault. */
export async function askTeamFor<T>(
  shape: z.ZodMiniType<T>,
  place: TeamServerPlace,
  request: TeamRequest,
): Promise<Outcome<T>> {
  const answer = await askTeamServer(place, request);
  if (!answer.ok) return answer;
  const { data, success } = shape.safeParse(answer.value);
  return success
    ? succeed(data)
    : fail("E_PARSE", "the answer of the team's server is not understood; it may be of another version");
}
