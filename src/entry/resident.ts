import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { parseQuestion } from "../adapters/resident/question.ts";
import { systemClock, toIsoSeconds } from "../base/clock.ts";
import { identityOf, isOwnFolder } from "../base/file-facts.ts";
import { claimOwn } from "../base/file-lock.ts";
import { identifyProcess } from "../base/process-identity.ts";
import { readLimitedBody } from "../base/read-body.ts";
import { clearPlace, replaceFile } from "../base/state-files.ts";
import { startTimer } from "../base/timers.ts";
import { readPlace, residentFolder, socketFolder, toPlaceText } from "../config/resident-place.ts";
import {
  BUILD_HEADER,
  RESIDENT_FILES,
  RESIDENT_ROUTES,
  RESIDENT_STATUS,
  type ResidentRepository,
  type ResidentStatus,
} from "../contract/resident.ts";
import { readBuild } from "./build-id.ts";
import { endTogether, projectRoot } from "./process.ts";
import type { AskedMessage, WarmMessage, WorkerMessage } from "./resident-messages.ts";
import { makeStatusLines } from "./resident-statusline.ts";
import { offerCodeCache } from "./start-code-cache.ts";
import { VERSION } from "./version.ts";

/** The resident exits after this long without a question. */
const IDLE_MS = 30 * 60_000;
/** Interval at which the resident checks whether it is still wanted. */
const LOOK_MS = 5_000;
/** Delay before the resident offers code caches for processes that answer without it. */
const CODE_CACHE_MS = 3_000;
/** A question that takes longer counts as hung: the answering thread is replaced. */
const HANG_MS = 25_000;
/** Maximum time that pending questions may delay the exit. */
const LAST_ANSWER_MS = 5_000;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Memory limits of the answering thread. The heap grows only as far as the repositories need. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 900, maxYoungGenerationSizeMb: 16 };

const KINDS: ReadonlyMap<string, AskedMessage["kind"]> = new Map([
  [RESIDENT_ROUTES.hook, "hook"],
  [RESIDENT_ROUTES.call, "call"],
]);

interface Waiting {
  readonly response: ServerResponse;
  readonly hang: NodeJS.Timeout;
}

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let repositories: readonly ResidentRepository[] = [];
let lastAskedMs = systemClock.monotonicMs();
let nextId = 1;
const statusLines = makeStatusLines({
  filesOf: (root) => repositories.find((repository) => repository.root === root)?.files ?? null,
  lookUp: (message) => getWorker().postMessage(message),
});

function reply(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text, "utf8");
  // With a length, a reader can detect a truncated answer.
  response.writeHead(status, { "content-length": body.length, connection: "close" }).end(body);
}

function settle(id: number, status: number, text: string): void {
  const asked = waiting.get(id);
  if (asked === undefined) return;
  waiting.delete(id);
  clearTimeout(asked.hang);
  reply(asked.response, status, text);
}

/**
 * Returns the answering thread, starting it if needed. If it dies, its questions fail and their entry points answer
 * them.
 */
function getWorker(): Worker {
  if (worker !== null) return worker;
  const own = new Worker(join(projectRoot, "dist", "resident-worker.cjs"), {
    resourceLimits: WORKER_LIMITS,
    stdout: true,
    stderr: true,
  });
  own.on("message", (message: WorkerMessage) => {
    if (message.kind === "repositories") repositories = message.repositories;
    else if (message.kind === "last") statusLines.learn(message.root, message.run);
    else settle(message.id, message.status, message.text);
  });
  const drop = () => {
    if (worker !== own) return;
    worker = null;
    repositories = [];
    for (const id of [...waiting.keys()]) settle(id, RESIDENT_STATUS.failed, "");
  };
  own.on("error", drop).on("exit", drop);
  worker = own;
  return own;
}

function ask(kind: AskedMessage["kind"], body: Buffer, response: ServerResponse): void {
  const question = parseQuestion(body);
  if (question === null) {
    reply(response, 400, "");
    return;
  }
  const id = nextId++;
  const own = getWorker();
  // A hung thread cannot be asked to stop.
  const hang = startTimer(HANG_MS, () => own.terminate());
  waiting.set(id, { response, hang });
  response.on("close", () => {
    if (!response.writableFinished) settle(id, RESIDENT_STATUS.failed, "");
  });
  own.postMessage({ id, kind, ...question, askedAtMs: Date.now() } satisfies AskedMessage);
}

/** Collects the body of a request. Contract: a body that is too long is rejected and not kept. */
async function collect(
  request: IncomingMessage,
  response: ServerResponse,
  then: (body: Buffer) => void,
): Promise<void> {
  const body = await readLimitedBody(request, MAX_BODY_BYTES);
  if (Buffer.isBuffer(body)) return then(body);
  if (body === null) return;
  reply(response, RESIDENT_STATUS.tooLarge, "");
  request.destroy();
}

