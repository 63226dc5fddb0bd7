import { chmodSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { lstatOrNull } from "../../base/file-facts.ts";
import { sayError } from "../../base/text.ts";
import { whyNotWritable } from "../file-state.ts";
import type { Examination } from "./examine.ts";
import { findLeftovers } from "./leftovers.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import type { World } from "./world.ts";

const GROUP = "state folder";
const SECTION = "the-state-folder-cannot-be-used";
/** Below this, nothing works reliably any more. */
const LEAST_FREE_MB = 20;
/** The index of a large repository may need this much. */
const ENOUGH_FREE_MB = 300;
const MB = 1024 * 1024;

/** Examines the folder that contains indexes, sessions and the resident's socket. */
export function stateFolderExaminations(world: World): Examination[] {
  return [{ group: GROUP, name: "folder", limitMs: 5_000, look: () => lookAtFolder(world) }];
}

function lookAtFolder(world: World): UngroupedCheck[] {
  const { stateFolder: folder, uid } = world;
  if (folder === null) {
    const check = checkOf("folder", "a folder, or a path where one can be created");
    const text = "set HOME or GROUNDWORK_HOME to a folder";
    return [check.poor("fail", "there is no folder for it", { text, section: SECTION })];
  }
  const stats = statOrNull(folder);
  if (stats === "absent") return [checkPlace(folder), checkDisk(world, findExisting(folder))];
  if (stats === null || !stats.isDirectory()) {
    const remedy = { text: `move ${folder} away`, section: SECTION } as const;
    return [checkOf("folder", "a folder").poor("fail", `${folder} is not a folder`, remedy)];
  }
  const isOurs = uid === null || stats.uid === uid;
  return [
    isOurs ? checkPlace(folder) : sayForeign(folder, stats.uid, uid),
    checkPrivacy(folder, stats, isOurs),
    checkDisk(world, folder),
    ...(isOurs ? [findLeftovers(folder, world)] : []),
  ];
}

function statOrNull(folder: string): Stats | null | "absent" {
  try {
    return statSync(folder, { throwIfNoEntry: false }) ?? "absent";
  } catch {
    // A symlink loop, or a path that may not be accessed.
    return null;
  }
}

/** The folder itself, or its closest existing ancestor. */
function findExisting(folder: string): string {
  return lstatOrNull(folder) !== null || dirname(folder) === folder ? folder : findExisting(dirname(folder));
}

function checkPlace(folder: string): UngroupedCheck {
  const why = whyNotWritable(folder);
  const check = checkOf("folder", "a folder of yours that can be written to");
  if (why === null) return check.fine(folder);
  const text = "make it writable, or set GROUNDWORK_HOME to another folder";
  return check.poor("fail", why, { text, section: SECTION });
}

function sayForeign(folder: string, owner: number, uid: number | null): UngroupedCheck {
  const text = `sudo chown -R ${uid} ${folder}, or set GROUNDWORK_HOME to another folder`;
  const check = checkOf("folder", `a folder of user ${uid}`);
  return check.poor("fail", `${folder} belongs to user ${owner}`, { text, section: SECTION });
}

/**
 * A folder that others may write to does not count as ours and is not used; one that others may read is not private.
 */
function checkPrivacy(folder: string, { mode }: Stats, isOurs: boolean): UngroupedCheck {
  const check = checkOf("private", "mode 0700");
  const measured = `mode ${(mode & 0o777).toString(8).padStart(4, "0")}`;
  if ((mode & 0o077) === 0) return check.fine(measured);
  const mend = isOurs ? () => close(folder) : undefined;
  const text = mend === undefined ? `chmod 700 ${folder}` : 'run "groundwork doctor --fix"';
  return check.poor((mode & 0o022) === 0 ? "warn" : "fail", measured, { text, section: SECTION, mend });
}

function close(folder: string): string {
  try {
    chmodSync(folder, 0o700);
    return `${folder}: only you can enter it now`;
  } catch (thrown) {
    return `${folder}: its mode could not be changed (${sayError(thrown)})`;
  }
}

function checkDisk({ freeBytes }: World, folder: string): UngroupedCheck {
  const bytes = freeBytes(folder);
  const check = checkOf("disk", `${ENOUGH_FREE_MB} MB or more`);
  if (bytes === null) return check.fine("not told");
  const megabytes = Math.floor(bytes / MB);
  const measured = `${megabytes} MB free`;
  if (megabytes >= ENOUGH_FREE_MB) return check.fine(measured);
  const text = "make room, or set GROUNDWORK_HOME to a folder on another disk";
  return check.poor(megabytes < LEAST_FREE_MB ? "fail" : "warn", measured, { text, section: "the-disk-is-full" });
}
