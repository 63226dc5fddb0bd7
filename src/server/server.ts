import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Clock } from "../base/clock.ts";
import { readLimitedBody } from "../base/read-body.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import { baseObjects } from "./base-objects.ts";
import type { TeamDatabase } from "./database.ts";
import { FIGURE_SWEEP, makeFigures } from "./figures/route.ts";
import { type ListenAddress, listenHttp, type Reply, refusal, sendReply, type TlsFiles } from "./http.ts";
import { JOB_SWEEP } from "./jobs/leases.ts";
import { SUBMITTING } from "./jobs/submitting.ts";
import { WORKING } from "./jobs/working.ts";
import type { Log, LogEntry } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { RateLimiter, type RateLimits } from "./rate-limit.ts";
import { isLoopbackHost, makeHostGuard } from "./request-guard.ts";
import { patternOf, type Route, type RouteCall } from "./routes.ts";
import { sharedIndex, sharedIndexParts } from "./search/receive.ts";
import { teamSearch } from "./search/search-route.ts";
import { readSecret, type Secret } from "./secret.ts";
import { sqlStateOf } from "./sql.ts";
import { startSweeping } from "./sweep.ts";

/** Options of a team's server. */
export interface TeamServerOptions {
  readonly database: TeamDatabase;
  readonly listen: ListenAddress;
  readonly tls: TlsFiles | null;
  /** Address that clients use, if it differs from the listening address. */
  readonly url: URL | null;
  readonly limits: RateLimits;
  /** Additional routes. */
  readonly routes: readonly Route[];
  /** Names of the built-in tools, the only ones that figures may name. */
  readonly tools: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

/** A running server. */
interface TeamServer {
  readonly url: string;
  /** Stops accepting requests and lets running ones finish. */
  readonly close: () => Promise<void>;
}

const ROUTES: readonly Route[] = [baseObjects, sharedIndex, sharedIndexParts, teamSearch, ...SUBMITTING, ...WORKING];
/** Time that running requests get when the server shuts down. */
const CLOSING_MS = 10_000;
const MAX_TARGET_CHARS = 2_000;

/** Starts a team's server. It keeps no state of its own, so any number of servers can share one database. */
export async function startTeamServer(options: TeamServerOptions): Promise<Outcome<TeamServer>> {
  const { database, listen, tls, clock, log } = options;
  const metrics = new Metrics(() => database.counts);
  const answer = makeAnswerer(options, metrics);
  const listening = await listenHttp(listen, tls, (request, response) => {
    const startMs = clock.monotonicMs();
    void answer(request).then(({ route, reply, token }) => {
      sendReply(request, response, reply);
      const ms = clock.monotonicMs() - startMs;
      metrics.count(route, reply.status, ms / 1_000);
      log("request", { route, method: request.method ?? "", status: reply.status, ms: Math.round(ms), token });
    });
    // A client may disconnect while it is answered.
    response.on("error", () => {});
  });
  if (!listening.ok) return listening;
  const { host, port, close } = listening.value;
  const shown = host.includes(":") ? `[${host}]` : host;
  const stops = [FIGURE_SWEEP, JOB_SWEEP].map((task) => startSweeping(database, log, task));
  return succeed({
    url: `${tls === null ? "http" : "https"}://${shown}:${port}`,
    close: async () => {
      await close(CLOSING_MS);
      await Promise.all(stops.map((stop) => stop()));
    },
  });
}

interface Answered {
  readonly route: string;
  readonly reply: Reply;
  /** Id of the token; null if it was not verified: the request was refused earlier, or the database was away. */
  readonly token: string | null;
}

/** Makes the request handler. Contract: never rejects. */
function makeAnswerer(options: TeamServerOptions, metrics: Metrics): (request: IncomingMessage) => Promise<Answered> {
  const { database, listen, url, limits, clock, log } = options;
  const checkHost = makeHostGuard(isLoopbackHost(listen.host), url);
  const limiter = new RateLimiter(limits, clock.monotonicMs);
  const all = [...ROUTES, makeFigures(options.tools), ...options.routes];
  const routes = all.map((route) => ({ ...route, path: patternOf(route) }));
  const probes: Readonly<Record<string, () => Promise<Reply>>> = {
    "/healthz": async () => ({ status: 200, body: { status: "ok" } }),
    "/readyz": async () => {
      const asked = await database.asAdmin(({ rows }) => rows("SELECT 1"));
      return asked.ok ? { status: 200, body: { status: "ok" } } : refusal(503, asked.fault.message);
    },
    "/metrics": async () => ({ status: 200, body: metrics.toText() }),
  };

  async function answer(request: IncomingMessage): Promise<Answered> {
    const { method = "", headers } = request;
    const target = toTarget(request.url ?? "");
    if (target === null) return { route: "other", reply: refusal(400, "the path is malformed"), token: null };
    const { pathname, searchParams } = target;
    const probe = probes[pathname];
    if (probe !== undefined) {
      const isRead = method === "GET" || method === "HEAD";
      const reply = isRead ? await probe() : refusal(405, "only GET and HEAD are supported here");
      return { route: pathname, reply, token: null };
    }
    const route = routes.find(({ path }) => path.test(pathname));
    const told = (reply: Reply, token: string | null = null) => ({ route: route?.template ?? "other", reply, token });
    const refused = checkHost(headers);
    if (refused !== null) return told(refused);
    const token = readSecret(/^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "");
    if (token === null) return told(NO_TOKEN);
    if (route === undefined) return told(refusal(404, "there is nothing at this path"));
    const work = route.methods[method];
    if (work === undefined)
      return told(refusal(405, "this method is not supported here", { allow: Object.keys(route.methods).join(", ") }));
    // Keyed by the secret as well: knowing only an id must not use up its holder's quota.
    const entered = limiter.enter(`${token.id} ${token.hash.toString("base64")}`);
    if ("retrySeconds" in entered)
      return told(refusal(429, "too many requests of this token", { "retry-after": String(entered.retrySeconds) }));
    try {
      const body = await readLimitedBody(request, route.maxBytes);
      if (body === "too_large") return told(refusal(413, `more than ${route.maxBytes} bytes`));
      if (body === null) return told(refusal(400, "the request ended early"));
      const parts = (route.path.exec(pathname) ?? []).slice(1);
      return told(...(await run(route, token, { parts, query: searchParams, headers, body }, work)));
    } finally {
      entered.release();
    }
  }

  /** Does a request's work in one transaction. Returns the reply, and the id of the token if it was verified. */
  async function run(
    { isOneLook = false }: Route,
    token: Pick<Secret, "id" | "hash">,
    call: Omit<RouteCall, "holder" | "transaction">,
    work: (call: RouteCall) => Promise<Reply>,
  ): Promise<[Reply, string | null]> {
    let verified: string | null = null;
    const done = await database.as(
      token,
      (transaction, holder) => {
        verified = holder.id;
        return work({ ...call, holder, transaction });
      },
      { isOneLook },
    );
    const reply = done.ok ? done.value : refusal(503, done.fault.message, { "retry-after": "5" });
    return [reply ?? NO_TOKEN, verified];
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (thrown) {
      // A bug of ours: the client learns only that, the details go to the log.
      const id = randomUUID();
      log("error", { id, ...describe(thrown) });
      const reply = refusal(500, `an internal error; the server's log has it as ${id}`);
      return { route: "error", reply, token: null };
    }
  };
}

const NO_TOKEN = refusal(401, "a valid token is needed", { "www-authenticate": "Bearer" });

/** Log entry for an error: its kind and where it was thrown. Its message may contain words of a request. */
function describe(thrown: unknown): LogEntry {
  const { name, stack = "" } = thrown instanceof Error ? thrown : new Error();
  return { kind: name, state: sqlStateOf(thrown), where: /^ +at (.{1,200})/m.exec(stack)?.[1] ?? "" };
}

/** Parses the path and query of a request; null if malformed. */
function toTarget(written: string): URL | null {
  if (!written.startsWith("/") || written.length > MAX_TARGET_CHARS) return null;
  try {
    const target = new URL(written, "http://server");
    // Compared with the raw text: a path that climbs or is disguised is refused.
    return decodeURIComponent(target.pathname) === written.split("?")[0] ? target : null;
  } catch {
    return null;
  }
}
