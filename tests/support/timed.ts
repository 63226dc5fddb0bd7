import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** What starting node and ending it takes on the quiet machine that the bars were set on. */
const USUAL_START_MS = 50;

/** What ends sooner is in time whatever the machine does: nothing is started to find out. */
const PATIENCE_MS = 500;

/**
 * Starts to count time. The function that it gives tells the milliseconds since, divided by how much slower than usual the
 * machine was meanwhile, so that a busy one does not fail a test.
 */
export function countUsualMs(): () => number {
  const startMs = performance.now();
  const machine = watchMachine();
  return () => {
    machine.stop();
    return (performance.now() - startMs) / machine.slowness();
  };
}

/** Somebody who waits: since when, and the slowest start of node meanwhile. */
interface Watch {
  readonly sinceMs: number;
  slowestMs: number;
}

const watches = new Set<Watch>();
let isProbing = false;
/** When the look that is not over yet should have begun; a machine that is slow enough ends none in time. */
let lookingSinceMs: number | null = null;

/** A look at how slow the machine is, from when it began. */
interface MachineWatch {
  /** At least 1: how many times slower than usual it was so far. */
  readonly slowness: () => number;
  /** Looks once more, now: for whoever is late before there was anything to see. */
  readonly look: () => Promise<void>;
  readonly stop: () => void;
}

/** Looks at how slow the machine is until it is stopped. However many look, one process is started at a time. */
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
    // Looking makes the machine busy, too: once in a while will do for those who have seen it.
    const isDue = startMs - lastMs > PATIENCE_MS || waiting.some(({ slowestMs }) => slowestMs === 0);
    if (waiting.length === 0 || !isDue) continue;
    lastMs = startMs;
    // From when it was due: where this process itself has to wait, all have to.
    lookingSinceMs = dueMs;
    await startNode();
    for (const watch of watches) noteLook(watch, dueMs);
    lookingSinceMs = null;
  }
  isProbing = false;
}

/** What a look that began then tells a watch: also one that came while it went on, but only of the time since. */
function noteLook(watch: Watch, sinceMs: number): void {
  watch.slowestMs = Math.max(watch.slowestMs, performance.now() - Math.max(sinceMs, watch.sinceMs));
}

function startNode(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore", env: {} });
    child.once("error", () => resolve()).once("close", () => resolve());
  });
}
