import { randomInt } from "node:crypto";
import { cutText, toOneLine } from "../../base/text.ts";
import { TEAM_JOB_LIMITS, TEAM_JOB_STATES } from "../../contract/team-jobs.ts";
import { defang } from "../../safety/defang/defang.ts";
import { redact } from "../../safety/redact/redact.ts";
import { type Reply, refusal } from "../http.ts";
import type { Route, RouteCall } from "../routes.ts";
import type { SqlRow } from "../sql.ts";
import { readRequest, toCount } from "./input.ts";
import { loseOverdue } from "./leases.ts";
import { type PiecePlace, readPieces } from "./pieces.ts";
import { toJob, toListed } from "./views.ts";

/** A task in JSON, in which every character may take six bytes. */
const MAX_REQUEST_BYTES = 1024 * 1024;
const MAX_TITLE_CHARS = 120;
/** Letters only: a longer mixture would be redacted as a secret wherever it is shown. */
const ID_LETTERS = "abcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 8;
const MISSING = refusal(404, "there is no such job of this token");

/** Routes for submitters. Contract: a job of another token looks like one that does not exist. */
export const SUBMITTING: readonly Route[] = [
  { template: "/v1/jobs", maxBytes: MAX_REQUEST_BYTES, methods: { POST: submit, GET: list } },
  { template: "/v1/jobs/{job}", path: /^\/v1\/jobs\/(cdx-[^/]+)$/, maxBytes: 0, methods: { GET: tell } },
  { template: "/v1/jobs/{job}/stop", maxBytes: 0, methods: { POST: stop } },
  { template: "/v1/jobs/{job}/log", maxBytes: 0, methods: { GET: getLog } },
  { template: "/v1/jobs/{job}/result", maxBytes: 0, methods: { GET: getResult } },
];

async function submit({ holder, body, transaction }: RouteCall): Promise<Reply> {
  if (!holder.maySubmit) return refusal(403, "this token may not put jobs in the queue");
  const read = readRequest(body);
  if (!read.ok) return refusal(400, read.fault.message);
  const { repo, commit, task, tag, sandbox, network, retry, timeout_seconds: timeout } = read.value;
  const title = cutText(toOneLine(redact(defang(task.slice(0, 4 * MAX_TITLE_CHARS))).text), MAX_TITLE_CHARS).text;
  const suffix = Array.from({ length: ID_LENGTH }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join("");
  const [row] = await transaction.rows(
    `INSERT INTO groundwork.jobs (id, repo, revision, task, title, tag, sandbox, network, retries_left, timeout_seconds)
     VALUES ('cdx-' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD_HH24MISS') || '-' || $1::text, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     RETURNING id`,
    ...[suffix, repo, commit, task, title, tag, sandbox, network, retry, timeout],
  );
  const id = String(row?.["id"]);
  await transaction.note("job submit", id);
  return { status: 201, body: { jobId: id, tag, state: "queued" } };
}

async function list({ holder, query, transaction }: RouteCall): Promise<Reply> {
  const state = query.get("state");
  const limit = toCount(Number(query.get("limit") ?? TEAM_JOB_LIMITS.listed), TEAM_JOB_LIMITS.listed);
  const offset = toCount(Number(query.get("offset") ?? 0), Number.MAX_SAFE_INTEGER);
  if ((state !== null && !TEAM_JOB_STATES.some((known) => known === state)) || limit === null || offset === null)
    return refusal(400, `a list takes a state and a limit up to ${TEAM_JOB_LIMITS.listed}`);
  await loseOverdue(transaction);
  const rows = await transaction.rows(
    `SELECT * FROM groundwork.jobs WHERE submitter = $1 AND ($2::text IS NULL OR state = $2)
     ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
    ...[holder.id, state, limit, offset],
  );
  return { status: 200, body: { jobs: rows.map(toListed) } };
}

async function findOwn({ parts: [id = ""], holder, transaction }: RouteCall): Promise<SqlRow | undefined> {
  await loseOverdue(transaction, id);
  const [row] = await transaction.rows(
    "SELECT * FROM groundwork.jobs WHERE id = $1 AND submitter = $2",
    ...[id, holder.id],
  );
  return row;
}

async function tell(call: RouteCall): Promise<Reply> {
  const row = await findOwn(call);
  if (row === undefined) return MISSING;
  const attempts = await call.transaction.rows(
    "SELECT * FROM groundwork.job_attempts WHERE job = $1 ORDER BY number",
    row["id"],
  );
  return { status: 200, body: toJob(row, attempts) };
}

/** A queued job is stopped at once; for a running one the worker is told at its next heartbeat. */
async function stop({ parts: [id = ""], holder, transaction }: RouteCall): Promise<Reply> {
  await loseOverdue(transaction, id);
  const [row] = await transaction.rows(
    "SELECT state FROM groundwork.jobs WHERE id = $1 AND submitter = $2 FOR UPDATE",
    ...[id, holder.id],
  );
  if (row === undefined) return MISSING;
  const { state } = row;
  if (state === "queued")
    await transaction.change(
      `UPDATE groundwork.jobs SET state = 'stopped', stop_asked_at = now(), ended_at = now(), updated_at = now(),
         reason = 'Stopped before it was started' WHERE id = $1`,
      id,
    );
  if (state === "running")
    await transaction.change(
      "UPDATE groundwork.jobs SET stop_asked_at = coalesce(stop_asked_at, now()) WHERE id = $1",
      id,
    );
  if (state === "queued" || state === "running") await transaction.note("job stop", id);
  return { status: 200, body: { was: String(state) } };
}

async function getLog(call: RouteCall): Promise<Reply> {
  const row = await findOwn(call);
  if (row === undefined) return MISSING;
  const attempt = call.query.get("attempt") ?? row["attempt"];
  return readAt(call, { job: String(row["id"]), attempt: Number(attempt), kind: "log" });
}

/** Returns only an accepted result: what an attempt has uploaded does not count before. */
async function getResult(call: RouteCall): Promise<Reply> {
  const row = await findOwn(call);
  if (row === undefined) return MISSING;
  if (row["result_sha256"] === null) return refusal(404, "this job has no result");
  return readAt(call, { job: String(row["id"]), attempt: Number(row["attempt"]), kind: "result" });
}

async function readAt(call: RouteCall, place: PiecePlace): Promise<Reply> {
  const at = toCount(Number(call.query.get("at") ?? 0), TEAM_JOB_LIMITS.resultBytes);
  const isPlace = at !== null && toCount(place.attempt, 1_000_000) !== null;
  if (!isPlace) return refusal(400, "at and attempt are whole numbers");
  return { status: 200, body: await readPieces(call.transaction, place, at) };
}
