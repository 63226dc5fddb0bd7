import { lstatSync } from "node:fs";
import { join } from "node:path";
import { carriedVariables } from "../adapters/resident/question.ts";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { isSameProcess } from "../base/process-identity.ts";
import { startDetached } from "../base/subprocess/start-detached.ts";
import { loadSettings } from "../config/load-settings.ts";
import { readPlace, residentFolder } from "../config/resident-place.ts";
import { RESIDENT_FILES } from "../contract/resident.ts";
import { projectRoot } from "./process.ts";

/** True if a process is there that says it is the resident of this state folder. */
function isResidentThere(env: Environment): boolean {
  const folder = residentFolder(env);
  const place = folder === null ? null : readPlace(folder);
  return place !== null && isSameProcess(place.process);
}

/**
 * Starts a resident in the background, where there is a place for one; it gets a repository ready. Contract: never throws;
 * waits for nothing.
 */
export async function startResident(env: Environment, root = ""): Promise<void> {
  if (residentFolder(env) === null) return;
  // Switches of one question are not those of the next.
  const own = Object.entries(carriedVariables(env)).filter(([name]) => !/^(?:CI|OTEL)_/.test(name));
  await startDetached(process.execPath, [join(projectRoot, "dist", "resident.cjs"), root], {
    cwd: "/",
    env: Object.fromEntries(own),
  });
}

/** One that could not listen is not tried again for this long: where a folder takes no sockets, it never will. */
const PAUSE_MS = 10 * 60_000;

/** True if a resident could not listen a while ago. Contract: never throws. */
function hasFailed(env: Environment): boolean {
  const folder = residentFolder(env);
  if (folder === null) return true;
  try {
    const stats = lstatSync(join(folder, RESIDENT_FILES.failure), { throwIfNoEntry: false });
    return stats !== undefined && Math.abs(systemClock.nowMs() - stats.mtimeMs) < PAUSE_MS;
  } catch {
    // The state folder is none.
    return true;
  }
}

/** Starts a resident after a question about code, unless one is there or the settings say no. Contract: never throws. */
export async function offerResident(env: Environment, folder: string): Promise<void> {
  if (isResidentThere(env) || hasFailed(env)) return;
  const loaded = await loadSettings({ env, folder, bounds: [] });
  if (!loaded.ok) return;
  const { settings, root } = loaded.value;
  // Without an index there is nothing to hold open.
  if (settings.resident === "auto" && settings.index === "auto") await startResident(env, root.root);
}
