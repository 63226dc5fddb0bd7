import { replaceFile } from "../../base/state-files.ts";
import { endJobProcesses, signalGroup } from "../../base/subprocess/marks.ts";
import { sleep } from "../../base/timers.ts";
import { type QueueDeps, withQueue } from "./queue.ts";
import { readLife } from "./status.ts";
import { JOB_FILES, type JobPlace } from "./store.ts";

/** What became of a request to stop. */
type Stopped = "was over" | "was queued" | "ended" | "still ending";

/** How long a run may take to end gently, and how long anything may take to be gone. */
export const STOP_WAIT_MS = 10_000;
const LOOK_MS = 50;

/**
 * Ends a job's processes: gently by a signal to its supervisor, which ends Codex and writes the end, or by force all of
 * them at once. Contract: never throws; signals nothing that is not this job's (`readLife`); does not write the end.
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
    // Written first: whoever finds the processes gone knows why.
    replaceFile(place.folder, JOB_FILES.stop, `${JSON.stringify({ force })}\n`);
    isTold = life.pid !== 0;
    if (isTold) signalGroup(life.pid, force || life.is === "queued" ? "SIGKILL" : "SIGTERM");
    if (force) endJobProcesses(place.folder);
    return life.is === "queued" ? "was queued" : "ended";
  };
  // Nobody may give a queued job its turn while it is taken out.
  const isQueued = readLife(place, clock).is === "queued";
  const done = (isQueued ? await withQueue(place.cwd, deps, end) : null) ?? end();
  for (const endMs = clock.monotonicMs() + STOP_WAIT_MS; clock.monotonicMs() < endMs; await sleep(LOOK_MS)) {
    if (readLife(place, clock).is === "gone") return done;
    // One that was only just starting is told now, and what a killed process was about to start is ended as well.
    if (force || !isTold) end();
  }
  return "still ending";
}
