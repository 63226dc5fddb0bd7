import { sleep } from "../../base/timers.ts";
import { succeed } from "../../contract/faults.ts";
import { TEAM_JOB_LIMITS } from "../../contract/team-jobs.ts";
import type { TeamDatabase } from "../database.ts";
import type { Log } from "../log.ts";
import { loseOverdue } from "./leases.ts";

/** With the lease far below two minutes, also where one server has just gone and another one begins. */
const SWEEP_MS = 10_000;

/**
 * Looks after jobs once: those whose workers are gone are lost, those that ended long ago are removed. Several servers may do so at
 * once. Contract: a database that is away is nobody's trouble; the next time comes soon.
 */
export async function sweepJobs(database: TeamDatabase, log: Log): Promise<void> {
  const done = await database.asAdmin(async (transaction) => {
    const lost = await loseOverdue(transaction);
    const removed = await transaction.change(
      `DELETE FROM groundwork.jobs WHERE ended_at < now() - interval '${TEAM_JOB_LIMITS.keptDays} days'`,
    );
    return succeed({ lost, removed });
  });
  if (done.ok && done.value.lost + done.value.removed > 0) log("jobs", done.value);
}

/** Sweeps until the signal. Contract: never rejects. */
export async function keepSweeping(database: TeamDatabase, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await sweepJobs(database, log);
    } catch {
      log("error", { kind: "sweep of jobs" });
    }
    await sleep(SWEEP_MS, signal);
  }
}
