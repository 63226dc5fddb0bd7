import { readFileSync } from "node:fs";
import type { Environment } from "../../base/environment.ts";
import { toSha256 } from "../../base/hash.ts";
import { cutText, toOneLine } from "../../base/text.ts";
import { sleep } from "../../base/timers.ts";
import { type ClaimedTeamJob, TEAM_JOB_LIMITS, type TeamJobEnd, toBranch } from "../../contract/team-jobs.ts";
import { bundleResult, cloneForJob, type JobClone, type JobGitCall, pushResult } from "./job-git.ts";
import { hasPrefix, isRevision, parseRepoUrl } from "./repo-url.ts";
import type { Attempt, Delivery } from "./worker-calls.ts";

/** Result of a run of Codex in a clone. */
export interface JobRunEnd extends Pick<TeamJobEnd, "classification" | "tokens_used" | "reason"> {
  readonly exit_code: number;
  /** Commit with the changes; the clone's base commit if nothing was changed. */
  readonly head: string;
}

/**
 * Runs Codex in a clone, like a local job; `onLog` receives the log as it grows and is awaited. Contract: ends at the
 * signal; changes are committed when it returns.
 */
export type RunJob = (call: {
  readonly job: ClaimedTeamJob;
  readonly clone: JobClone;
  readonly signal: AbortSignal;
  readonly onLog: (piece: Buffer) => Promise<void>;
}) => Promise<JobRunEnd>;

/** Dependencies of an attempt. */
export interface AttemptDeps {
  readonly runJob: RunJob;
  readonly env: Environment;
  /** Folder of this attempt alone; its creator removes it. */
  readonly folder: string;
  readonly prefixes: readonly string[];
  readonly pushes: boolean;
  /** Aborted when the worker is to stop. */
  readonly stopping: AbortSignal;
  readonly say: (line: string) => void;
}

/** Reason why an attempt ends early: stopped on request, no longer owned by this worker, or the worker is leaving. */
type Interruption = "stopped" | "over" | "leaving";

const RETRY_MS = 2_000;
/** How long a leaving worker keeps trying to reach a server that is away. */
const LEAVING_MS = 20_000;
const LEAVING_TEXT = "Its worker was asked to end";

/** End of an attempt that failed because of the worker. */
export function toWorkerFailed(reason: string): TeamJobEnd {
  const nothing = { exit_code: null, classification: "", tokens_used: "", commit: "", result: null };
  return { ...nothing, how: "worker_failed", reason: cutText(toOneLine(reason), TEAM_JOB_LIMITS.reasonChars).text };
}

/**
 * Runs one attempt of a job, from the clone to the result. Contract: never throws, except for bugs in our own code; a
 * result that the server has not accepted is discarded and never pushed.
 */
export async function runAttempt(job: ClaimedTeamJob, attempt: Attempt, deps: AttemptDeps): Promise<void> {
  const ending = new AbortController();
  const interrupt = (why: Interruption) => ending.abort(ending.signal.reason ?? why);
  const leave = () => interrupt("leaving");
  deps.stopping.addEventListener("abort", leave, { once: true });
  if (deps.stopping.aborted) leave();
  const done = new AbortController();
  const beating = beat(attempt, interrupt, done.signal);
  try {
    const call = { env: deps.env, folder: deps.folder, signal: ending.signal };
    const end = await work(job, attempt, call, deps);
    const why: Interruption | undefined = ending.signal.reason;
    const told =
      why === "over" ? ({ is: "over" } as const) : await untilHeard(() => attempt.end(toEnd(end, why)), deps);
    const say = (what: string) => deps.say(`${job.id} ${job.attempt}: ${what}`);
    say(told.is === "heard" ? told.value : "no longer its own; its result is discarded");
    if (told.is !== "heard" || !deps.pushes || why !== undefined || end.result === null) return;
    const branch = toBranch(job.id, job.attempt);
    const pushed = await pushResult({ ...call, signal: done.signal }, end.root, job.repo, branch);
    if (!pushed.ok) say(pushed.fault.message);
  } finally {
    done.abort();
    deps.stopping.removeEventListener("abort", leave);
    await beating;
  }
}

