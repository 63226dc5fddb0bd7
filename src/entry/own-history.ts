import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { loadSettings } from "../config/load-settings.ts";
import { historyFolder } from "../config/places.ts";
import type { Outcome } from "../contract/faults.ts";
import { openRunHistory, type RunHistory } from "../run-history/run-history.ts";
import { hasSpool } from "../run-history/spool.ts";

/** Nothing goes where it is not known how long the user wants to keep it. */
const UNBOUNDED = { days: Number.MAX_SAFE_INTEGER, mb: Number.MAX_SAFE_INTEGER };

/** Opens the user's history of runs, kept as long as the user's own settings say. */
export async function openOwnHistory(env: Environment): Promise<Outcome<RunHistory>> {
  // No repository has a say in it.
  const loaded = await loadSettings({ env: { ...env, CI_AUTO_TOOLS_REPO_ROOT: "" }, folder: "/", bounds: [] });
  const settings = loaded.ok && loaded.value.fault === null ? loaded.value.settings : null;
  const bounds = settings === null ? UNBOUNDED : { days: settings.historyDays, mb: settings.historyMb };
  return openRunHistory({ env, nowMs: systemClock.nowMs(), bounds });
}

/** Brings what doors have written into the store, where something waits. Contract: never throws. */
export async function foldHistory(env: Environment): Promise<void> {
  const folder = historyFolder(env);
  if (folder === null || !hasSpool(folder)) return;
  const opened = await openOwnHistory(env).catch(() => null);
  if (opened?.ok) opened.value.close();
}
