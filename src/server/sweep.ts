import { startTimer } from "../base/timers.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
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
 * Runs periodic tasks, at once and then at their intervals, until stopped. Contract: never throws; failed work is
 * retried the next time.
 */
export function startSweeping(
  database: TeamDatabase,
  log: Log,
  sweeps: readonly PeriodicTask[],
): { readonly stop: () => Promise<void> } {
  const running = sweeps.map((own) => keepSweeping(database, log, own));
  return {
    stop: async () => {
      await Promise.all(running.map((stop) => stop()));
    },
  };
}

function keepSweeping(database: TeamDatabase, log: Log, own: PeriodicTask): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let running = Promise.resolve();
  const sweep = () => {
    running = sweepOnce(database, log, own).then(() => {
      if (!isOver) timer = startTimer(own.everyMs, sweep).unref();
    });
  };
  sweep();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await running;
  };
}

/**
 * Runs a task once. Contract: never rejects; an unavailable database is only logged, because the task runs again later.
 */
export async function sweepOnce(database: TeamDatabase, log: Log, { name, work }: PeriodicTask): Promise<void> {
  try {
    const done = await database.asAdmin(
      async (transaction): Promise<Outcome<Readonly<Record<string, number>>>> => succeed(await work(transaction)),
    );
    if (done.ok && Object.values(done.value).some((count) => count > 0)) log("sweep", { name, ...done.value });
  } catch {
    log("error", { kind: `sweep of ${name}` });
  }
}
