interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

interface PostRequest {
  readonly url: string;
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** A longer response is treated as no response. */
  readonly maxBytes: number;
}

const MAX_URL_CHARS = 1_000;
/** Host names as `URL` normalizes them: other spellings of the same addresses become one of these. */
const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)$/;

/** True for an address on this machine, so that the request does not leave it. */
export function isLoopbackUrl(value: unknown): value is string {
  return toTarget(value)?.isLocal === true;
}

/** True for an address where the request cannot be read in transit: https, or on this machine. */
export function isSafeUrl(value: unknown): value is string {
  return toTarget(value) !== null;
}

/** Posts JSON to a server on this machine. Contract: as `postJson`; null for every other address. */
export async function postLocally(request: PostRequest): Promise<PostAnswer | null> {
  return isLoopbackUrl(request.url) ? postJson(request) : null;
}

/**
 * Posts JSON; the only place that opens a network connection. Contract: null for an address that is not safe, and if no
 * response arrives before the signal aborts; follows no redirects, uses no proxy; never throws.
 */
export async function postJson({ url, json, headers, signal, maxBytes }: PostRequest): Promise<PostAnswer | null> {
  const target = toTarget(url);
  if (target === null || signal.aborted) return null;
  const { isLocal, ...place } = target;
  // Loaded lazily, because few users have such a server.
  const { request } = isLocal ? await import("node:http") : await import("node:https");
  return new Promise((resolve) => {
    const none = () => resolve(null);
    const all = { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(json) };
    const sent = request({ ...place, method: "POST", headers: all, signal, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxBytes) answer.destroy();
      });
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
      );
      answer.once("error", none).once("close", none);
    });
    sent.once("error", none).end(json);
  });
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
