import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { readUserSettings } from "../config/load-settings.ts";
import { historyFolder } from "../config/places.ts";
import type { Outcome } from "../contract/faults.ts";
import { openRunHistory, type RunHistory } from "../run-history/run-history.ts";
import { hasSpool } from "../run-history/spool.ts";
import { offerFigures } from "./offer-figures.ts";

/** Bounds while the user's settings are unreadable: nothing is removed. */
const UNBOUNDED = { days: Number.MAX_SAFE_INTEGER, mb: Number.MAX_SAFE_INTEGER };

/** Opens the user's history of runs, with the retention of the user's own settings. */
export async function openOwnHistory(env: Environment): Promise<Outcome<RunHistory>> {
  const settings = await readUserSettings(env);
  const bounds = settings === null ? UNBOUNDED : { days: settings.historyDays, mb: settings.historyMb };
  return openRunHistory({ env, nowMs: systemClock.nowMs(), bounds });
}

/**
 * Moves pending records of the entry points into the store, if there are any, and sends figures of them if the user
 * wants that and it is due. For processes that no prompt waits for. Contract: never throws; waits for no server.
 */
export async function foldHistory(env: Environment): Promise<void> {
  const folder = historyFolder(env);
  if (folder === null || !hasSpool(folder)) return;
  const opened = await openOwnHistory(env).catch(() => null);
  if (opened?.ok !== true) return;
  try {
    await offerFigures(env, opened.value.figures);
  } catch {
    // The store broke; the next process that opens it deals with that.
  } finally {
    opened.value.close();
  }
}
