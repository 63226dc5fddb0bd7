import { lstatSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { listFolder, lstatOrNull } from "../../base/file-facts.ts";
import { identifyProcess } from "../../base/process-identity.ts";
import { clearPlace, whyNotOurs } from "../../base/state-files.ts";
import { countOf } from "../../contract/count-of.ts";
import { RESIDENT_FILES } from "../../contract/resident.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import type { World } from "./world.ts";

/** A file that a process left behind when it was killed. */
interface Leftover {
  readonly path: string;
  readonly why: string;
}

const MOST_FOLDERS = 1_000;
/** No answer takes longer, so an older slot is stale. */
const SLOT_MAX_AGE_MS = 30_000;
/** A slot for answering a question: the file contains the id of the process that holds it. */
const SLOT = /^answering-\d$/;
const LOCK = /\.lock$/;

/** Finds stale locks and slots that get in the way. */
export function findLeftovers(folder: string, { clock }: Pick<World, "clock">): UngroupedCheck {
  const found = scan(folder, clock.nowMs());
  const check = checkOf("locks", "no lock without an owner");
  const [first] = found;
  if (first === undefined) return check.fine("none left behind");
  const more = found.length === 1 ? "" : `, and ${countOf(found.length - 1, "other")}`;
  const measured = `${relative(folder, first.path)}: ${first.why}${more}`;
  // Scans again: a process may have taken one in the meantime.
  const mend = () => clear(folder, scan(folder, clock.nowMs()));
  const text = 'run "groundwork doctor --fix"';
  return check.poor("warn", measured, { text, section: "something-was-left-behind", mend });
}

function scan(folder: string, nowMs: number): Leftover[] {
  const slots = namesIn(folder).filter((name) => SLOT.test(name));
  return [...slots.flatMap((name) => judgeSlot(join(folder, name), nowMs)), ...locksIn(folder).flatMap(judgeLock)];
}

function locksIn(folder: string): string[] {
  const indexes = join(folder, "index");
  const ofIndexes = namesIn(indexes)
    .slice(0, MOST_FOLDERS)
    .flatMap((name) => namesIn(join(indexes, name)).map((file) => join(indexes, name, file)));
  return [...ofIndexes.filter((path) => LOCK.test(path)), join(folder, "resident", RESIDENT_FILES.lock)];
}

/** Locks are held through the system, which releases them, and their files are empty. No other file is a lock. */
function judgeLock(path: string): Leftover[] {
  const why = whyNotOurs(path);
  if (why !== null) return [{ path, why }];
  const stats = lstatOrNull(path);
  return stats === null || stats.size === 0
    ? []
    : [{ path, why: `${basename(path)} is not empty, so it is not a lock` }];
}

function judgeSlot(path: string, nowMs: number): Leftover[] {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile()) return [{ path, why: "it is not a file" }];
    const pid = Number(readFileSync(path, "utf8"));
    if (pid > 0 && identifyProcess(pid) === null) return [{ path, why: `process ${pid}, which held it, has ended` }];
    return nowMs - stats.mtimeMs > SLOT_MAX_AGE_MS ? [{ path, why: "it is older than any question" }] : [];
  } catch {
    // Released in the meantime.
    return [];
  }
}

/** Clears stale files. A file whose content we cannot judge is moved aside, not deleted. */
function clear(folder: string, found: readonly Leftover[]): string {
  for (const { path } of found) clearPlace(path);
  const gone = found.filter(({ path }) => lstatOrNull(path) === null);
  const names = gone.map(({ path }) => relative(folder, path)).join(", ") || "nothing";
  return `moved out of the way: ${names}${gone.length === found.length ? "" : "; the rest could not be moved"}`;
}

const namesIn = (folder: string) => listFolder(folder).sort();
