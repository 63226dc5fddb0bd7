import { lstatSync } from "node:fs";
import { join } from "node:path";
import { carriedVariables } from "../adapters/resident/question.ts";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { startDetached } from "../base/subprocess/start-detached.ts";
import { loadSettings } from "../config/load-settings.ts";
import { readRunning, residentFolder } from "../config/resident-place.ts";
import { RESIDENT_FILES } from "../contract/resident.ts";
import { projectRoot } from "./process.ts";

/**
 * Starts a resident in the background, if there is a place for one; it prepares `root`. Contract: never throws; does
 * not wait for it to be ready.
 */
export async function startResident(env: Environment, root = ""): Promise<void> {
  if (residentFolder(env) === null) return;
  // Settings of one question must not apply to the next.
  const own = Object.entries(carriedVariables(env)).filter(([name]) => !/^(?:CI|OTEL)_/.test(name));
  await startDetached(process.execPath, [join(projectRoot, "dist", "resident.cjs"), root], {
    cwd: "/",
    env: Object.fromEntries(own),
  });
}

/**
 * After a resident could not listen, none is started for this long: if a folder does not support sockets, it never
 * will.
 */
const PAUSE_MS = 10 * 60_000;

/** True if a resident recently failed to listen. Contract: never throws. */
function hasFailed(folder: string): boolean {
  try {
    const stats = lstatSync(join(folder, RESIDENT_FILES.failure), { throwIfNoEntry: false });
    return stats !== undefined && Math.abs(systemClock.nowMs() - stats.mtimeMs) < PAUSE_MS;
  } catch {
    // The state folder is not a folder.
    return true;
  }
}

/**
 * Starts a resident after a question about code, unless one is running or the settings forbid it. Contract: never
 * throws.
 */
export async function offerResident(env: Environment, folder: string): Promise<void> {
  const place = residentFolder(env);
  if (place === null || readRunning(place) !== null || hasFailed(place)) return;
  const loaded = await loadSettings({ env, folder, bounds: [] });
  if (!loaded.ok) return;
  const { settings, root } = loaded.value;
  // Without an index there is nothing to hold open.
  if (settings.resident === "auto" && settings.index === "auto") await startResident(env, root.root);
}