/** Sends heartbeats until `done`. A server that is away is retried; a refusal ends the attempt. */
async function beat(attempt: Attempt, interrupt: (why: Interruption) => void, done: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(TEAM_JOB_LIMITS.heartbeatMs, done);
    if (done.aborted) return;
    const told = await attempt.heartbeat();
    if (told.is === "over") return interrupt("over");
    if (told.is === "heard" && told.value) interrupt("stopped");
  }
}

type WorkEnd = TeamJobEnd & { readonly root: string };

async function work(job: ClaimedTeamJob, attempt: Attempt, call: JobGitCall, deps: AttemptDeps): Promise<WorkEnd> {
  const failed = (reason: string): WorkEnd => ({ ...toWorkerFailed(reason), root: "" });
  // The server has checked both, but a worker does not trust anyone with the arguments of its git.
  const url = parseRepoUrl(job.repo);
  if (!url.ok || url.value !== job.repo || !hasPrefix(job.repo, deps.prefixes) || !isRevision(job.commit))
    return failed("This worker does not take jobs of that repository");
  const clone = await cloneForJob(call, job);
  if (!clone.ok) return failed(clone.fault.message);
  const sendLog = makeLogSender(attempt, deps);
  const ran = await deps.runJob({ job, clone: clone.value, signal: call.signal, onLog: sendLog });
  const { head, ...told } = ran;
  const { root, base } = clone.value;
  const ended = { ...told, how: "ended", commit: base, root } as const;
  if (head === base || call.signal.aborted) return { ...ended, result: null };
  const bundle = await bundleResult(call, clone.value, { head, branch: toBranch(job.id, job.attempt) });
  if (!bundle.ok) return { ...failed(bundle.fault.message), commit: base };
  const { path, bytes } = bundle.value;
  if (bytes > TEAM_JOB_LIMITS.resultBytes)
    return { ...failed(`The result has ${bytes} bytes; ${TEAM_JOB_LIMITS.resultBytes} are taken`), commit: base };
  const sha256 = await sendResult(attempt, path, deps);
  if (sha256 === null) return { ...failed("The result could not be handed in"), commit: base };
  return { ...ended, result: { head, bytes, sha256 } };
}

/** An interrupted attempt has no result, because it would be incomplete. */
function toEnd({ root: _root, ...end }: WorkEnd, why: Interruption | undefined): TeamJobEnd {
  if (why === undefined) return end;
  return why === "stopped"
    ? { ...end, result: null, how: "stopped", reason: "Stopped on request" }
    : { ...end, result: null, how: "worker_failed", reason: LEAVING_TEXT };
}

/**
 * Sends a log in pieces, each after the previous one has arrived. Contract: what the server no longer accepts is
 * omitted; the server itself reports that the log is cut.
 */
function makeLogSender(attempt: Attempt, deps: AttemptDeps): (piece: Buffer) => Promise<void> {
  let at = 0;
  let isOver = false;
  return async (piece) => {
    for (let from = 0; from < piece.length && !isOver; ) {
      const part = piece.subarray(from, from + TEAM_JOB_LIMITS.logChunkBytes);
      const told = await untilHeard(() => attempt.send("log", at, part), deps);
      isOver = told.is !== "heard" || told.value !== at + part.length;
      at += part.length;
      from += part.length;
    }
  };
}

/** Sends a result. Returns its hash, or null if the server has not accepted all of it. */
async function sendResult(attempt: Attempt, path: string, deps: AttemptDeps): Promise<string | null> {
  const all = readFileSync(path);
  for (let at = 0; at < all.length; at += TEAM_JOB_LIMITS.resultChunkBytes) {
    const part = all.subarray(at, at + TEAM_JOB_LIMITS.resultChunkBytes);
    const told = await untilHeard(() => attempt.send("result", at, part), deps);
    if (told.is !== "heard" || told.value !== at + part.length) return null;
  }
  return toSha256(all);
}

/** Repeats a message until the server has settled it. Contract: gives up soon after the worker is asked to stop. */
async function untilHeard<T>(tell: () => Promise<Delivery<T>>, { stopping }: AttemptDeps): Promise<Delivery<T>> {
  for (let leftMs = LEAVING_MS; ; ) {
    const told = await tell();
    if (told.is !== "away" || leftMs <= 0) return told;
    await sleep(RETRY_MS);
    if (stopping.aborted) leftMs -= RETRY_MS;
  }
}
