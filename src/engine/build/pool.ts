import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { startTimer } from "../../base/timers.ts";
import { endingsWhere } from "../languages.ts";
import type { Job, JobTools, Result } from "./jobs.ts";
import { doJob } from "./jobs.ts";

/** Does jobs, several at once or one after the other. */
export interface JobRunner {
  /** Jobs that can be done at the same time. */
  readonly width: number;
  /** Does a job; at most `threads` do jobs of its kind at the same time. */
  readonly run: <J extends Job>(job: J, threads: number) => Promise<Result<J>>;
  readonly close: () => Promise<void>;
}

/** Does jobs in this thread. */
export function makeInlineRunner(tools: JobTools): JobRunner {
  return { width: 1, run: (job) => doJob(job, tools), close: async () => {} };
}

interface Waiting {
  readonly job: Job;
  readonly threads: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
}

const YOUNG_MB = 64;
/** Longest that a thread may be at one file on average: a grammar may loop without ever looking at the clock. */
const MS_PER_FILE = 15_000;
const LONGEST_MS = 120_000;

/**
 * Does jobs in threads of their own, each of which runs `file`. Contract: a job whose thread dies or takes too long is
 * rejected and the thread is replaced; threads are started when there is work for them, and may end when they are done.
 * A thread goes on with jobs of the kind that it had, because it has to compile anew what another kind runs.
 */
function makePool(file: string, width: number): JobRunner {
  const queue: Waiting[] = [];
  const idle = new Set<Worker>();
  /** All threads, with the kind of their jobs. */
  const all = new Map<Worker, Job["kind"]>();
  let isClosed = false;
  const start = () => {
    // Most of what a thread makes dies with the file that it is about: room for it saves a tenth of the time.
    const worker = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    worker.once("exit", () => {
      all.delete(worker);
      idle.delete(worker);
      next();
    });
    return worker;
  };
  const dismiss = (worker: Worker) => {
    all.delete(worker);
    idle.delete(worker);
    worker.terminate().catch(() => {});
  };
  const takeWorker = ({ job: { kind }, threads }: Waiting) => {
    const used = [...idle].find((worker) => all.get(worker) === kind);
    const isFull = [...all.values()].filter((other) => other === kind).length >= threads;
    if (used === undefined && isFull) return undefined;
    // One that did other jobs goes: what it holds for them, a new one does not need.
    if (used === undefined && all.size >= width) for (const other of [...idle].slice(0, 1)) dismiss(other);
    const worker = used ?? (all.size < width ? start() : undefined);
    if (worker === undefined) return undefined;
    idle.delete(worker);
    all.set(worker, kind);
    return worker;
  };
  const next = () => {
    for (const [at, waiting] of isClosed ? [] : queue.entries()) {
      const worker = takeWorker(waiting);
      if (worker === undefined) continue;
      queue.splice(at, 1);
      give(worker, waiting);
      return;
    }
  };
  const give = (worker: Worker, waiting: Waiting) => {
    const settle = (finish: () => void, isAlive: boolean) => {
      clearTimeout(limit);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      if (isAlive) idle.add(worker);
      finish();
      next();
    };
    const onMessage = (result: unknown) => settle(() => waiting.resolve(result), true);
    const onError = (error: Error) => settle(() => waiting.reject(error), false);
    const onExit = () => settle(() => waiting.reject(new Error("the thread ended")), false);
    const limit = startTimer(Math.min(LONGEST_MS, MS_PER_FILE * waiting.job.paths.length), () => worker.terminate());
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(waiting.job);
  };
  return {
    width,
    run: (job, threads) =>
      new Promise((resolve, reject) => {
        queue.push({ job, threads, resolve: (result) => resolve(result as never), reject });
        next();
      }),
    close: async () => {
      isClosed = true;
      await Promise.all([...all.keys()].map((worker) => worker.terminate()));
    },
  };
}

/** What a runner is made of. */
export interface RunnerSettings {
  /** What a thread runs. */
  readonly file: string;
  readonly width: number;
  readonly tools: JobTools;
}

/** Jobs of fewer files are done before a thread has started. */
const FEW_FILES = 50;
/** Endings of languages whose grammar never ends on some texts: only a thread can be ended then. */
const HANGING = endingsWhere(({ grammarMayHang = false }) => grammarMayHang);

/** Does small jobs in this thread, which costs no start, and large ones in threads of their own. */
export function makeRunner({ file, width, tools }: RunnerSettings): JobRunner {
  const pool = makePool(file, width);
  const inline = makeInlineRunner(tools);
  return {
    width,
    run: (job, threads) => (isQuick(job) ? inline : pool).run(job, threads),
    close: pool.close,
  };
}

function isQuick({ kind, paths }: Job): boolean {
  return (
    paths.length < FEW_FILES && (kind === "text" || !paths.some((path) => HANGING.has(extname(path).toLowerCase())))
  );
}

/** Work on several items. */
interface Ordered<T, R> {
  readonly items: readonly T[];
  /** Items whose work is begun before the one at hand is taken. */
  readonly ahead: number;
  readonly isStopped: () => boolean;
  readonly work: (item: T, at: number) => Promise<R>;
  readonly take: (result: R, item: T) => void | Promise<void>;
}

/** Does work on items, several at once, and takes the results in the order of the items, whoever is done first. */
export async function inOrder<T, R>({ items, ahead, isStopped, work, take }: Ordered<T, R>): Promise<void> {
  const started: (Promise<R> | null)[] = [];
  for (const [at, item] of items.entries()) {
    for (const item of items.slice(started.length, at + ahead + 1)) {
      const running = work(item, started.length);
      // Whoever waits for it learns of its failure; until then it must not end the process.
      running.catch(() => {});
      started.push(running);
    }
    if (isStopped()) return;
    await take(await (started[at] as Promise<R>), item);
    // What is taken is not kept: all results together may be more than there is memory for.
    started[at] = null;
  }
}
