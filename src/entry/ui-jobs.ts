import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { withSafePath } from "../base/find-program.ts";
import type { JobState } from "../contract/codex-jobs.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { readCleanBytes } from "../jobs/job/clean-log.ts";
import { jobStatus, listJobs, stopJob } from "../jobs/job/commands.ts";
import type { JobDeps } from "../jobs/job/start.ts";
import { readDiffStat } from "../jobs/run/git-changes.ts";
import { findGitPlace, readHead } from "../jobs/run/git-place.ts";
import { openPlainGit } from "../jobs/run/plain-git.ts";
import { makeHide } from "../jobs/run/redaction.ts";
import type { JobName, WebSources } from "../web/sources.ts";
import type { ChangedFile, JobRow } from "../web/wire.ts";
import { gitSource, SETTLE_PROGRAM, START_PROGRAM } from "./codex-programs.ts";

/** Maximum number of jobs shown per folder, newest first. */
const MOST_JOBS = 50;
/** Maximum number of changed files shown. */
const MOST_FILES = 200;
const LOG_BYTES = 64 * 1024;
const GIT_MS = 5_000;

/** Data about Codex jobs for the page. Contract: only jobs of the folders in `listFolders` can be seen and stopped. */
export function makeUiJobs(
  env: Environment,
  listFolders: () => readonly string[],
): Pick<WebSources, "listJobs" | "findJob" | "readLog" | "stopJob"> {
  const deps: JobDeps = { env, clock: systemClock, startProgram: START_PROGRAM, settleProgram: SETTLE_PROGRAM };
  const hide = makeHide(env);
  const within = <T>({ cwd }: JobName, then: () => T): T | Outcome<never> =>
    listFolders().includes(cwd) ? then() : fail("E_INVALID_ARGS", "no such job");
  const toRow = (job: JobState): JobRow => ({
    id: job.id,
    state: job.state,
    exit_code: job.exit_code,
    classification: job.classification,
    tokens_used: job.tokens_used,
    cwd: job.cwd,
    created_at: job.created_at,
    updated_at: job.updated_at,
    tag: job.tag,
    title: hide(job.title),
  });
  return {
    listJobs: async () => {
      const rows: JobRow[] = [];
      for (const cwd of listFolders()) {
        const listed = await listJobs({ cwd, limit: MOST_JOBS }, deps);
        for (const { id } of listed.ok ? listed.value : []) {
          const status = await jobStatus({ cwd, id }, deps);
          if (status.ok) rows.push(toRow(status.value));
        }
      }
      return rows.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    },
    findJob: async (name) =>
      within(name, async () => {
        const status = await jobStatus(name, deps);
        if (!status.ok) return status;
        return succeed({ job: toRow(status.value), changes: await readChanges(env, status.value.cwd) });
      }),
    readLog: (name, offset) =>
      within(name, () => {
        const read = readCleanBytes({ ...name, offset, limit: LOG_BYTES }, hide);
        if (!read.ok) return read;
        const { chunk, nextOffset, eof, size } = read.value;
        return succeed({ text: chunk, next: nextOffset, eof, size });
      }),
    stopJob: async (name) =>
      within(name, async () => {
        const done = await stopJob({ ...name, force: false }, deps);
        return done.ok ? succeed(done.value.message) : done;
      }),
  };
}

/** Uncommitted changes in a folder; null if git cannot determine them. */
async function readChanges(env: Environment, cwd: string): Promise<readonly ChangedFile[] | null> {
  const source = gitSource();
  const place = findGitPlace(cwd, withSafePath({ ...env }, cwd).PATH, source);
  if (place === null) return null;
  const git = await openPlainGit(place, { env, signal: AbortSignal.timeout(GIT_MS) });
  const changes = await readDiffStat(place, git, readHead(place, source));
  return changes?.slice(0, MOST_FILES) ?? null;
}
