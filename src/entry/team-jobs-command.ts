import { resolve } from "node:path";
import type { TeamJobCalls } from "../adapters/cli/team-jobs.ts";
import { toRealFolder } from "../base/repo-root.ts";
import { readTeamServer } from "../config/team-server.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { fetchResult } from "../team/jobs/fetch-result.ts";
import { openSubmittedJobs } from "../team/jobs/submitted-jobs.ts";

/** The jobs on the team server that the environment names. Contract: sends nothing yet. */
export function openTeamJobs(cwd: string, signal: AbortSignal): Outcome<TeamJobCalls> {
  const access = readTeamServer(process.env);
  if (!access.ok) return access;
  const jobs = openSubmittedJobs(access.value, signal);
  return succeed({
    ...jobs,
    bring: async (id: string, repo: string | null) => {
      const folder = toRealFolder(resolve(cwd, repo ?? ""));
      if (folder === null) return fail("E_INVALID_ARGS", `--repo ${repo ?? cwd} is not a folder`);
      return fetchResult(jobs, id, { folder, env: process.env, signal });
    },
  });
}
