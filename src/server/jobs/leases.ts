import { TEAM_JOB_LIMITS, type TeamJobState } from "../../contract/team-jobs.ts";
import type { Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import type { PeriodicTask } from "../sweep.ts";

/** An attempt as named by a worker that claims to hold it. */
export interface AttemptName {
  readonly job: string;
  readonly attempt: number;
  /** Secret of the claim, known only to the claiming worker. */
  readonly fence: string;
}

/** End of an attempt. */
export interface AttemptEnd {
  readonly state: Exclude<TeamJobState, "queued" | "running">;
  /** True if the job may be retried, provided that its submitter requested retries. */
  readonly mayRetry: boolean;
  readonly reason: string;
}

/**
 * Returns the job of a running attempt, locked until the transaction ends; undefined if the attempt is over, does not
 * exist, or belongs to another worker. Contract: an expired lease counts as lost, no matter who notices it first.
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

/** Renews the lease of a worker that has reported. */
export async function renewLease({ change }: Transaction, job: string): Promise<void> {
  await change(`UPDATE groundwork.jobs SET lease_until = ${LEASE}, updated_at = now() WHERE id = $1`, job);
}

/** SQL for the expiry time of a lease that begins now. */
export const LEASE = `now() + interval '${TEAM_JOB_LIMITS.leaseSeconds} seconds'`;

/**
 * Ends the attempts whose leases have expired: all that the principal sees, or that of one job. Returns their number.
 * Contract: never waits for a row that another transaction has locked.
 */
export async function loseOverdue(transaction: Transaction, job: string | null = null): Promise<number> {
  const gone = await transaction.rows(
    `SELECT id, attempt, worker_name FROM groundwork.jobs
     WHERE state = 'running' AND lease_until < now() AND ($1::text IS NULL OR id = $1) FOR UPDATE SKIP LOCKED`,
    job,
  );
  for (const { id, attempt, worker_name: worker } of gone) {
    const reason = `Its worker ${String(worker)} sent no heartbeat for ${TEAM_JOB_LIMITS.leaseSeconds} seconds`;
    await endAttempt(transaction, String(id), Number(attempt), { state: "lost", mayRetry: true, reason });
    await transaction.note("job lost", `${String(id)} ${String(attempt)}`);
  }
  return gone.length;
}

/**
 * Ends an attempt of a job, and with it the job, unless it is queued again. Contract: the caller has locked the row; a
 * job that was to be stopped is not retried; the fence is cleared if the job is queued again or lost.
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

/** Marks jobs of vanished workers as lost, and removes jobs that ended long ago. */
export const JOB_SWEEP: PeriodicTask = {
  name: "jobs",
  // Together with the lease far below two minutes, even while one server replaces another.
  everyMs: 10_000,
  work: async (transaction) => ({
    lost: await loseOverdue(transaction),
    removed: await transaction.change(
      `DELETE FROM groundwork.jobs WHERE ended_at < now() - interval '${TEAM_JOB_LIMITS.keptDays} days'`,
    ),
  }),
};
