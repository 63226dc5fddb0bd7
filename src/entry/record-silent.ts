import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { findRepoRoot, toRealFolder } from "../base/repo-root.ts";
import { liesInside } from "../base/state-files.ts";
import { readHistorySetting } from "../config/history-setting.ts";
import { historyFolder } from "../config/places.ts";
import type { Limit } from "../contract/limits.ts";
import { toSilentRecord } from "../run-history/silent-record.ts";
import { appendToSpool } from "../run-history/spool.ts";

/** A hook's prompt that was answered with nothing. */
interface SilentPrompt {
  readonly env: Environment;
  readonly folder: string;
  /** Name of the client. */
  readonly client: string;
  /** Arrival of the prompt, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly why: Limit;
}

/**
 * Records one short row for a prompt that was answered with nothing. Contract: never throws; keeps none of its text.
 */
export function recordSilent({ env, folder, client, startMs, why }: SilentPrompt): void {
  try {
    const root = rootBySight(env, folder);
    const place = placeFor(env, root);
    if (place === null || readHistorySetting(env, root) === "off") return;
    const durationMs = Math.max(0, systemClock.nowMs() - startMs);
    appendToSpool(place, toSilentRecord({ door: "hook", client, startMs, durationMs, root, why }));
  } catch {
    // The folder may have disappeared meanwhile. The answer has already been sent.
  }
}

/** The repository of a folder, determined without reading the settings; empty if there is none. */
export function rootBySight(env: Environment, folder: string): string {
  const real = toRealFolder(env["CI_AUTO_TOOLS_REPO_ROOT"] || folder);
  return real === null ? "" : findRepoRoot(real).root;
}

/** Folder of the history. Contract: state is never kept inside the repository that it describes. */
export function placeFor(env: Environment, root: string): string | null {
  const folder = historyFolder(env);
  return folder === null || (root !== "" && liesInside(folder, root)) ? null : folder;
}
