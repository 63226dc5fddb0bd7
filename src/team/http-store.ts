import { sendRequest } from "../base/send-request.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { ObjectStore } from "./object-store.ts";

/** Idle time after which a silent server is considered gone. */
const IDLE_MS = 20_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Store on any HTTP server that serves files and, for publishing, accepts PUT. `token` is sent as a bearer token.
 * Contract: as `ObjectStore`; if the server ignores `If-None-Match`, two simultaneous publishers may both succeed.
 */
export function makeHttpStore(url: string, token: string | null, idleMs = IDLE_MS): ObjectStore {
  const at = (name: string) => `${url.replace(/\/+$/, "")}/${name}`;
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const unreachable = fail("E_TOOL_UNAVAILABLE", `${url} does not answer`);
  const refused = (status: number): Outcome<never> =>
    fail(
      "E_TOOL_UNAVAILABLE",
      `${url} answers with ${status}`,
      ...(status === 401 || status === 403 ? ["set GROUNDWORK_BASE_TOKEN to what the server wants"] : []),
    );
  const put = async (name: string, bytes: Uint8Array, more: Record<string, string>, signal: AbortSignal) =>
    sendRequest({
      url: at(name),
      method: "PUT",
      headers: { ...headers, "content-type": "application/octet-stream", ...more },
      body: bytes,
      signal,
      maxBytes: MAX_ANSWER_BYTES,
      idleMs,
    });
  const has: ObjectStore["has"] = async (name, signal) => {
    const answer = await sendRequest({
      url: at(name),
      method: "HEAD",
      headers,
      signal,
      maxBytes: MAX_ANSWER_BYTES,
      idleMs,
    });
    if (answer === null) return unreachable;
    return answer.status === 200 ? succeed(true) : answer.status === 404 ? succeed(false) : refused(answer.status);
  };
  return {
    place: url,
    open: async () => succeed(undefined),
    get: async (name, maxBytes, signal) => {
      const answer = await sendRequest({ url: at(name), method: "GET", headers, signal, maxBytes, idleMs });
      if (answer === null) return unreachable;
      if (answer.status === 404) return succeed(null);
      return answer.status === 200 ? succeed(answer.body) : refused(answer.status);
    },
    has,
    put: async (name, bytes, signal) => {
      const answer = await put(name, bytes, {}, signal);
      if (answer === null) return unreachable;
      return isDone(answer.status) ? succeed(undefined) : refused(answer.status);
    },
    putNew: async (name, bytes, signal) => {
      const known = await has(name, signal);
      if (!known.ok) return known;
      if (known.value) return succeed(false);
      const answer = await put(name, bytes, { "if-none-match": "*" }, signal);
      if (answer === null) return unreachable;
      if (answer.status === 412 || answer.status === 409) return succeed(false);
      return isDone(answer.status) ? succeed(true) : refused(answer.status);
    },
    remove: async (name, signal) => {
      const answer = await sendRequest({
        url: at(name),
        method: "DELETE",
        headers,
        signal,
        maxBytes: MAX_ANSWER_BYTES,
        idleMs,
      });
      if (answer === null) return unreachable;
      return isDone(answer.status) || answer.status === 404 ? succeed(undefined) : refused(answer.status);
    },
  };
}

function isDone(status: number): boolean {
  return status >= 200 && status < 300;
}
