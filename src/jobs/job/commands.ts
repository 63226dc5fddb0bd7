import { join } from "node:path";
import { sleep } from "../../base/timers.ts";
import type { JobState, ListedJob, StartedJob } from "../../contract/codex-jobs.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { entryKindOf } from "../run/files.ts";
import { removeFolder, sessionsFolder } from "../run/run-folder.ts";
import { countJobs, type JobMetrics } from "./metrics.ts";
import { dispatch } from "./queue.ts";
import { toResumeArgs } from "./resume.ts";
import { findLeftRun, settleEnd } from "./settle.ts";
import { type JobDeps, type JobRequestInput, launchJob } from "./start.ts";
import { checkJob, isFinished, readLife } from "./status.ts";
import { STOP_WAIT_MS, stopProcesses } from "./stop.ts";
import { findCwd, findJob, jobPlaceOf, listJobPlaces } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/** Filter of `listJobs`. */
export interface ListFilter {
  readonly cwd: string;
  readonly state?: string | undefined;
  readonly tagContains?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Starts a job and returns immediately. Contract: never throws; an invalid option of the run ends as a failed job. */
export async function startJob(input: JobRequestInput, deps: JobDeps): Promise<Outcome<StartedJob>> {
  const launched = await launchJob(input, deps);
  if (!launched.ok) return launched;
  const place = launched.value;
  if (input.maxParallel !== undefined) await dispatch(place.cwd, deps);
  const { pid, tag, log_file, meta_glob, last_message_glob } = checkJob(place, deps.clock);
  return succeed({
    jobId: place.id,
    pid,
    cwd: place.cwd,
    logFile: log_file,
    metaGlob: meta_glob,
    lastMessageGlob: last_message_glob,
    tag,
  });
}

/**
 * Returns the current state of a job and writes it to its `state.json`. Contract: never throws; refused if there is no
 * such job.
 */
export async function jobStatus(
  { cwd, id }: { readonly cwd: string; readonly id: string },
  deps: JobDeps,
): Promise<Outcome<JobState>> {
  const place = findJob(cwd, id);
  if (!place.ok) return place;
  const state = checkJob(place.value, deps.clock);
  if (state.state !== "queued") return succeed(state);
  await dispatch(place.value.cwd, deps);
  return succeed(checkJob(place.value, deps.clock));
}

/** Lists the jobs of a folder, newest first. Contract: never throws; empty for a folder without jobs. */
export async function listJobs(filter: ListFilter, deps: JobDeps): Promise<Outcome<ListedJob[]>> {
  const states = await checkJobs(filter, deps);
  if (!states.ok) return states;
  const listed = states.value.map(({ id, state, created_at, updated_at, tag, title }) => ({
    id,
    state,
    createdAt: created_at,
    updatedAt: updated_at,
    tag,
    title,
  }));
  return succeed(listed);
}

/** States of the jobs that match a filter, newest first. */
async function checkJobs(filter: ListFilter, deps: JobDeps): Promise<Outcome<JobState[]>> {
  const { clock } = deps;
  const cwd = findCwd(filter.cwd);
  if (!cwd.ok) return cwd;
  const jobs = listJobPlaces(cwd.value).map((place) => ({ place, job: checkJob(place, clock) }));
  if (!jobs.every(({ job }) => isFinished(job))) await dispatch(cwd.value, deps);
  const { state, tagContains = "", limit = Number.POSITIVE_INFINITY, offset = 0 } = filter;
  const states = jobs
    .map((each) => (isFinished(each.job) ? each.job : checkJob(each.place, clock)))
    .filter((job) => (state === undefined || job.state === state) && job.tag.includes(tagContains))
    .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : a.id < b.id ? 1 : -1));
  return succeed(states.slice(offset, offset + limit));
}

/** Maximum time that a supervisor may take to exit after its end has been reported. */
const GONE_MS = 2_000;
const LOOK_MS = 20;

/**
 * Settles a run whose supervisor is gone, then lets the next queued job begin. `mark` is the folder of the run or, if
 * the run shares its folder with others, the mark that its processes carry. Contract: never throws; does nothing if the
 * supervisor is alive or has itself recorded the end.
 */
