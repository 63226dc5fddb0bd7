import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { startTimer } from "../../base/timers.ts";
import { endingsWhere } from "../languages.ts";
import type { Job, JobTools, OnFiles, Result } from "./jobs.ts";
import { doJob } from "./jobs.ts";

/** Runs jobs, in parallel or sequentially. */
export interface JobRunner {
  /** Maximum number of parallel jobs. */
  readonly width: number;
  /**
   * Runs a job; at most `threads` threads run jobs of its kind at the same time. `onFiles` may be called now and then
   * with the number of the job's files that have been read.
   */
  readonly run: <J extends Job>(job: J, threads: number, onFiles?: OnFiles) => Promise<Result<J>>;
  /** Terminates idle threads and frees their memory; later jobs start new ones. */
  readonly release: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Runs jobs in the current thread. */
export function makeInlineRunner(tools: JobTools): JobRunner {
  return { width: 1, run: (job) => doJob(job, tools), release: async () => {}, close: async () => {} };
}

interface Waiting {
  readonly job: Job;
  readonly threads: number;
  readonly onFiles: OnFiles | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
}

const YOUNG_MB = 64;
/** Maximum average time per file: a grammar may loop without ever checking the clock. */
const MS_PER_FILE = 15_000;
const LONGEST_MS = 120_000;

/**
 * Runs jobs in worker threads that execute `file`. Contract: a job whose thread dies or takes too long is rejected and
 * the thread is replaced; threads start when there is work for them, and may be terminated when they are idle. A thread
 * keeps running jobs of the same kind, because another kind would require compiling other code.
 */
function makePool(file: string, width: number): JobRunner {
  const queue: Waiting[] = [];
  const idle = new Set<Worker>();
  /** All threads, with the kind of their jobs. */
  const all = new Map<Worker, Job["kind"]>();
  let isClosed = false;
  const start = () => {
    // Most objects die with the file they belong to: a larger young generation saves a tenth of the time.
    const worker = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    worker.once("exit", () => {
      all.delete(worker);
      idle.delete(worker);
      next();
    });
    return worker;
  };
  const dismiss = async (worker: Worker) => {
    all.delete(worker);
    idle.delete(worker);
    await worker.terminate().catch(() => {});
  };
  const takeWorker = ({ job: { kind }, threads }: Waiting) => {
    const used = [...idle].find((worker) => all.get(worker) === kind);
    const isFull = [...all.values()].filter((other) => other === kind).length >= threads;
    if (used === undefined && isFull) return undefined;
    // Terminate an idle thread of another kind rather than reuse it, to free the memory it holds.
    if (used === undefined && all.size >= width) for (const other of [...idle].slice(0, 1)) void dismiss(other);
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
    const onMessage = (result: unknown) => {
      // A number is a progress report; no result is a number.
      if (typeof result === "number") waiting.onFiles?.(result);
      else settle(() => waiting.resolve(result), true);
    };
    const onError = (error: Error) => settle(() => waiting.reject(error), false);
    const onExit = () => settle(() => waiting.reject(new Error("the thread ended")), false);
    const limit = startTimer(Math.min(LONGEST_MS, MS_PER_FILE * waiting.job.paths.length), () => worker.terminate());
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(waiting.job);
  };
  return {
    width,
    run: (job, threads, onFiles) =>
      new Promise((resolve, reject) => {
        queue.push({ job, threads, onFiles, resolve: (result) => resolve(result as never), reject });
        next();
      }),
    release: async () => {
      await Promise.all([...idle].map(dismiss));
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...all.keys()].map((worker) => worker.terminate()));
    },
  };
}

/** How jobs are run: in this thread or in workers. */
interface RunnerSettings {
  /** Script that a thread runs. */
  readonly file: string;
  readonly width: number;
  readonly tools: JobTools;
}

/** Jobs with fewer files finish before a thread has started. */
const FEW_FILES = 50;
/** Extensions of languages whose grammar may never terminate on some texts: then only a thread can be stopped. */
const HANGING = endingsWhere(({ grammarMayHang = false }) => grammarMayHang);

/** Runs small jobs in the current thread, which saves the startup cost, and large ones in worker threads. */
export function makeRunner({ file, width, tools }: RunnerSettings): JobRunner {
  const pool = makePool(file, width);
  const inline = makeInlineRunner(tools);
  return {
    width,
    run: (job, threads, onFiles) => (isQuick(job) ? inline : pool).run(job, threads, onFiles),
    release: pool.release,
    close: pool.close,
  };
}

function isQuick({ kind, paths }: Job): boolean {
  return (
    paths.length < FEW_FILES && (kind === "text" || !paths.some((path) => HANGING.has(extname(path).toLowerCase())))
  );
}

/** Input of `inOrder`. */
interface Ordered<T, R> {
  readonly items: readonly T[];
  /** Number of items whose work starts before the current result is taken. */
  readonly ahead: number;
  readonly isStopped: () => boolean;
  readonly work: (item: T, at: number) => Promise<R>;
  readonly take: (result: R, item: T) => void | Promise<void>;
}

/** Works on several items in parallel and takes the results in the order of the items. */
export async function inOrder<T, R>({ items, ahead, isStopped, work, take }: Ordered<T, R>): Promise<void> {
  const started: (Promise<R> | null)[] = [];
  for (const [at, item] of items.entries()) {
    for (const item of items.slice(started.length, at + ahead + 1)) {
      const running = work(item, started.length);
      // Avoid an unhandled rejection; the await below reports the failure.
      running.catch(() => {});
      started.push(running);
    }
    if (isStopped()) return;
    await take(await (started[at] as Promise<R>), item);
    // Release the result: all results together may not fit into memory.
    started[at] = null;
  }
}
