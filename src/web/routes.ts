import type { IncomingMessage, ServerResponse } from "node:http";
import { type Outcome, sayFault, succeed } from "../contract/faults.ts";
import { MAX_FIGURE_DAYS } from "../contract/figures.ts";
import type { LiveRuns } from "./live-runs.ts";
import { readChange, replyError, replyJson } from "./replies.ts";
import { checkChange } from "./request-guard.ts";
import { readRunFilter, readSince } from "./run-query.ts";
import { toRunView } from "./run-view.ts";
import type { JobName, WebSources } from "./sources.ts";
import type { PurgeRequest, RunList, SwitchRequest, TeamView } from "./wire.ts";

/** Input of a route. */
interface Asked {
  readonly sources: WebSources;
  readonly query: URLSearchParams;
  /** The decoded path segment in place of `ID`. */
  readonly id: string;
  readonly nowMs: number;
  /** Makes an address that admits whoever opens it first. */
  readonly makeOpening: () => string;
}

/** Answers a read request; undefined if there is no such thing. */
type Reader = (asked: Asked) => unknown;
/** Performs a requested change; null if the request is invalid. */
type Changer = (
  asked: Asked,
  body: Readonly<Record<string, unknown>>,
) => Promise<Outcome<unknown>> | Outcome<unknown> | null;

/** Maximum length of a path segment. */
const MAX_ID_CHARS = 300;
/** Longest time for which a click can switch anything off. */
const MAX_MINUTES = 366 * 24 * 60;

/** Routes for reading, by path; `ID` matches any segment. */
const READERS: Readonly<Record<string, Reader>> = {
  "/api/state": ({ sources }) => sources.state(),
  "/api/runs": ({ sources, query, nowMs }): RunList => {
    const filter = readRunFilter(query, nowMs);
    const { before: _before, limit: _limit, ...all } = filter;
    return { runs: sources.listRuns(filter), total: sources.countRuns(all) };
  },
  "/api/runs/ID": ({ sources, id }) => {
    const found = sources.findRun(id);
    return found === null ? undefined : toRunView(found);
  },
  "/api/stats": ({ sources, query, nowMs }) =>
    sources.stats({ since_ms: readSince(query, nowMs), repo: query.get("repo") || undefined }),
  "/api/team": async ({ sources, query }): Promise<TeamView | undefined> => {
    const days = query.get("days") ?? "";
    if (!sources.state().has_team || !/^[1-9]\d{0,2}$/.test(days)) return undefined;
    const found = await sources.teamStats(Math.min(Number(days), MAX_FIGURE_DAYS));
    return found.ok ? { stats: found.value, trouble: "" } : { stats: null, trouble: sayFault(found.fault) };
  },
  "/api/repository": async ({ sources, query }) =>
    (await sources.repository(query.get("repo") ?? sources.state().here)) ?? undefined,
  "/api/jobs": ({ sources }) => sources.listJobs(),
  "/api/jobs/ID": async ({ sources, query, id }) => unwrap(await sources.findJob(nameOf(query.get("cwd"), id))),
  "/api/jobs/ID/log": ({ sources, query, id }) => {
    const offset = query.get("offset") ?? "0";
    return /^\d{1,15}$/.test(offset)
      ? unwrap(sources.readLog(nameOf(query.get("cwd"), id), Number(offset)))
      : undefined;
  },
};

/** Routes for changes. */
const CHANGERS: Readonly<Record<string, Changer>> = {
  "/api/off": ({ sources }, body) => ifValid(readSwitch(body), sources.switchOff),
  "/api/on": ({ sources }, body) => ifValid(readSwitch(body), sources.switchOn),
  "/api/purge": ({ sources }, body) => ifValid(readPurge(body), sources.purge),
  "/api/opening": ({ makeOpening }) => succeed({ address: makeOpening() }),
  "/api/jobs/ID/stop": ({ sources, id }, { cwd }) => (typeof cwd === "string" ? sources.stopJob({ cwd, id }) : null),
};

