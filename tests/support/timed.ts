import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** What starting node and ending it takes on the quiet machine that the bars were set on. */
const USUAL_START_MS = 50;

/** What ends sooner is in time whatever the machine does. */
const PATIENCE_MS = 1_000;

/** How long something took, and how slow the machine was meanwhile. */
export interface Timed<T> {
  readonly value: T;
  readonly ms: number;
  /** At least 1: how many times longer than usual starting node took at the same time. Bars are multiplied by it. */
  readonly slowness: number;
}

/** Runs something and times it. Contract: starts node, again and again, only while it takes longer than a second. */
export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const watch = watchMachine();
  const startMs = performance.now();
  try {
    const value = await work();
    return { value, ms: performance.now() - startMs, slowness: watch.slowness() };
  } finally {
    watch.stop();
  }
}

/** Somebody who waits: since when, and the slowest start of node meanwhile. */
interface Watch {
  readonly sinceMs: number;
  slowestMs: number;
}

const watches = new Set<Watch>();
let isProbing = false;

/** Looks at how slow the machine is until it is stopped. However many look, one process is started at a time. */
export function watchMachine(): { readonly slowness: () => number; readonly stop: () => void } {
  const watch: Watch = { sinceMs: performance.now(), slowestMs: 0 };
  watches.add(watch);
  if (!isProbing) void probe();
  return { slowness: () => Math.max(1, watch.slowestMs / USUAL_START_MS), stop: () => void watches.delete(watch) };
}

async function probe(): Promise<void> {
  isProbing = true;
  while (watches.size > 0) {
    await sleep(PATIENCE_MS / 4, undefined, { ref: false });
    const waiting = [...watches].filter(({ sinceMs }) => performance.now() - sinceMs > PATIENCE_MS);
    if (waiting.length === 0) continue;
    const startMs = performance.now();
    await startNode();
    for (const watch of waiting) watch.slowestMs = Math.max(watch.slowestMs, performance.now() - startMs);
  }
  isProbing = false;
}

function startNode(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore", env: {} });
    child.once("error", () => resolve()).once("close", () => resolve());
  });
}
