import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { watchMachine } from "./timed.ts";

/** Environment variable whose value marks every process that a test started. */
export const MARKER = "GROUNDWORK_TEST_MARKER";

/** Time for a killed process to disappear, on a machine that is not busy. */
const GONE_MS = 1_000;

/** Returns processes that still have the marker a second later, as `pid command`; empty except on Linux. */
export async function findLeftProcesses(marker: string): Promise<string[]> {
  let found = listMarked(marker);
  const machine = watchMachine();
  const startMs = performance.now();
  while (found.length > 0 && performance.now() - startMs < GONE_MS * machine.slowness()) {
    await sleep(50);
    found = listMarked(marker);
  }
  machine.stop();
  return found;
}

/** Kills every process that has the marker; only on Linux. */
export function killMarked(marker: string): void {
  for (const found of listMarked(marker)) {
    try {
      process.kill(Number.parseInt(found, 10), "SIGKILL");
    } catch {
      // Already gone.
    }
  }
}

/** Returns processes that have the marker now, as `pid command`; empty except on Linux. */
export function listMarked(marker: string): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  const wanted = `${MARKER}=${marker}\0`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(wanted)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`];
      } catch {
        // Another user's process, or one that has just ended.
        return [];
      }
    });
}

/** Returns every path below a folder, sorted, to compare before and after: a difference means leftovers. */
export function listTree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
