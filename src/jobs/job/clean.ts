import { rmSync } from "node:fs";
import { join } from "node:path";
import type { JobState } from "../../contract/codex-jobs.ts";

/** Which jobs are removed. */
export interface CleanFilter {
  readonly olderThanMs: number;
  readonly limit: number;
  readonly dryRun: boolean;
}

/** What was removed, or would be. */
export interface CleanAnswer {
  readonly removed: readonly string[];
  /** Those that could not be removed whole. */
  readonly failed: readonly string[];
  readonly dryRun: boolean;
}

/**
 * Removes the folders of jobs that are over, the oldest first. Contract: never throws; a job that waits or runs stays,
 * whatever the filter says; links inside are removed, not followed.
 */
export function removeJobs(jobs: readonly JobState[], filter: CleanFilter, nowMs: number): CleanAnswer {
  const over = jobs
    .filter(({ state }) => state === "completed" || state === "failed")
    .filter(({ updated_at }) => nowMs - Date.parse(updated_at) >= filter.olderThanMs)
    .sort((a, b) => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : 0))
    .slice(0, filter.limit);
  const failed = filter.dryRun ? [] : over.filter((job) => !removeFolder(job)).map(({ id }) => id);
  return { removed: over.map(({ id }) => id).filter((id) => !failed.includes(id)), failed, dryRun: filter.dryRun };
}

function removeFolder({ cwd, id }: JobState): boolean {
  try {
    rmSync(join(cwd, ".codex-father", "sessions", id), { recursive: true });
    return true;
  } catch {
    return false;
  }
}
