import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { sleep } from "../../base/timers.ts";
import { entryKindOf } from "../run/files.ts";
import { sessionsFolder } from "../run/run-folder.ts";
import { claimLock, clearLockPlace } from "./queue-lock.ts";
import { isGone, type JobLife, readLife } from "./status.ts";
import { JOB_FILES, type JobPlace, listJobPlaces } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/**
 * Script that a queued job runs until its turn: it waits on a named pipe in its folder and then execs the run. So the
 * run has the environment of its caller without any of it being written to disk, and a folder that comes with a
 * repository can never be started: only a living process can wait. `go` is checked after the pipe has been opened, so
 * that no wake-up is missed.
 */
export const WAIT_SCRIPT = [
  `if command -p mkfifo -m 600 "$1/${JOB_FILES.turn}" 2>/dev/null; then exec 4<>"$1/${JOB_FILES.turn}"; fi`,
  `while [ ! -e "$1/${JOB_FILES.go}" ]; do read -r word 2>/dev/null <&4 || command -p sleep 1; done`,
  "exec 4<&-",
  `command -p rm -f "$1/${JOB_FILES.turn}"`,
  "shift",
  'exec "$@"',
].join("\n");

/** Longer than any process holds the queue. */
const QUEUE_WAIT_MS = 30_000;
const QUEUE_LOOK_MS = 20;

/** Dependencies of the queue. */
export interface QueueDeps {
  readonly clock: Clock;
  /** Called with one line per problem found with the queue's files. */
  readonly tell?: (line: string) => void;
}

interface Entry {
  readonly place: JobPlace;
  readonly life: JobLife;
}

/**
 * Lets queued jobs of a folder begin while fewer jobs are running than the next queued one allows: by priority, then by
 * age. Contract: never throws; takes no lock if no job is waiting.
 */
export async function dispatch(cwd: string, deps: QueueDeps): Promise<void> {
  const { clock } = deps;
  if (!readLives(cwd, clock).some(isHeld)) return;
  await withQueue(cwd, deps, () => {
    // Read again: the previous holder of the lock has changed the queue.
    const lives = readLives(cwd, clock);
    const begun = lives.filter(({ life }) => life.is === "running");
    // A process may have been killed between `letGo` and `callUp`, and a waiting job that has lost its request counts
    // as running: wake both.
    for (const { place } of begun.filter(isHeld)) {
      letGo(place);
      callUp(place);
    }
    let running = begun.length;
    const waiting = lives.filter(({ life }) => life.is === "queued" && life.pid !== 0).sort(byTurn);
    for (const { place, life } of waiting) {
      if (running >= (life.request?.maxParallel ?? 1) || !letGo(place)) return;
      callUp(place);
      running++;
    }
  });
}

/**
 * Runs `work` while holding the queue lock of a folder. Contract: null if the lock cannot be taken, immediately if it
 * is broken; the system releases it when its process dies; whatever occupied its place is moved aside and reported.
 */
export async function withQueue<T>(cwd: string, { clock, tell }: QueueDeps, work: () => T): Promise<T | null> {
  const lock = join(dirname(sessionsFolder(cwd)), "queue.lock");
  const giveUp = (why: string) => {
    tell?.(JOB_TEXTS.noQueue(why));
    return null;
  };
  for (const endMs = clock.monotonicMs() + QUEUE_WAIT_MS; clock.monotonicMs() < endMs; await sleep(QUEUE_LOOK_MS)) {
    const moved = clearLockPlace(lock);
    if (!moved.ok) return giveUp(moved.fault.message);
    for (const { path, why, to } of moved.value) tell?.(JOB_TEXTS.movedAside(path, why, to));
    const claimed = claimLock(lock);
    // The lock file itself is fine and may be held by others: the cause lies elsewhere, and waiting does not help.
    if (!claimed.ok) return giveUp(claimed.fault.message);
    if (claimed.value === null) continue;
    try {
      return work();
    } finally {
      claimed.value.release();
    }
  }
  return giveUp(JOB_TEXTS.queueBusy(QUEUE_WAIT_MS / 1_000));
}

function readLives(cwd: string, clock: Clock): Entry[] {
  const places = listJobPlaces(cwd).filter((place) => !isGone(place));
  return places.map((place) => ({ place, life: readLife(place, clock) }));
}

/** True for a job that waits, or that was let go but may have missed its wake-up. */
function isHeld({ place, life }: Entry): boolean {
  return (
    life.is === "queued" || (life.is === "running" && entryKindOf(join(place.folder, JOB_FILES.turn)) !== "missing")
  );
}

function byTurn(a: Entry, b: Entry): number {
  const [one, other] = [a.life.request, b.life.request];
  return (
    (other?.priority ?? 0) - (one?.priority ?? 0) ||
    (one?.createdMs ?? 0) - (other?.createdMs ?? 0) ||
    (a.place.id < b.place.id ? -1 : 1)
  );
}

/** Marks the job as running. False if the marker cannot be written. */
function letGo({ folder }: JobPlace): boolean {
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    closeSync(openSync(join(folder, JOB_FILES.go), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
    return true;
  } catch {
    return false;
  }
}

/** Wakes a waiting job; a job that has not started waiting yet sees the marker by itself. */
function callUp({ folder }: JobPlace): void {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    const pipe = openSync(join(folder, JOB_FILES.turn), O_WRONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      if (fstatSync(pipe).isFIFO()) writeSync(pipe, "go\n");
    } finally {
      closeSync(pipe);
    }
  } catch {
    // No process is waiting there.
  }
}
