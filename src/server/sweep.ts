import { startTimer } from "../base/timers.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { TeamDatabase, Transaction } from "./database.ts";
import type { Log } from "./log.ts";

/** Something that is due now and then. */
export interface Sweep {
  /** As logs call it. */
  readonly name: string;
  readonly everyMs: number;
  /** Returns what it has done, counted. Contract: every server does it, so that it may come twice at once. */
  readonly work: (transaction: Transaction) => Promise<Readonly<Record<string, number>>>;
}

/**
 * Does what is due now and then, at once and then as often as each says, until it is stopped. Contract: never throws; what fails is done
 * the next time.
 */
export function startSweeping(
  database: TeamDatabase,
  log: Log,
  sweeps: readonly Sweep[],
): { readonly stop: () => Promise<void> } {
  const running = sweeps.map((own) => keepSweeping(database, log, own));
  return {
    stop: async () => {
      await Promise.all(running.map((stop) => stop()));
    },
  };
}

function keepSweeping(database: TeamDatabase, log: Log, own: Sweep): () => Promise<void> {
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

/** Does it once. Contract: never rejects; a database that is away is nobody's trouble, because the next time comes. */
export async function sweepOnce(database: TeamDatabase, log: Log, { name, work }: Sweep): Promise<void> {
  try {
    const done = await database.asAdmin(
      async (transaction): Promise<Outcome<Readonly<Record<string, number>>>> => succeed(await work(transaction)),
    );
    if (done.ok && Object.values(done.value).some((count) => count > 0)) log("sweep", { name, ...done.value });
  } catch {
    log("error", { kind: `sweep of ${name}` });
  }
}
