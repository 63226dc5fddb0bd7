import { TEAM_JOB_LIMITS } from "../../contract/team-jobs.ts";
import type { Sweep } from "../sweep.ts";
import { loseOverdue } from "./leases.ts";

/** Looks after jobs: those whose workers are gone are lost, those that ended long ago are removed. */
export const JOB_SWEEP: Sweep = {
  name: "jobs",
  // With the lease far below two minutes, also where one server has just gone and another one begins.
  everyMs: 10_000,
  work: async (transaction) => ({
    lost: await loseOverdue(transaction),
    removed: await transaction.change(
      `DELETE FROM groundwork.jobs WHERE ended_at < now() - interval '${TEAM_JOB_LIMITS.keptDays} days'`,
    ),
  }),
};
