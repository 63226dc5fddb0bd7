import {
  type ClaimedTeamJob,
  FENCE_HEADER,
  TEAM_JOB_LIMITS,
  TEAM_SANDBOXES,
  type TeamJobEnd,
} from "../../contract/team-jobs.ts";
import { DONE, type Reply, refusal } from "../http.ts";
import type { Route, RouteCall } from "../routes.ts";
import type { SqlRow } from "../sql.ts";
import { readEnd, readWish, toCount } from "./input.ts";
import {
  type AttemptEnd,
  type AttemptName,
  endAttempt,
  holdAttempt,
  LEASE,
  loseOverdue,
  renewLease,
} from "./leases.ts";
import { addPiece, hashPieces, type PieceKind } from "./pieces.ts";

const MAX_SMALL_BYTES = 64 * 1024;
const MAY_NOT = refusal(403, "this token may not take jobs from the queue");
/** Same reply for an attempt that is over, another worker's, or unknown: a worker needs to know no more. */
const OVER = refusal(409, "this attempt is not yours, or is over: nothing of it is taken any more");
const BUNDLE = /^# v[23] git bundle\n/;

/**
 * Routes for workers. Contract: only the holder of a job's current attempt, proven by its fence, can change the job.
 */
export const WORKING: readonly Route[] = [
  { template: "/v1/jobs/claim", maxBytes: MAX_SMALL_BYTES, methods: { POST: claim } },
  { template: "/v1/jobs/{job}/{attempt}/heartbeat", maxBytes: 0, methods: { POST: hear } },
  {
    template: "/v1/jobs/{job}/{attempt}/log",
    maxBytes: TEAM_JOB_LIMITS.logChunkBytes,
    methods: { PUT: (call) => take(call, "log") },
  },
  {
    template: "/v1/jobs/{job}/{attempt}/result",
    maxBytes: TEAM_JOB_LIMITS.resultChunkBytes,
    methods: { PUT: (call) => take(call, "result") },
  },
  { template: "/v1/jobs/{job}/{attempt}/end", maxBytes: MAX_SMALL_BYTES, methods: { POST: end } },
];

/**
 * Claims a job. Contract: a worker that missed the answer repeats the request with the same fence and gets the same
 * job.
 */
async function claim({ holder, body, transaction }: RouteCall): Promise<Reply> {
  if (!holder.mayWork) return MAY_NOT;
  const read = readWish(body);
  if (!read.ok) return refusal(400, read.fault.message);
  const { worker, fence, prefixes, max_sandbox: most, network } = read.value;
  await loseOverdue(transaction);
  const [before] = await transaction.rows(
    "SELECT * FROM groundwork.jobs WHERE state = 'running' AND worker = $1 AND fence = $2",
    ...[holder.id, fence],
  );
  if (before !== undefined) return { status: 200, body: toClaimed(before) };
  const allowed = TEAM_SANDBOXES.slice(0, TEAM_SANDBOXES.indexOf(most) + 1);
  const [row] = await transaction.rows(
    `UPDATE groundwork.jobs SET state = 'running', attempt = attempt + 1, fence = $1, worker = groundwork.principal(), worker_name = $2,
       lease_until = ${LEASE}, updated_at = now(), log_bytes = 0, log_cut = false, result_bytes = 0,
       exit_code = NULL, classification = '', tokens_used = '', reason = '', commit_id = ''
     WHERE id = (
       SELECT id FROM groundwork.jobs WHERE state = 'queued' AND sandbox = ANY ($3::text[]) AND (NOT network OR $4)
         AND EXISTS (SELECT FROM unnest($5::text[]) prefix WHERE starts_with(repo || '/', prefix))
       ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING *`,
    ...[fence, worker, allowed, network, prefixes],
  );
  if (row === undefined) return DONE;
  await transaction.change(
    "INSERT INTO groundwork.job_attempts (job, number, worker_name) VALUES ($1, $2, $3)",
    ...[row["id"], row["attempt"], worker],
  );
  await transaction.note("job claim", `${String(row["id"])} ${String(row["attempt"])}`);
  return { status: 200, body: toClaimed(row) };
}

function toClaimed(row: SqlRow): ClaimedTeamJob {
  return {
    id: String(row["id"]),
    attempt: Number(row["attempt"]),
    fence: String(row["fence"]),
    repo: String(row["repo"]),
    commit: String(row["revision"]),
    task: String(row["task"]),
    tag: String(row["tag"]),
    sandbox: row["sandbox"] as ClaimedTeamJob["sandbox"],
    network: row["network"] === true,
    timeout_seconds: Number(row["timeout_seconds"]),
  };
}

async function hear(call: RouteCall): Promise<Reply> {
  const held = await holdAttempt(call.transaction, nameOf(call));
  if (held === undefined) return OVER;
  await renewLease(call.transaction, String(held["id"]));
  return { status: 200, body: { stop: held["stop_asked_at"] !== null } };
}