const EVENTS = "/api/events";

/** Answers an authorised request below `/api/`. Contract: rejects only if a source throws. */
export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { live, ...served }: Pick<Asked, "sources" | "nowMs" | "makeOpening"> & { readonly live: LiveRuns },
): Promise<void> {
  const { method } = request;
  const place = findPlace(url.pathname);
  const changer = place === null ? undefined : CHANGERS[place.route];
  const reader = place === null ? undefined : READERS[place.route];
  if (place === null || (changer === undefined && reader === undefined && place.route !== EVENTS))
    return replyError(response, 404, "there is nothing at this address");
  const asked: Asked = { ...served, query: url.searchParams, id: place.id };
  if (changer !== undefined) {
    if (method !== "POST") return refuseMethod(response, "POST");
    const refusal = checkChange(request);
    if (refusal !== null) return replyError(response, refusal.status, refusal.message);
    return change(request, response, (body) => changer(asked, body));
  }
  if (method !== "GET") return refuseMethod(response, "GET");
  if (reader === undefined) {
    if (!live.add(response)) replyError(response, 503, "too many pages listen");
    return;
  }
  const value = await reader(asked);
  if (value === undefined) replyError(response, 404, "not found, or no longer kept");
  else replyJson(response, 200, value);
}

async function change(
  request: IncomingMessage,
  response: ServerResponse,
  act: (body: Readonly<Record<string, unknown>>) => ReturnType<Changer>,
): Promise<void> {
  const body = await readChange(request);
  if (body === null) {
    // The rest of the body is not read.
    response.setHeader("connection", "close");
    replyError(response, 413, "the request is too long or no JSON object");
    return;
  }
  const done = await act(body);
  if (done === null) replyError(response, 400, "the request is invalid");
  else if (done.ok) replyJson(response, 200, { done: done.value });
  else replyError(response, 409, done.fault.message);
}

function refuseMethod(response: ServerResponse, allowed: string): void {
  response.setHeader("allow", allowed);
  replyError(response, 405, `this address accepts only ${allowed}`);
}

/** The route of a path. Contract: null if the path cannot be decoded or is too long. */
function findPlace(path: string): { readonly route: string; readonly id: string } | null {
  const parts = path.split("/");
  const [, , area = "", written] = parts;
  if (written === undefined || (area !== "runs" && area !== "jobs")) return { route: path, id: "" };
  try {
    const id = decodeURIComponent(written);
    if (id === "" || id.length > MAX_ID_CHARS) return null;
    return { route: parts.with(3, "ID").join("/"), id };
  } catch {
    return null;
  }
}

function nameOf(cwd: string | null, id: string): JobName {
  return { cwd: cwd ?? "", id };
}

/** A rejected request gets the same answer as a request for something missing. */
function unwrap<T>(outcome: Outcome<T>): T | undefined {
  return outcome.ok ? outcome.value : undefined;
}

function ifValid<T>(request: T | null, act: (request: T) => Outcome<unknown>): Outcome<unknown> | null {
  return request === null ? null : act(request);
}

function readSwitch({ repo, minutes }: Readonly<Record<string, unknown>>): SwitchRequest | null {
  if (repo !== undefined && (typeof repo !== "string" || repo === "")) return null;
  const isTime = Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= MAX_MINUTES;
  if (minutes !== undefined && !isTime) return null;
  return {
    ...(typeof repo === "string" ? { repo } : {}),
    ...(typeof minutes === "number" ? { minutes } : {}),
  };
}

/** Parses a purge request. Contract: accepts exactly one of the three, so that nothing is deleted by mistake. */
function readPurge(body: Readonly<Record<string, unknown>>): PurgeRequest | null {
  const { all, repo, before } = body;
  if (Object.keys(body).length !== 1) return null;
  if (all === true) return { all };
  if (typeof repo === "string" && repo !== "") return { repo };
  return typeof before === "string" && !Number.isNaN(Date.parse(before)) ? { before } : null;
}