export async function settle(
  { mark, cwd }: { readonly mark: string; readonly cwd: string },
  deps: JobDeps,
): Promise<void> {
  const { clock } = deps;
  const place = jobPlaceOf(mark);
  if (place === null) {
    const run = findLeftRun(mark, cwd);
    if (entryKindOf(run.session.paths.log) === "file") settleEnd(run);
    return;
  }
  for (const endMs = clock.monotonicMs() + GONE_MS; clock.monotonicMs() < endMs; await sleep(LOOK_MS)) {
    if (readLife(place, clock).is === "gone") break;
  }
  checkJob(place, clock);
  await dispatch(place.cwd, deps);
}

interface StopAnswer {
  readonly message: string;
  /** False if the job was asked to stop and has not ended yet. */
  readonly isOver: boolean;
}

/**
 * Ends a job and everything that it started. Contract: never throws; a job that is already over is not an error; waits
 * up to 10 s for a graceful end.
 */
export async function stopJob(
  { cwd, id, force }: { readonly cwd: string; readonly id: string; readonly force: boolean },
  deps: JobDeps,
): Promise<Outcome<StopAnswer>> {
  const { clock } = deps;
  const place = findJob(cwd, id);
  if (!place.ok) return place;
  const stopped = await stopProcesses(place.value, { force }, deps);
  const { state, exit_code } = checkJob(place.value, clock);
  await dispatch(place.value.cwd, deps);
  const message = {
    "was over": () => JOB_TEXTS.alreadyOver(id, state),
    "was queued": () => JOB_TEXTS.wasTakenOut(id),
    ended: () => JOB_TEXTS.wasStopped(id, exit_code ?? 0),
    "still ending": () => JOB_TEXTS.stillEnding(id, STOP_WAIT_MS / 1_000),
  }[stopped]();
  return succeed({ message, isOver: stopped !== "still ending" });
}

/** A request to resume a job. */
export interface ResumeInput extends Omit<JobRequestInput, "tag"> {
  readonly id: string;
  /** Defaults to the tag of the old job. */
  readonly tag?: string | undefined;
  /** True to start a new session instead of resuming the Codex session of the old job. */
  readonly isFresh?: boolean | undefined;
}

/**
 * Starts a new job with the options of a finished one, in the same Codex session if there is one; `args` are appended.
 * Contract: never throws; only options that this user has started before are started again.
 */
export async function resumeJob(input: ResumeInput, deps: JobDeps): Promise<Outcome<StartedJob>> {
  const place = findJob(input.cwd, input.id);
  if (!place.ok) return place;
  const { state, tag } = checkJob(place.value, deps.clock);
  if (!isFinished({ state })) return refuse(JOB_TEXTS.notOver(input.id, state));
  const args = await toResumeArgs(place.value, { args: input.args, isFresh: input.isFresh === true }, deps.env);
  return args.ok ? startJob({ ...input, tag: input.tag ?? tag, args: args.value }, deps) : args;
}

interface CleanInput extends ListFilter {
  readonly olderThanHours: number;
  readonly dryRun: boolean;
}

/** Ids of the jobs that were removed or, in a dry run, would be. */
interface CleanAnswer {
  readonly removed: readonly string[];
  /** Jobs whose folders could not be removed completely. */
  readonly failed: readonly string[];
  readonly dryRun: boolean;
}

/**
 * Removes finished jobs, oldest first. Contract: never throws; queued and running jobs stay, whatever the filter says;
 * symlinks inside their folders are removed, not followed.
 */
export async function cleanJobs(input: CleanInput, deps: JobDeps): Promise<Outcome<CleanAnswer>> {
  const { limit = Number.POSITIVE_INFINITY, olderThanHours, dryRun, ...filter } = input;
  const jobs = await checkJobs(filter, deps);
  if (!jobs.ok) return jobs;
  const nowMs = deps.clock.nowMs();
  const over = jobs.value
    .filter((job) => isFinished(job) && nowMs - Date.parse(job.updated_at) >= olderThanHours * 3_600_000)
    .sort((a, b) => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : 0))
    .slice(0, limit);
  const failed = dryRun ? [] : over.filter(({ cwd, id }) => !removeFolder(join(sessionsFolder(cwd), id)));
  const removed = over.filter((job) => !failed.includes(job));
  return succeed({ removed: removed.map(({ id }) => id), failed: failed.map(({ id }) => id), dryRun });
}

/** Counts the jobs that match a filter. Contract: never throws. */
export async function jobMetrics(filter: ListFilter, deps: JobDeps): Promise<Outcome<JobMetrics>> {
  const jobs = await checkJobs(filter, deps);
  return jobs.ok ? succeed(countJobs(jobs.value)) : jobs;
}
