import { sendRequest } from "../base/send-request.ts";
import { isRecord, parseObject, textOf } from "../base/text.ts";
import { type Gate, originOf, toChangeHeaders } from "./request-guard.ts";

const LIMIT_MS = 5_000;
const MAX_BYTES = 4_096;

/** Asks a running server for an address that admits whoever opens it first. Contract: null if it gives none. */
export async function askOpening(gate: Gate): Promise<string | null> {
  const answer = await sendRequest({
    url: `${originOf(gate)}/api/opening`,
    method: "POST",
    headers: toChangeHeaders(gate),
    body: "{}",
    maxBytes: MAX_BYTES,
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const done = answer?.status === 200 ? parseObject(answer.body.toString("utf8"))?.["done"] : null;
  const address = isRecord(done) ? textOf(done, "address") : "";
  return address.startsWith(`${originOf(gate)}/`) ? address : null;
}