/**
 * Accepts a piece that begins where the last one ended. A worker that missed the answer and sends a piece again, or
 * that is ahead, is told the offset to continue at.
 */
async function take(call: RouteCall, kind: PieceKind): Promise<Reply> {
  const { transaction, body, query } = call;
  const held = await holdAttempt(transaction, nameOf(call));
  if (held === undefined) return OVER;
  const [job, attempt, bytes] = [String(held["id"]), Number(held["attempt"]), Number(held[`${kind}_bytes`])];
  const at = toCount(Number(query.get("at") ?? Number.NaN), TEAM_JOB_LIMITS.resultBytes);
  if (at === null) return refusal(400, "at is the offset of the piece");
  // A result is never cut, whatever became of the log.
  const isCut = kind === "log" && held["log_cut"] === true;
  if (at !== bytes || body.length === 0) return { status: 200, body: { bytes, cut: isCut } };
  const most = kind === "log" ? TEAM_JOB_LIMITS.logBytes : TEAM_JOB_LIMITS.resultBytes;
  const isTooMuch = bytes + body.length > most;
  if (isTooMuch && kind === "result") return refusal(413, `a result has at most ${most} bytes`);
  if (isTooMuch) {
    await transaction.change("UPDATE groundwork.jobs SET log_cut = true WHERE id = $1", job);
    return { status: 200, body: { bytes, cut: true } };
  }
  await addPiece(transaction, { job, attempt, kind }, bytes, body);
  const now = bytes + body.length;
  await transaction.change(`UPDATE groundwork.jobs SET ${kind}_bytes = $2 WHERE id = $1`, job, now);
  return { status: 200, body: { bytes: now, cut: false } };
}

/** Ends an attempt and records its result, atomically. Contract: idempotent. */
async function end(call: RouteCall): Promise<Reply> {
  const { transaction, body, headers, holder } = call;
  const named = nameOf(call);
  const held = await holdAttempt(transaction, named);
  if (held === undefined) {
    const [over] = await transaction.rows(
      `SELECT state FROM groundwork.jobs WHERE id = $1 AND attempt = $2 AND fence = $3 AND worker = $4 AND ended_at IS NOT NULL`,
      ...[named.job, named.attempt, headers[FENCE_HEADER], holder.id],
    );
    return over === undefined ? OVER : { status: 200, body: { state: String(over["state"]) } };
  }
  const read = readEnd(body);
  if (!read.ok) return refusal(400, read.fault.message);
  const told = read.value;
  const refused = told.result === null ? null : await checkResult(call, named, held, told.result);
  if (refused !== null) return refused;
  const { exit_code, classification, tokens_used, commit, result } = told;
  await transaction.change(
    `UPDATE groundwork.jobs SET exit_code = $2, classification = $3, tokens_used = $4, commit_id = $5, result_head = $6, result_sha256 = $7
     WHERE id = $1`,
    ...[named.job, exit_code, classification, tokens_used, commit, result?.head ?? null, result?.sha256 ?? null],
  );
  await endAttempt(transaction, named.job, named.attempt, toAttemptEnd(told));
  const [now] = await transaction.rows("SELECT state FROM groundwork.jobs WHERE id = $1", named.job);
  await transaction.note("job end", `${named.job} ${named.attempt} ${String(now?.["state"])}`);
  return { status: 200, body: { state: String(now?.["state"]) } };
}

function toAttemptEnd({ how, exit_code, reason }: TeamJobEnd): AttemptEnd {
  if (how === "ended") return { state: exit_code === 0 ? "completed" : "failed", mayRetry: false, reason };
  return how === "stopped"
    ? { state: "stopped", mayRetry: false, reason }
    : { state: "failed", mayRetry: true, reason };
}

/**
 * Checks that an uploaded result is complete, has the stated hash and starts like a bundle; whoever fetches it checks
 * the rest.
 */
async function checkResult(
  { transaction }: RouteCall,
  { job, attempt }: AttemptName,
  held: SqlRow,
  { bytes, sha256 }: NonNullable<TeamJobEnd["result"]>,
): Promise<Reply | null> {
  const place = { job, attempt, kind: "result" } as const;
  if (Number(held["result_bytes"]) !== bytes) return refusal(422, "the result is not all here");
  if ((await hashPieces(transaction, place)) !== sha256) return refusal(422, "the result does not match its hash");
  const [row] = await transaction.rows(
    `SELECT substring(data FROM 1 FOR 16) AS head FROM groundwork.job_pieces
     WHERE job = $1 AND attempt = $2 AND kind = 'result' AND at_byte = 0`,
    ...[job, attempt],
  );
  const head = row?.["head"];
  const isBundle = head instanceof Uint8Array && BUNDLE.test(Buffer.from(head).toString("latin1"));
  return isBundle ? null : refusal(422, "the result is not a git bundle");
}

function nameOf({ parts: [job = "", attempt = ""], headers }: RouteCall): AttemptName {
  const fence = headers[FENCE_HEADER];
  return { job, attempt: Number(attempt), fence: typeof fence === "string" ? fence : "" };
}
