import { cutText, parseObject, textOf, toOneLine } from "../../base/text.ts";
import type { TeamServerPlace } from "../../config/team-server.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import type { TeamReply } from "../ask-server.ts";

const MAX_REASON_CHARS = 300;

/** Data of a successful answer; otherwise a fault with the server's own error message as one line. */
export function toData(place: TeamServerPlace, answer: TeamReply | null): Outcome<Readonly<Record<string, unknown>>> {
  const taken = toBytes(place, answer);
  if (!taken.ok) return taken;
  const data = parseObject(taken.value.toString("utf8"));
  return data === null ? fail("E_PARSE", `${place.url} answers with something other than data`) : succeed(data);
}

/** Like `toData`, for raw bytes. */
export function toBytes({ url }: TeamServerPlace, answer: TeamReply | null): Outcome<Buffer> {
  if (answer === null) return fail("E_TOOL_UNAVAILABLE", `${url} does not answer`);
  const { status, body } = answer;
  if (status >= 200 && status < 300) return succeed(body);
  const said = textOf(parseObject(body.toString("utf8")), "error");
  const why = cutText(toOneLine(said), MAX_REASON_CHARS).text || `it answers with ${status}`;
  if (status === 401) return fail("E_CONFIG", `${url} does not know this token`, "set GROUNDWORK_TEAM_TOKEN");
  return fail(status >= 500 || status === 429 ? "E_TOOL_UNAVAILABLE" : "E_INVALID_ARGS", why);
}
