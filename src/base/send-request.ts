/** A server's answer. */
interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** A request to a server. */
export interface ServerRequest {
  readonly url: string;
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /** A longer answer is treated as no answer. */
  readonly maxBytes: number;
  /** Idle time after which a silent server is considered gone; if absent, only the signal ends the request. */
  readonly idleMs?: number;
}

const MAX_URL_CHARS = 1_000;
/** Host names as `URL` normalises them: other spellings of the same addresses become one of these. */
const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)$/;

/** True for an address on this machine, so that the request does not leave it. */
export function isLoopbackUrl(value: unknown): value is string {
  return toTarget(value)?.isLocal === true;
}

/** True for an address where the request cannot be read in transit: https, or on this machine. */
export function isSafeUrl(value: unknown): value is string {
  return toTarget(value) !== null;
}

/**
 * Sends a request; the only place that opens a network connection. Contract: null for an unsafe address, and if no
 * complete answer arrives in time; follows no redirects, uses no proxy; never throws.
 */
export async function sendRequest(asked: ServerRequest): Promise<Answer | null> {
  const { url, method, headers = {}, body, signal, maxBytes, idleMs } = asked;
  const target = toTarget(url);
  if (target === null || signal.aborted) return null;
  const { isLocal, ...place } = target;
  // Loaded lazily, because few users have such a server.
  const { request } = isLocal ? await import("node:http") : await import("node:https");
  const length: Record<string, number> = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const none = () => resolve(null);
    const limit = idleMs === undefined ? {} : { timeout: idleMs };
    const whole = { ...place, method, headers: { ...headers, ...length }, signal, agent: false, ...limit };
    const sent = request(whole, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxBytes) answer.destroy();
      });
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }));
      answer.once("error", none).once("close", none);
    });
    sent.once("timeout", () => sent.destroy());
    sent.once("error", none).end(body);
  });
}

interface JsonRequest extends Pick<ServerRequest, "url" | "headers" | "signal" | "maxBytes"> {
  readonly json: string;
}

interface JsonAnswer {
  readonly status: number;
  readonly text: string;
}

/** Posts JSON. Contract: as `sendRequest`. */
export async function sendJson({ json, headers, ...request }: JsonRequest): Promise<JsonAnswer | null> {
  const all = { ...headers, "content-type": "application/json" };
  const answer = await sendRequest({ ...request, method: "POST", headers: all, body: json });
  return answer === null ? null : { status: answer.status, text: answer.body.toString("utf8") };
}

/** Posts JSON to a server on this machine. Contract: as `sendRequest`; null for every other address. */
export async function sendJsonLocally(request: JsonRequest): Promise<JsonAnswer | null> {
  return isLoopbackUrl(request.url) ? sendJson(request) : null;
}

interface Target {
  readonly isLocal: boolean;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

function toTarget(value: unknown): Target | null {
  if (typeof value !== "string" || value.length > MAX_URL_CHARS || !URL.canParse(value)) return null;
  const { protocol, username, password, hostname, port, pathname, search } = new URL(value);
  if (username !== "" || password !== "") return null;
  const path = pathname + search;
  if (protocol === "https:")
    return { isLocal: false, host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 443), path };
  if (protocol !== "http:" || !LOOPBACK.test(hostname)) return null;
  // Numeric, so that no hosts file or resolver decides where the request goes.
  const host = hostname === "localhost" ? "127.0.0.1" : hostname.replace(/^\[|\]$/g, "");
  return { isLocal: true, host, port: Number(port || 80), path };
}
