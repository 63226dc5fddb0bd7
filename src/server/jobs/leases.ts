import { TEAM_JOB_LIMITS, type TeamJobState } from "../../contract/team-jobs.ts";
import type { Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import { note } from "../tokens.ts";

/** An attempt that somebody says is theirs. */
export interface AttemptName {
  readonly job: string;
  readonly attempt: number;
  /** What only who has claimed it knows. */
  readonly fence: string;
}

/** How an attempt ends. */
export interface AttemptEnd {
  readonly state: Exclude<TeamJobState, "queued" | "running">;
  /** Whether the job may be begun again, where its submitter has asked for that. */
  readonly mayRetry: boolean;
  readonly reason: string;
}

/**
 * The job of an attempt that goes on, locked until the transaction ends; undefined for one that is over, was never, or is
 * another's. Contract: a lease that has run out is gone, whoever finds it first.
 */
export async function holdAttempt(transaction: Transaction, named: AttemptName): Promise<SqlRow | undefined> {
  const { job, attempt, fence } = named;
  await loseOverdue(transaction, job);
  const [row] = await transaction.rows(
    `SELECT * FROM groundwork.jobs WHERE id = $1 AND attempt = $2 AND fence = $3 AND state = 'running'
       AND worker = groundwork.principal() FOR UPDATE`,
    ...[job, attempt, fence],
  );
  return row;
}

/** Says that a worker is there: its lease begins anew. */
export async function renewLease({ change }: Transaction, job: string): Promise<void> {
  await change(`UPDATE groundwork.jobs SET lease_until = ${LEASE}, updated_at = now() WHERE id = $1`, job);
}

/** When a lease that begins now runs out. */
export const LEASE = `now() + interval '${TEAM_JOB_LIMITS.leaseSeconds} seconds'`;

/**
 * Ends the attempts whose workers were not heard of for too long: all that the principal sees, or that of one job. Returns how many.
 * Contract: never waits for a row that somebody else is at.
 */
export async function loseOverdue(transaction: Transaction, job: string | null = null): Promise<number> {
  const gone = await transaction.rows(
    `SELECT id, attempt, worker_name FROM groundwork.jobs
     WHERE state = 'running' AND lease_until < now() AND ($1::text IS NULL OR id = $1) FOR UPDATE SKIP LOCKED`,
    job,
  );
  for (const { id, attempt, worker_name: worker } of gone) {
    const reason = `Its worker ${String(worker)} was not heard of for ${TEAM_JOB_LIMITS.leaseSeconds} seconds`;
    await endAttempt(transaction, String(id), Number(attempt), { state: "lost", mayRetry: true, reason });
    await note(transaction.change, "job lost", `${String(id)} ${String(attempt)}`);
  }
  return gone.length;
}

/**
 * Ends the attempt of a job: the job is over with it, or waits for the next one. Contract: the caller has the row locked; nobody who
 * was asked to stop begins again; the fence of an attempt that is not over for good counts no longer.
 */
export async function endAttempt(
  { change }: Transaction,
  job: string,
  attempt: number,
  { state, mayRetry, reason }: AttemptEnd,
): Promise<void> {
  await change(
    `UPDATE groundwork.job_attempts SET state = $3, reason = $4, ended_at = now() WHERE job = $1 AND number = $2`,
    ...[job, attempt, state, reason],
  );
  await change(
    `UPDATE groundwork.jobs SET
       state = CASE WHEN again THEN 'queued' ELSE $2 END,
       retries_left = retries_left - again::int,
       ended_at = CASE WHEN again THEN NULL ELSE now() END,
       fence = CASE WHEN again OR $2 = 'lost' THEN NULL ELSE fence END,
       reason = $3, lease_until = NULL, updated_at = now()
     FROM (SELECT $4::boolean AND retries_left > 0 AND stop_asked_at IS NULL AS again FROM groundwork.jobs WHERE id = $1) _
     WHERE id = $1`,
    ...[job, state, reason, mayRetry],
  );
}
