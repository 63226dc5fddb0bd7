import { type ServerRequest, sendRequest } from "../base/send-request.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { ObjectStore } from "./object-store.ts";

/** Idle time after which a silent server is considered gone. */
const IDLE_MS = 20_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** An answer's meaning; undefined if the server refuses. */
type Reading<T> = (status: number, body: Buffer) => Outcome<T> | undefined;

/**
 * Store on any HTTP server that serves files and, for publishing, accepts PUT. `token` is sent as a bearer token.
 * Contract: as `ObjectStore`; if the server ignores `If-None-Match`, two simultaneous publishers may both succeed.
 */
export function makeHttpStore(url: string, token: string | null, idleMs = IDLE_MS): ObjectStore {
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const ask = async <T>(
    name: string,
    { headers, ...request }: Pick<ServerRequest, "method" | "headers" | "body" | "signal"> & { maxBytes?: number },
    read: Reading<T>,
  ): Promise<Outcome<T>> => {
    const answer = await sendRequest({
      url: `${url.replace(/\/+$/, "")}/${name}`,
      headers: { ...authorization, ...headers },
      maxBytes: MAX_ANSWER_BYTES,
      idleMs,
      ...request,
    });
    if (answer === null) return fail("E_TOOL_UNAVAILABLE", `${url} does not answer`);
    const { status, body } = answer;
    const hint = status === 401 || status === 403 ? "set GROUNDWORK_BASE_TOKEN to what the server wants" : undefined;
    return read(status, body) ?? fail("E_TOOL_UNAVAILABLE", `${url} answers with ${status}`, hint);
  };
  const put = (body: Uint8Array, signal: AbortSignal, more: Record<string, string> = {}) =>
    ({ method: "PUT", headers: { "content-type": "application/octet-stream", ...more }, body, signal }) as const;
  return {
    place: url,
    open: async () => succeed(undefined),
    get: (name, maxBytes, signal) =>
      ask(name, { method: "GET", maxBytes, signal }, (status, body) =>
        status === 200 ? succeed(body) : status === 404 ? succeed(null) : undefined,
      ),
    put: (name, bytes, signal) =>
      ask(name, put(bytes, signal), (status) => (isDone(status) ? succeed(undefined) : undefined)),
    putNew: async (name, bytes, signal) => {
      const known = await ask(name, { method: "HEAD", signal }, (status) =>
        status === 200 ? succeed(true) : status === 404 ? succeed(false) : undefined,
      );
      if (!known.ok) return known;
      if (known.value) return succeed(false);
      return ask(name, put(bytes, signal, { "if-none-match": "*" }), (status) =>
        isDone(status) ? succeed(true) : status === 412 || status === 409 ? succeed(false) : undefined,
      );
    },
    remove: (name, signal) =>
      ask(name, { method: "DELETE", signal }, (status) =>
        isDone(status) || status === 404 ? succeed(undefined) : undefined,
      ),
  };
}

function isDone(status: number): boolean {
  return status >= 200 && status < 300;
}
