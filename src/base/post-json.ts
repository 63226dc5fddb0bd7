/** What a server answered. */
export interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

/** What is sent to one. */
export interface PostRequest {
  readonly url: string;
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** An answer that is longer counts as none. */
  readonly maxBytes: number;
}

const MAX_URL_CHARS = 1_000;
/** As `URL` writes them: other spellings of the same addresses have become these. */
const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)$/;

/** True for an address on this machine, which nothing that is sent to can leave by itself. */
export function isLoopbackUrl(value: unknown): value is string {
  return toTarget(value)?.isLocal === true;
}

/** True for an address where what is sent cannot be read on the way: https, or on this machine. */
export function isSafeUrl(value: unknown): value is string {
  return toTarget(value) !== null;
}

/** Sends JSON to a server on this machine. Contract: as `postJson`; null for every other address. */
export async function postLocally(request: PostRequest): Promise<PostAnswer | null> {
  return isLoopbackUrl(request.url) ? postJson(request) : null;
}

/**
 * Sends JSON: the only place that opens a connection. Contract: null for an address that is not safe, and where there is
 * no answer until the signal; follows no redirect, knows no proxy; never throws.
 */
export async function postJson({ url, json, headers, signal, maxBytes }: PostRequest): Promise<PostAnswer | null> {
  const target = toTarget(url);
  if (target === null || signal.aborted) return null;
  const { isLocal, ...place } = target;
  // Loaded here, because hardly anybody has such a server.
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
  // By number, so that no table of names decides where it goes.
  const host = hostname === "localhost" ? "127.0.0.1" : hostname.replace(/^\[|\]$/g, "");
  return { isLocal: true, host, port: Number(port || 80), path };
}