/** Listens on a socket until the resident is no longer wanted. */
function serve(folder: string, socket: string, build: string): void {
  const startedAt = toIsoSeconds(systemClock.nowMs());
  const status = (): ResidentStatus => ({
    running: true,
    pid: process.pid,
    version: VERSION,
    started_at: startedAt,
    rss_mb: Math.round(process.memoryUsage.rss() / 1_000_000),
    socket,
    repositories,
  });
  let ending = false;
  const server = createServer({ requestTimeout: 20_000 }, (request, response) => {
    response.on("error", () => {});
    const { method, url } = request;
    if (ending) return reply(response, RESIDENT_STATUS.ending, "");
    // Status and stop requests are accepted from any build.
    if (method === "GET" && url === RESIDENT_ROUTES.status) return reply(response, 200, JSON.stringify(status()));
    if (method === "POST" && url === RESIDENT_ROUTES.stop) {
      reply(response, 200, JSON.stringify(status()));
      return end();
    }
    if (request.headers[BUILD_HEADER] !== build || readBuild() !== build)
      return reply(response, RESIDENT_STATUS.otherBuild, "");
    if (method === "GET" && url === RESIDENT_ROUTES.hello) return reply(response, 200, build);
    // Status lines are drawn continually, so they do not keep a resident alive.
    if (method === "POST" && url === RESIDENT_ROUTES.statusLine)
      return void collect(request, response, (body) => reply(response, 200, statusLines.answer(body)));
    const kind = method === "POST" ? KINDS.get(url ?? "") : undefined;
    if (kind === undefined) return reply(response, 404, "");
    lastAskedMs = systemClock.monotonicMs();
    // The entry point waits only briefly for this line, and then as long as its budget allows.
    response.writeProcessing();
    void collect(request, response, (body) => ask(kind, body, response));
  });
  server.on("clientError", (_error, connection) => connection.destroy());
  let ids = "";
  const idsNow = () => `${identityOf(folder)} ${identityOf(socket)}`;
  const own = identifyProcess(process.pid) ?? { pid: process.pid, startedAt: "", bootId: "" };
  const ownPlace = toPlaceText({ socket, build, process: own });
  function end(): void {
    if (ending) return;
    ending = true;
    server.close();
    const leave = () => process.exit(0);
    startTimer(LAST_ANSWER_MS, leave);
    const wait = () => (waiting.size === 0 ? setImmediate(leave) : startTimer(50, wait));
    wait();
  }
  process.once("exit", () => {
    // Another resident may have taken over the place file; the socket is removed with its server.
    const place = readPlace(folder);
    if (place !== null && toPlaceText(place) === ownPlace) rmSync(join(folder, RESIDENT_FILES.place), { force: true });
  });
  const runtime = process.env["XDG_RUNTIME_DIR"] ?? "";
  const isRuntimeThere = () => lstatSync(runtime, { throwIfNoEntry: false }) !== undefined;
  const needsRuntime = runtime !== "" && isRuntimeThere();
  const isWanted = () =>
    idsNow() === ids &&
    isOwnFolder(folder) &&
    readBuild() === build &&
    systemClock.monotonicMs() - lastAskedMs < IDLE_MS &&
    (!needsRuntime || isRuntimeThere());
  const look = () => (isWanted() ? startTimer(LOOK_MS, look) : end());
  server.listen(socket, () => {
    chmodSync(socket, 0o600);
    ids = idsNow();
    rmSync(join(folder, RESIDENT_FILES.failure), { force: true });
    replaceFile(folder, RESIDENT_FILES.place, ownPlace);
    startTimer(LOOK_MS, look);
    // Delayed until the resident is ready to answer.
    startTimer(CODE_CACHE_MS, () => offerCodeCache(process.env).catch(() => {})).unref();
    const root = process.argv[2] ?? "";
    const answering = getWorker();
    if (root !== "") answering.postMessage({ kind: "warm", env: { ...process.env }, root } satisfies WarmMessage);
  });
  server.on("error", (error) => {
    replaceFile(folder, RESIDENT_FILES.failure, `${error.message}\n`);
    process.exit(1);
  });
}

/** Creates a folder that only its owner can enter. Contract: false if it is not ours alone. */
function makePrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: false });
  } catch {
    // It exists or cannot be created; either way, its current state decides.
  }
  return isOwnFolder(folder) && (lstatSync(folder).mode & 0o077) === 0;
}

function main(): void {
  const folder = residentFolder(process.env);
  const build = readBuild();
  if (folder === null || build === "") return;
  const near = socketFolder(folder, process.env, process.getuid?.() ?? 0);
  if (!makePrivate(join(folder, "..")) && !isOwnFolder(join(folder, ".."))) return;
  if (!makePrivate(folder) || !makePrivate(near)) return;
  // The lock is held until this process ends, however it ends.
  const lock = claimOwn(join(folder, RESIDENT_FILES.lock));
  if (lock === null) return;
  endTogether(lock.release);
  const socket = join(near, RESIDENT_FILES.socket);
  clearPlace(socket);
  serve(folder, socket, build);
}

main();
