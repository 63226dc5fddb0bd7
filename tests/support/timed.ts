import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** Time to start and end node on the quiet machine used to set the limits. */
const USUAL_START_MS = 50;

/** Anything faster is in time in any case, so the machine is not probed for it. */
const PATIENCE_MS = 500;

/**
 * Starts a stopwatch. The returned function gives the milliseconds since, divided by the slowness of the machine in the
 * meantime, so that a busy machine does not fail a test.
 */
export function countUsualMs(): () => number {
  const startMs = performance.now();
  const machine = watchMachine();
  return () => {
    machine.stop();
    return (performance.now() - startMs) / machine.slowness();
  };
}

/** Waits this long on a quiet machine, and longer on a slow one. */
export async function sleepUsualMs(ms: number): Promise<void> {
  const machine = watchMachine();
  await sleep(ms);
  await machine.look();
  machine.stop();
  await sleep(ms * (machine.slowness() - 1));
}

/** A waiting test: when it started, and the slowest start of node since. */
interface Watch {
  readonly sinceMs: number;
  slowestMs: number;
}

const watches = new Set<Watch>();
let isProbing = false;
/** When the running probe was due, or null: on a very slow machine, no probe ends in time. */
let lookingSinceMs: number | null = null;

/** Observes how slow the machine is. */
interface MachineWatch {
  /** How many times slower than usual the machine was so far; at least 1. */
  readonly slowness: () => number;
  /** Probes once more, now: for a test that is late before any probe has run. */
  readonly look: () => Promise<void>;
  readonly stop: () => void;
}

/** Observes the machine until it is stopped. However many observers there are, only one probe runs at a time. */
export function watchMachine(): MachineWatch {
  const watch: Watch = { sinceMs: performance.now(), slowestMs: 0 };
  watches.add(watch);
  if (!isProbing) void probe();
  return {
    slowness: () => {
      if (lookingSinceMs !== null) noteLook(watch, lookingSinceMs);
      return Math.max(1, watch.slowestMs / USUAL_START_MS);
    },
    look: async () => {
      const startMs = performance.now();
      await startNode();
      watch.slowestMs = Math.max(watch.slowestMs, performance.now() - startMs);
    },
    stop: () => void watches.delete(watch),
  };
}

async function probe(): Promise<void> {
  isProbing = true;
  let lastMs = 0;
  while (watches.size > 0) {
    const dueMs = performance.now() + PATIENCE_MS / 4;
    await sleep(PATIENCE_MS / 4, undefined, { ref: false });
    const startMs = performance.now();
    const waiting = [...watches].filter(({ sinceMs }) => startMs - sinceMs > PATIENCE_MS);
    // Probes load the machine, too: observers that already have a result need one only now and then.
    const isDue = startMs - lastMs > PATIENCE_MS || waiting.some(({ slowestMs }) => slowestMs === 0);
    if (waiting.length === 0 || !isDue) continue;
    lastMs = startMs;
    // Counts from when it was due: delays of this process affect all tests.
    lookingSinceMs = dueMs;
    await startNode();
    for (const watch of watches) noteLook(watch, dueMs);
    lookingSinceMs = null;
  }
  isProbing = false;
}

/**
 * Applies a probe that started at `sinceMs` to a watch; a watch that started later counts only the time since its
 * start.
 */
function noteLook(watch: Watch, sinceMs: number): void {
  watch.slowestMs = Math.max(watch.slowestMs, performance.now() - Math.max(sinceMs, watch.sinceMs));
}

function startNode(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore", env: {} });
    child.once("error", () => resolve()).once("close", () => resolve());
  });
}
