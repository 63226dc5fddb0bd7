import { closeSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { isOwnFolder } from "../base/ownership.ts";
import { identifyProcess } from "../base/process-identity.ts";
import { clearPlace } from "../base/state-files.ts";
import { sleep } from "../base/timers.ts";
import { stateFolder } from "../config/places.ts";
import { SETTINGS } from "../config/settings.ts";
import { isForAnyProcess } from "./any-process.ts";

/** Questions that are answered at once by processes of their own: more would only slow each other down. */
const MOST_AT_ONCE = 2;
/** No answer takes longer; whoever held a slot for this long is gone. */
const MAX_AGE_MS = 30_000;
/** How often a free slot is looked for. */
const LOOK_MS = 20;
/** Share of the budget that may be spent on waiting. */
const WAIT_SHARE = 0.6;

/** A turn to answer, and the milliseconds that it took to get it. */
interface Slot {
  readonly waitedMs: number;
  readonly release: () => void;
}

/** The turn of a question that need not wait. */
export const NO_WAIT: Slot = { waitedMs: 0, release: () => {} };

/**
 * Waits for a turn to answer a question in this process that a resident would have answered. Contract: never throws; null
 * if none came within a part of the budget; everybody has a turn where there is no place for state, where no resident is
 * wanted, and for a question that is none for a resident.
 */
export async function waitForSlot(env: Environment): Promise<Slot | null> {
  const folder = env[SETTINGS.resident.env] !== "off" && isForAnyProcess(env) ? stateFolder(env) : null;
  if (folder === null || !isOwnFolder(folder)) return NO_WAIT;
  const given = Number(env[SETTINGS.wallMs.env]);
  const wallMs = SETTINGS.wallMs.accepts(given) ? given : SETTINGS.wallMs.fallback;
  const startMs = performance.now();
  for (;;) {
    const waitedMs = performance.now() - startMs;
    for (let number = 0; number < MOST_AT_ONCE; number++) {
      const path = join(folder, `answering-${number}`);
      const taken = take(path);
      if (taken !== "busy") return { waitedMs: Math.round(waitedMs), release: () => taken === "mine" && drop(path) };
    }
    if (waitedMs > wallMs * WAIT_SHARE) return null;
    await sleep(LOOK_MS);
  }
}

/** Takes a slot by making its file. A state folder that cannot be written to has no slots, and needs none. */
function take(path: string): "mine" | "busy" | "none" {
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    return "mine";
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST")) return "none";
    if (!isLeft(path)) return "busy";
    drop(path);
    return "busy";
  }
}

/** True if nobody holds the slot any more. */
function isLeft(path: string): boolean {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || Date.now() - stats.mtimeMs > MAX_AGE_MS) return true;
    const pid = Number(readFileSync(path, "utf8"));
    // Empty: its owner is about to write.
    return pid > 0 && identifyProcess(pid) === null;
  } catch {
    return false;
  }
}

function drop(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Something else than a file stands there.
    clearPlace(path);
  }
}
