import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { sleep } from "../../base/timers.ts";
import { kindOf } from "../run/files.ts";
import { claimLock, clearPlace } from "./queue-lock.ts";
import { isGone, type JobLife, readLife } from "./status.ts";
import { JOB_FILES, type JobPlace, listPlaces } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/**
 * What a queued job does until its turn has come: it waits at a pipe in its folder, and then becomes the run. So the run
 * has the environment of whoever asked for it, nothing of which lies on the disk, and no folder that a repository
 * brings can ever be started: only a living process waits. `go` is looked at after the pipe is open, so no word is missed.
 */
export const WAIT_SCRIPT = [
  `if command -p mkfifo -m 600 "$1/${JOB_FILES.turn}" 2>/dev/null; then exec 4<>"$1/${JOB_FILES.turn}"; fi`,
  `while [ ! -e "$1/${JOB_FILES.go}" ]; do read -r word 2>/dev/null <&4 || command -p sleep 1; done`,
  "exec 4<&-",
  `command -p rm -f "$1/${JOB_FILES.turn}"`,
  "shift",
  'exec "$@"',
].join("\n");

/** Longer than any other process holds the queue. */
const QUEUE_WAIT_MS = 30_000;
const QUEUE_LOOK_MS = 20;

/** What the queue needs from outside. */
export interface QueueDeps {
  readonly clock: Clock;
  /** Hears, a line each, what was wrong with the queue's files. */
  readonly tell?: (line: string) => void;
}

interface Entry {
  readonly place: JobPlace;
  readonly life: JobLife;
}

/**
 * Lets queued jobs of a folder begin as long as fewer jobs run than the first of them allows: higher priorities first,
 * then the older ones. Contract: never throws; costs no lock where nobody waits.
 */
export async function dispatch(cwd: string, deps: QueueDeps): Promise<void> {
  const { clock } = deps;
  if (!readLives(cwd, clock).some(isHeld)) return;
  await withQueue(cwd, deps, () => {
    // Read again: whoever had the queue before has changed it.
    const lives = readLives(cwd, clock);
    const begun = lives.filter(({ life }) => life.is === "running");
    // Somebody may have been killed between the word and the call, and one that has lost its request waits for nobody.
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
 * Does something while nobody else changes the queue of a folder. Contract: null where it could not be had, at once where it
 * is broken; the system takes it back from a process that dies; what stood in its place is moved aside, and that is told.
 */
export async function withQueue<T>(cwd: string, { clock, tell }: QueueDeps, work: () => T): Promise<T | null> {
  const lock = join(cwd, ".codex-father", "queue.lock");
  const giveUp = (why: string) => {
    tell?.(JOB_TEXTS.noQueue(why));
    return null;
  };
  for (const endMs = clock.monotonicMs() + QUEUE_WAIT_MS; clock.monotonicMs() < endMs; await sleep(QUEUE_LOOK_MS)) {
    const moved = clearPlace(lock);
    if (!moved.ok) return giveUp(moved.fault.message);
    for (const { path, why, to } of moved.value) tell?.(JOB_TEXTS.movedAside(path, why, to));
    const claimed = claimLock(lock);
    if (claimed === "busy") continue;
    if ("release" in claimed) {
      try {
        return work();
      } finally {
        claimed.release();
      }
    }
    // It is as it should be, and others may have it: what is wrong lies elsewhere, and waiting does not help.
    return giveUp(claimed.broken);
  }
  return giveUp(JOB_TEXTS.queueBusy(QUEUE_WAIT_MS / 1_000));
}

function readLives(cwd: string, clock: Clock): Entry[] {
  const places = listPlaces(cwd).filter((place) => !isGone(place));
  return places.map((place) => ({ place, life: readLife(place, clock) }));
}

/** One that waits, or that was told to go and may not have heard it. */
function isHeld({ place, life }: Entry): boolean {
  return life.is === "queued" || (life.is === "running" && kindOf(join(place.folder, JOB_FILES.turn)) !== "missing");
}

function byTurn(a: Entry, b: Entry): number {
  const [one, other] = [a.life.request, b.life.request];
  return (
    (other?.priority ?? 0) - (one?.priority ?? 0) ||
    (one?.createdMs ?? 0) - (other?.createdMs ?? 0) ||
    (a.place.id < b.place.id ? -1 : 1)
  );
}

/** From now on the job counts as running. False where that cannot be written. */
function letGo({ folder }: JobPlace): boolean {
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    closeSync(openSync(join(folder, JOB_FILES.go), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
    return true;
  } catch {
    return false;
  }
}

/** Wakes a job that waits; one that has not begun to wait sees by itself that it may go. */
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
    // Nobody waits there.
  }
}
