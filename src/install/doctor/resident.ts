import { join } from "node:path";
import { lstatOrNull } from "../../base/file-facts.ts";
import { isSameProcess } from "../../base/process-identity.ts";
import { clearPlace, readStateFile } from "../../base/state-files.ts";
import { readPlace } from "../../config/resident-place.ts";
import { RESIDENT_FILES, type ResidentStatus } from "../../contract/resident.ts";
import type { Examination } from "./examine.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";

interface ResidentReport {
  /** Folder of its files; null if there is no location for it. */
  readonly folder: string | null;
  /** Version of this program. */
  readonly version: string;
  readonly askStatus: (folder: string) => Promise<ResidentStatus>;
}

const NAME = "process";
const CHECK = checkOf(NAME, "none, or one that answers");
const SECTION = "the-resident-does-not-answer";
const MAX_WHY_BYTES = 1_000;

/**
 * Examines the process that answers from memory. A missing one is not a fault: the next question about code starts it.
 */
export function residentExaminations(report: ResidentReport): Examination[] {
  return [{ group: "resident", name: NAME, limitMs: 8_000, look: async () => [await lookAtResident(report)] }];
}

async function lookAtResident({ folder, version, askStatus }: ResidentReport): Promise<UngroupedCheck> {
  if (folder === null) return CHECK.fine("no place for one");
  const place = readPlace(folder);
  if (place === null || !isSameProcess(place.process)) return lookAtRemains(folder);
  const { pid } = place.process;
  const status = await askStatus(folder);
  if (!status.running) {
    const measured = `process ${pid} is there and does not answer`;
    return CHECK.poor("warn", measured, { text: `kill ${pid}`, section: SECTION });
  }
  const measured = `process ${pid}, version ${status.version}, ${status.rss_mb} MB`;
  if (status.version === version) return CHECK.fine(measured);
  // Until it has ended, the doors do the work themselves.
  const text = 'run "groundwork resident stop"';
  return checkOf(NAME, `version ${version}`).poor("warn", measured, { text, section: SECTION });
}

function lookAtRemains(folder: string): UngroupedCheck {
  const left = [RESIDENT_FILES.place, RESIDENT_FILES.socket].filter((name) => lstatOrNull(join(folder, name)) !== null);
  if (left.length > 0) {
    const measured = `not running, but ${left.join(" and ")} of an earlier one ${left.length === 1 ? "is" : "are"} there`;
    const mend = () => clear(folder, left);
    const text = 'run "groundwork doctor --fix"';
    return CHECK.poor("warn", measured, { text, section: "something-was-left-behind", mend });
  }
  const why = readStateFile(folder, RESIDENT_FILES.failure, MAX_WHY_BYTES)?.trim() ?? "";
  if (why === "") return CHECK.fine("not running");
  const text = "set XDG_RUNTIME_DIR to a folder that takes sockets, or GROUNDWORK_RESIDENT=off";
  return CHECK.poor("warn", `the last one could not listen: ${why}`, { text, section: SECTION });
}

function clear(folder: string, names: readonly string[]): string {
  const place = readPlace(folder);
  if (place !== null && isSameProcess(place.process)) return "a resident runs by now; nothing was touched";
  for (const name of names) clearPlace(join(folder, name));
  return `moved out of the way: ${names.map((name) => join("resident", name)).join(", ")}`;
}
