import { startTimer } from "../base/timers.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { TeamDatabase, Transaction } from "./database.ts";

/** Something that is due now and then. Contract: every server does it, so that it may come twice at once. */
export type Sweep = (transaction: Transaction) => Promise<void>;

const EVERY_MS = 3_600_000;

/** Does what is due now and then, at once and every hour, until it is stopped. Contract: never throws; what fails is done the next time. */
export function startSweeping(
  database: TeamDatabase,
  sweeps: readonly Sweep[],
): { readonly stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const sweep = () => {
    timer = startTimer(EVERY_MS, sweep).unref();
    running = sweepAll(database, sweeps).catch(() => {});
  };
  sweep();
  return {
    stop: async () => {
      clearTimeout(timer);
      await running;
    },
  };
}

async function sweepAll(database: TeamDatabase, sweeps: readonly Sweep[]): Promise<void> {
  for (const work of sweeps)
    await database.asAdmin(async (transaction): Promise<Outcome<null>> => {
      await work(transaction);
      return succeed(null);
    });
}
