import { join } from "node:path";
import { listFolder } from "../../base/file-facts.ts";
import { replaceFile } from "../../base/state-files.ts";
import { endJobProcesses, signalGroup } from "../../base/subprocess/marks.ts";
import { sleep } from "../../base/timers.ts";
import { sessionsFolder } from "../run/run-folder.ts";
import { type QueueDeps, withQueue } from "./queue.ts";
import { readLife } from "./status.ts";
import { JOB_FILES, type JobPlace, supervisorMark } from "./store.ts";

/** The second round finds processes that were being started while their parent was killed. */
const ROUNDS = 2;

/** Ends all processes left by the runs of a folder, supervisors first. Contract: never throws. */
export function endRunsIn(cwd: string): void {
  const sessions = sessionsFolder(cwd);
  const folders = listFolder(sessions).map((name) => join(sessions, name));
  for (let round = 0; round < ROUNDS; round++)
    for (const folder of folders) for (const mark of [supervisorMark(folder), folder]) endJobProcesses(mark);
}

type Stopped = "was over" | "was queued" | "ended" | "still ending";

/** Maximum time for a graceful end, and for killed processes to be gone. */
export const STOP_WAIT_MS = 10_000;
const LOOK_MS = 50;

/**
 * Ends a job's processes: gracefully by a signal to its supervisor, which ends Codex and records the end, or all at
 * once by force. Contract: never throws; signals only processes of this job (`readLife`); does not record the end.
 */
export async function stopProcesses(
  place: JobPlace,
  { force }: { readonly force: boolean },
  deps: QueueDeps,
): Promise<Stopped> {
  const { clock } = deps;
  let isTold = false;
  const end = (): Stopped => {
    const life = readLife(place, clock);
    if (life.is === "gone") return "was over";
    // Written first, so that the reason is known to any process that finds the job gone.
    replaceFile(place.folder, JOB_FILES.stop, `${JSON.stringify({ force })}\n`);
    isTold = life.pid !== 0;
    if (isTold) signalGroup(life.pid, force || life.is === "queued" ? "SIGKILL" : "SIGTERM");
    if (force) endJobProcesses(place.folder);
    return life.is === "queued" ? "was queued" : "ended";
  };
  // A queued job must not get its turn while it is taken out.
  const isQueued = readLife(place, clock).is === "queued";
  const done = (isQueued ? await withQueue(place.cwd, deps, end) : null) ?? end();
  for (const endMs = clock.monotonicMs() + STOP_WAIT_MS; clock.monotonicMs() < endMs; await sleep(LOOK_MS)) {
    if (readLife(place, clock).is === "gone") return done;
    // Signals a job that had only just been starting, and by force anything that a killed process was about to start.
    if (force || !isTold) end();
  }
  return "still ending";
}
