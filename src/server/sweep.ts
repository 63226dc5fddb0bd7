import { startTimer } from "../base/timers.ts";
import type { TeamDatabase, Transaction } from "./database.ts";
import type { Log } from "./log.ts";

/** A periodic task. */
export interface PeriodicTask {
  /** Name in logs. */
  readonly name: string;
  readonly everyMs: number;
  /**
   * Does the work and returns counts of what was done. Contract: all servers run it, so it must tolerate concurrent
   * runs.
   */
  readonly work: (transaction: Transaction) => Promise<Readonly<Record<string, number>>>;
}

/**
 * Runs a periodic task, at once and then at its intervals. Returns the function that stops it and waits for a running
 * one. Contract: never throws; failed work is retried the next time.
 */
export function startSweeping(database: TeamDatabase, log: Log, task: PeriodicTask): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let running = Promise.resolve();
  const sweep = () => {
    running = sweepOnce(database, log, task).then(() => {
      if (!isOver) timer = startTimer(task.everyMs, sweep).unref();
    });
  };
  sweep();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await running;
  };
}

/** Runs a task once. An unavailable database is ignored, because the task runs again later. */
async function sweepOnce(database: TeamDatabase, log: Log, { name, work }: PeriodicTask): Promise<void> {
  try {
    const done = await database.asAdmin(work);
    if (done.ok && Object.values(done.value).some((count) => count > 0)) log("sweep", { name, ...done.value });
  } catch {
    log("error", { kind: `sweep of ${name}` });
  }
}
