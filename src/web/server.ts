import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toCode, toMessage } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { LiveRuns } from "./live-runs.ts";
import { makeToken, Openings, toAddress } from "./openings.ts";
import { HEADERS, replyError } from "./replies.ts";
import { checkOrigin, checkToken, type Gate, isSameSecret, originOf, toCookie } from "./request-guard.ts";
import { answerApi } from "./routes.ts";
import type { WebSources } from "./sources.ts";
import { readStaticFiles, type StaticFile } from "./static-files.ts";

/** Options of a server. */
interface WebServerOptions {
  readonly sources: WebSources;
  /** Folder of the page's files. */
  readonly pageFolder: string;
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
  /** Time limit in milliseconds for the head of a request; a few seconds by default. */
  readonly headMs?: number;
}

/** A running server. */
export interface WebServer {
  readonly port: number;
  /** Secret that is required to see any data. */
  readonly token: string;
  /** Address that contains the token. */
  readonly address: string;
  /** Returns an address that admits whoever opens it first. */
  readonly makeOpening: () => string;
  /** Closes all connections and stops listening. */
  readonly close: () => Promise<void>;
}

const HOST = "127.0.0.1";
const HEAD_MS = 5_000;
const REQUEST_MS = 20_000;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 128;

/** Starts the server of the page. Contract: never throws; reachable from this machine only. */
export async function startWebServer(options: WebServerOptions): Promise<Outcome<WebServer>> {
  const { sources, pageFolder, port, headMs = HEAD_MS } = options;
  let files: ReadonlyMap<string, StaticFile>;
  try {
    files = readStaticFiles(pageFolder);
  } catch (thrown) {
    return fail("E_CONFIG", `the page's files cannot be read: ${toMessage(thrown)}`, "install groundwork again");
  }
  const token = makeToken();
  const openings = new Openings();
  const live = new LiveRuns(sources.watchRuns);
  const limits = {
    headersTimeout: headMs,
    requestTimeout: Math.max(headMs, REQUEST_MS),
    connectionsCheckingInterval: Math.min(1_000, headMs),
    maxHeaderSize: MAX_HEAD_BYTES,
  };
  const server = createServer(limits, (request, response) => {
    response.on("error", () => {});
    const gate: Gate = { port: (server.address() as AddressInfo).port, token };
    answer(request, response, { gate, files, openings, sources, live }).catch((thrown) => {
      if (response.headersSent) response.destroy();
      else replyError(response, 500, toMessage(thrown));
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  const listening = await listen(server, port);
  if (!listening.ok) return listening;
  const origin = originOf({ port: listening.value });
  return succeed({
    port: listening.value,
    token,
    address: toAddress(origin, token),
    makeOpening: () => openings.make(origin),
    close: () => {
      live.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  });
}

function listen(server: Server, port: number): Promise<Outcome<number>> {
  return new Promise((resolve) => {
    server.once("error", (error) => {
      const why = toCode(error) === "EADDRINUSE" ? `port ${port} is in use` : `port ${port}: ${error.message}`;
      resolve(fail("E_CONFIG", why, "name another one with --port, or leave it out"));
    });
    server.listen(port, HOST, () => resolve(succeed((server.address() as AddressInfo).port)));
  });
}

interface Served {
  readonly gate: Gate;
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly openings: Openings;
  readonly sources: WebSources;
  readonly live: LiveRuns;
}

async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const { gate, files } = served;
  const foreign = checkOrigin(request, gate);
  if (foreign !== null) return replyError(response, foreign.status, foreign.message);
  const url = toUrl(request.url ?? "", gate);
  const isReading = request.method === "GET" || request.method === "HEAD";
  const given = url?.pathname === "/" ? url.searchParams.get("token") : null;
  if (isReading && given !== null) return letIn(response, given, served);
  const file = url === null ? undefined : files.get(url.pathname);
  if (isReading && file !== undefined) return replyFile(request, response, file);
  const stranger = checkToken(request, gate);
  if (stranger !== null) return replyError(response, stranger.status, stranger.message);
  if (url === null || !url.pathname.startsWith("/api/"))
    return replyError(response, 404, "there is nothing at this address");
  const makeOpening = () => served.openings.make(originOf(gate));
  await answerApi(request, response, url, { ...served, makeOpening, nowMs: Date.now() });
}

/** Exchanges the token in the printed address for a cookie, and redirects to the address without it. */
function letIn(response: ServerResponse, given: string, { gate, openings }: Served): void {
  const isOpening = openings.use(given);
  if (isOpening || isSameSecret(given, gate.token))
    response
      .writeHead(303, { ...HEADERS, "set-cookie": toCookie(gate), "cache-control": "no-store", location: "/" })
      .end();
  else replyError(response, 401, "this address is not valid any more; run groundwork ui again");
}

function replyFile(request: IncomingMessage, response: ServerResponse, { type, body, etag }: StaticFile): void {
  // Revalidated on every request, because another version may listen here tomorrow; sent again only if it differs.
  const headers = { ...HEADERS, "content-type": type, "cache-control": "no-cache", etag };
  if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
  else
    response.writeHead(200, { ...headers, "content-length": body.length }).end(request.method === "HEAD" ? "" : body);
}

/** Parses the target of a request. Contract: null if it is not a path on this server. */
function toUrl(written: string, gate: Gate): URL | null {
  if (!written.startsWith("/") || written.startsWith("//")) return null;
  try {
    return new URL(written, originOf(gate));
  } catch {
    return null;
  }
}
