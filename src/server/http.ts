import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { toCode } from "../base/text.ts";
import { sleep } from "../base/timers.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";

/** Address to listen on. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** TLS certificate and key, in PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** A listening server. */
interface Listening {
  readonly host: string;
  readonly port: number;
  /** Stops accepting requests, lets running ones finish, and ends after `ms` those that have not. */
  readonly close: (ms: number) => Promise<void>;
}

const HEAD_MS = 10_000;
/** Time limit for a whole request, including its body. */
const REQUEST_MS = 120_000;
/** Idle time after which a connection is closed. */
const IDLE_MS = 90_000;
/** Keep-alive time, longer than that of proxies: the proxy must be the first to close an idle connection. */
const KEPT_MS = 75_000;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 2_000;

/** Starts listening. Contract: never throws. */
export function listenHttp(
  { host, port }: ListenAddress,
  tls: TlsFiles | null,
  onRequest: RequestListener,
): Promise<Outcome<Listening>> {
  const limits = {
    headersTimeout: HEAD_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: MAX_HEAD_BYTES,
  };
  return new Promise((resolve) => {
    let server: Server;
    try {
      server = tls === null ? createServer(limits, onRequest) : createTlsServer({ ...limits, ...tls }, onRequest);
    } catch {
      return resolve(fail("E_CONFIG", "the TLS files are not a matching certificate and key in PEM"));
    }
    server.maxConnections = MAX_CONNECTIONS;
    server.timeout = IDLE_MS;
    server.keepAliveTimeout = KEPT_MS;
    server.once("error", (error) => {
      const place = `${host}:${port}`;
      const why = toCode(error) === "EADDRINUSE" ? `${place} is in use` : `cannot listen on ${place}: ${error.message}`;
      resolve(fail("E_CONFIG", why, "name another address with --listen"));
    });
    server.listen(port, host, () => {
      const { port: own } = server.address() as AddressInfo;
      resolve(succeed({ host, port: own, close: (ms) => closeServer(server, ms) }));
    });
  });
}

async function closeServer(server: Server, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, sleep(ms)]);
  server.closeAllConnections();
  await closed;
}

/** Headers of every reply: it must not be cached, sniffed, framed or loaded by a page. */
const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
} as const;

/** Reply to a request. */
export interface Reply {
  readonly status: number;
  /** Raw bytes, a text, or data that is sent as JSON. */
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes an error reply. */
export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, body: { error: message }, headers };
}

/** Reply for success without content. */
export const DONE: Reply = { status: 204, body: "" };

/** Sends a reply. Closes the connection if the request's body was not read to its end. */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const { status, body, headers = {} } = reply;
  const [type, bytes] = encode(body);
  const hasBody = status !== 204;
  response.writeHead(status, {
    ...HEADERS,
    ...(hasBody ? { "content-type": type, "content-length": bytes.length } : {}),
    ...(request.complete ? {} : { connection: "close" }),
    ...headers,
  });
  response.end(request.method === "HEAD" || !hasBody ? undefined : bytes);
}

function encode(body: Reply["body"]): readonly [type: string, bytes: Uint8Array] {
  if (body instanceof Uint8Array) return ["application/octet-stream", body];
  if (typeof body === "string") return ["text/plain; charset=utf-8", Buffer.from(body, "utf8")];
  return ["application/json; charset=utf-8", Buffer.from(`${JSON.stringify(body)}\n`, "utf8")];
}
