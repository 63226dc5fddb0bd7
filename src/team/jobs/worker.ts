import { randomUUID } from "node:crypto";
import { toMessage } from "../../base/text.ts";
import { sleep } from "../../base/timers.ts";
import type { TeamServerPlace } from "../../config/team-server.ts";
import type { ClaimedTeamJob, TeamJobWish } from "../../contract/team-jobs.ts";
import { type AttemptDeps, runAttempt, toWorkerFailed } from "./attempt-run.ts";
import { claimJob, openAttempt } from "./worker-calls.ts";
import { type EndRuns, makeAttemptFolder, removeAttemptFolder } from "./worker-folder.ts";

/** What a worker is and has. */
export interface WorkerDeps extends Omit<AttemptDeps, "folder"> {
  readonly access: TeamServerPlace;
  readonly wish: Omit<TeamJobWish, "fence">;
  /** Most jobs at once. */
  readonly most: number;
  /** This worker's own. */
  readonly folder: string;
  readonly endRuns: EndRuns;
}

/** Between two looks at a queue that has nothing: so far apart, by chance, that many workers do not come together. */
const LOOK_MS = 1_000;
const LOOK_JITTER_MS = 2_000;
/** The same for a server that is away. */
const AWAY_MS = 2_000;
const AWAY_JITTER_MS = 6_000;

/** Takes jobs and does them, until the signal; then waits for what runs to end. Contract: never throws. */
export async function runWorker(deps: WorkerDeps): Promise<void> {
  const { access, wish, most, stopping, say } = deps;
  const running = new Set<Promise<void>>();
  const stopped = new Promise<void>((resolve) => {
    if (stopping.aborted) resolve();
    stopping.addEventListener("abort", () => resolve(), { once: true });
  });
  // Never taken back: a job that was given and not heard of would be lost.
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
  // Telling goes on when the worker is to go, or nobody would hear how the job ended.
  const attempt = openAttempt(access, job, new AbortController().signal);
  let folder = "";
  try {
    folder = makeAttemptFolder(deps.folder, `${job.id}-${job.attempt}`);
    await runAttempt(job, attempt, { ...deps, folder });
  } catch (thrown) {
    // A full disk, or a mistake of ours. Where nobody hears it, the lease runs out.
    const why = `Its worker could not go on: ${toMessage(thrown)}`;
    say(`${job.id} ${job.attempt}: ${why}`);
    await attempt.end(toWorkerFailed(why));
  } finally {
    if (folder !== "") removeAttemptFolder(folder, endRuns);
  }
}
