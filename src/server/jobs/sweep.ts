import { TEAM_JOB_LIMITS } from "../../contract/team-jobs.ts";
import type { PeriodicTask } from "../sweep.ts";
import { loseOverdue } from "./leases.ts";

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
