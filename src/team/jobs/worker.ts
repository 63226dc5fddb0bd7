import { randomUUID } from "node:crypto";
import { toMessage } from "../../base/text.ts";
import { sleep } from "../../base/timers.ts";
import type { TeamServerPlace } from "../../config/team-server.ts";
import type { ClaimedTeamJob, TeamJobWish } from "../../contract/team-jobs.ts";
import { type AttemptDeps, runAttempt, toWorkerFailed } from "./attempt-run.ts";
import { claimJob, openAttempt } from "./worker-calls.ts";
import { type EndRuns, makeAttemptFolder, removeAttemptFolder } from "./worker-folder.ts";

/** Settings and dependencies of a worker. */
interface WorkerDeps extends Omit<AttemptDeps, "folder"> {
  readonly access: TeamServerPlace;
  readonly wish: Omit<TeamJobWish, "fence">;
  /** Maximum number of concurrent jobs. */
  readonly most: number;
  /** Folder of this worker alone. */
  readonly folder: string;
  readonly endRuns: EndRuns;
}

/** Delay between two polls of an empty queue, with jitter, so that many workers do not poll at the same time. */
const LOOK_MS = 1_000;
const LOOK_JITTER_MS = 2_000;
/** The same for a server that is away. */
const AWAY_MS = 2_000;
const AWAY_JITTER_MS = 6_000;

/** Claims and runs jobs until the signal; then waits for the running ones to end. Contract: never throws. */
export async function runWorker(deps: WorkerDeps): Promise<void> {
  const { access, wish, most, stopping, say } = deps;
  const running = new Set<Promise<void>>();
  const stopped = new Promise<void>((resolve) => {
    if (stopping.aborted) resolve();
    stopping.addEventListener("abort", () => resolve(), { once: true });
  });
  // Never aborted: a job whose claim was granted but not received would be lost.
  const patient = new AbortController().signal;
  let fence = randomUUID();
  let told = "";
  while (!stopping.aborted) {
    if (running.size >= most) {
      await Promise.race([...running, stopped]);
      continue;
    }
    const claimed = await claimJob(access, { ...wish, fence }, patient);
    if (!claimed.ok) {
      const { message } = claimed.fault;
      if (message !== told) say(message);
      told = message;
      await sleep(AWAY_MS + Math.random() * AWAY_JITTER_MS, stopping);
      continue;
    }
    told = "";
    if (claimed.value === null) {
      await sleep(LOOK_MS + Math.random() * LOOK_JITTER_MS, stopping);
      continue;
    }
    fence = randomUUID();
    const done = doJob(claimed.value, deps).finally(() => running.delete(done));
    running.add(done);
  }
  await Promise.allSettled(running);
}

async function doJob(job: ClaimedTeamJob, deps: WorkerDeps): Promise<void> {
  const { access, say, endRuns } = deps;
  say(`${job.id} ${job.attempt}: begins`);
  // Reports continue after the worker is asked to stop, so that the server learns how the job ended.
  const attempt = openAttempt(access, job, new AbortController().signal);
  let folder = "";
  try {
    folder = makeAttemptFolder(deps.folder, `${job.id}-${job.attempt}`);
    await runAttempt(job, attempt, { ...deps, folder });
  } catch (thrown) {
    // A full disk or a bug of ours. If this report does not arrive, the lease expires.
    const why = `Its worker could not go on: ${toMessage(thrown)}`;
    say(`${job.id} ${job.attempt}: ${why}`);
    await attempt.end(toWorkerFailed(why));
  } finally {
    if (folder !== "") removeAttemptFolder(folder, endRuns);
  }
}
