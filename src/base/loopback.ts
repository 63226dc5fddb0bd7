/** What a server on this machine answered. */
export interface LocalAnswer {
  readonly status: number;
  readonly text: string;
}

/** What is sent to one. */
export interface LocalRequest {
  /** One that `isLoopbackUrl` accepts. */
  readonly url: string;
  readonly json: string;
  readonly signal: AbortSignal;
  /** An answer that is longer counts as none. */
  readonly maxBytes: number;
}

const MAX_URL_CHARS = 1_000;
/** As `URL` writes them: other spellings of the same addresses have become these. */
const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)$/;

/** True for an address on this machine, which nothing that is sent to can leave by itself. */
export function isLoopbackUrl(value: unknown): value is string {
  return typeof value === "string" && toLoopback(value) !== null;
}

/**
 * Sends JSON to a server on this machine: the only connection that is ever opened. Contract: null for every other
 * address, and where there is no answer until the signal; follows no redirect, knows no proxy; never throws.
 */
export async function postLocally({ url, json, signal, maxBytes }: LocalRequest): Promise<LocalAnswer | null> {
  const target = toLoopback(url);
  if (target === null || signal.aborted) return null;
  // Loaded here, because hardly anybody has such a server.
  const { request } = await import("node:http");
  return new Promise((resolve) => {
    const none = () => resolve(null);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(json) };
    const options = { ...target, method: "POST", headers, signal, agent: false };
    const sent = request(options, (answer) => {
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

function toLoopback(text: string): { readonly host: string; readonly port: number; readonly path: string } | null {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return null;
  const { protocol, username, password, hostname, port, pathname, search } = new URL(text);
  if (protocol !== "http:" || username !== "" || password !== "" || !LOOPBACK.test(hostname)) return null;
  // By number, so that no table of names decides where it goes.
  const host = hostname === "localhost" ? "127.0.0.1" : hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(port || 80), path: pathname + search };
}
