import type * as z from "zod/mini";
import { sendRequest } from "../base/send-request.ts";
import { isRecord, toOneLine } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";

/** A team's server, and what its holder shows to it. */
export interface TeamPlace {
  readonly url: string;
  readonly token: string;
}

/** A request to a team's server. */
export interface TeamRequest {
  readonly method: "GET" | "POST";
  /** From the first slash on. */
  readonly path: string;
  readonly message?: unknown;
  readonly signal: AbortSignal;
}

const IDLE_MS = 60_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_WHY_CHARS = 300;

/** Asks a team's server. Contract: the answer has the shape; a fault says what is wrong and what to do; never throws. */
export async function askTeam<T>(
  { url, token }: TeamPlace,
  { method, path, message, signal }: TeamRequest,
  shape: z.ZodMiniType<T> | null,
): Promise<Outcome<T>> {
  if (!/^[!-~]*$/.test(token))
    return fail("E_CONFIG", "GROUNDWORK_TEAM_TOKEN is no token", "copy it as it was printed");
  const answer = await sendRequest({
    url: `${url}${path}`,
    method,
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(message === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(message === undefined ? {} : { body: JSON.stringify(message) }),
    signal,
    maxBytes: MAX_ANSWER_BYTES,
    idleMs: IDLE_MS,
  });
  if (answer === null) return fail("E_TOOL_UNAVAILABLE", `the team's server at ${url} does not answer`);
  const told = readAnswer(answer.body);
  if (answer.status >= 300 || answer.status < 200)
    return fail(
      "E_TOOL_UNAVAILABLE",
      `the team's server at ${url} answers with ${answer.status}${sayWhy(told)}`,
      ...(answer.status === 401 ? ["set GROUNDWORK_TEAM_TOKEN to a valid token"] : []),
    );
  if (shape === null) return succeed(undefined as T);
  const { data, success } = shape.safeParse(told);
  return success
    ? succeed(data)
    : fail("E_PARSE", `what ${url} answers is not understood; it may be of another version`);
}

function readAnswer(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

/** What a server says of an error. It is not trusted: one short line. */
function sayWhy(told: unknown): string {
  const why =
    isRecord(told) && typeof told["error"] === "string" ? toOneLine(told["error"]).slice(0, MAX_WHY_CHARS) : "";
  return why === "" ? "" : `: ${why}`;
}
