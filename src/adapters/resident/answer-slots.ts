import { closeSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { isOwnFolder } from "../../base/file-facts.ts";
import { identifyProcess } from "../../base/process-identity.ts";
import { clearPlace } from "../../base/state-files.ts";
import { sleep } from "../../base/timers.ts";
import { stateFolder } from "../../config/places.ts";
import { fromVariable, SETTINGS } from "../../config/settings.ts";
import { ORCHESTRATOR_VARIABLE } from "../hook/arguments.ts";

/** Maximum number of questions answered concurrently by separate processes: more would only slow each other down. */
const MOST_AT_ONCE = 2;
/** No answer takes longer than this; a slot held for this long was abandoned. */
const MAX_AGE_MS = 30_000;
/** Polling interval for a free slot. */
const LOOK_MS = 20;
/** Share of the wall budget that may be spent waiting. */
const WAIT_SHARE = 0.6;

/** A slot for answering, and the milliseconds spent waiting for it. */
interface Slot {
  readonly waitedMs: number;
  readonly release: () => void;
}

/** The slot of a question that need not wait. */
export const NO_WAIT: Slot = { waitedMs: 0, release: () => {} };

/**
 * Waits for a slot to answer a question in this process that a resident would have answered. Contract: never throws;
 * null if no slot became free within a share of the budget; does not wait if there is no place for state, if the
 * resident is switched off, or if the question is unsuitable for a resident.
 */
export async function waitForSlot(env: Environment): Promise<Slot | null> {
  const folder = env[SETTINGS.resident.env] !== "off" && isForAnyProcess(env) ? stateFolder(env) : null;
  if (folder === null || !isOwnFolder(folder)) return NO_WAIT;
  const wallMs = fromVariable(env, "wallMs") ?? SETTINGS.wallMs.fallback;
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

/**
 * Takes a slot by creating its file. If the state folder cannot be written to, there are no slots and none are needed.
 */
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

/** True if the holder of the slot is gone. */
function isLeft(path: string): boolean {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || Date.now() - stats.mtimeMs > MAX_AGE_MS) return true;
    const pid = Number(readFileSync(path, "utf8"));
    // Pid 0 means an empty file: its owner is about to write.
    return pid > 0 && identifyProcess(pid) === null;
  } catch {
    return false;
  }
}

function drop(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The path is not a regular file.
    clearPlace(path);
  }
}

/** Variables that start programs, query a model, or require output besides the answer. */
const OWN_PROCESS = new RegExp(
  `^(?:CI_AUTO_TOOLS_RUNNER_.*|CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE|CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY|${ORCHESTRATOR_VARIABLE}|${SETTINGS.embeddingsUrl.env}|${SETTINGS.teamRepos.env})$`,
);

/**
 * True if any of our processes may answer a question; false if it requires a process of its own, whatever that costs.
 */
export function isForAnyProcess(env: Environment): boolean {
  return !Object.entries(env).some(([name, value]) => value !== "" && OWN_PROCESS.test(name));
}
