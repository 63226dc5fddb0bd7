import { chmodSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { lstatOrNull } from "../../base/lstat-or-null.ts";
import { sayError } from "../../base/text.ts";
import { whyNotWritable } from "../file-state.ts";
import type { Examination } from "./examine.ts";
import { findLeftovers } from "./leftovers.ts";
import { fine, poor, type UngroupedCheck } from "./ungrouped-check.ts";
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
    const found = { measured: "there is no folder for it", expected: "a folder, or a path where one can be created" };
    return [poor("fail", "folder", found, { text: "set HOME or GROUNDWORK_HOME to a folder", section: SECTION })];
  }
  const stats = statOrNull(folder);
  if (stats === "absent") return [checkPlace(folder), checkDisk(world, findExisting(folder))];
  if (stats === null || !stats.isDirectory()) {
    const text = `move ${folder} away`;
    return [
      poor(
        "fail",
        "folder",
        { measured: `${folder} is not a folder`, expected: "a folder" },
        { text, section: SECTION },
      ),
    ];
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
  const expected = "a folder of yours that can be written to";
  if (why === null) return fine("folder", folder, expected);
  const text = "make it writable, or set GROUNDWORK_HOME to another folder";
  return poor("fail", "folder", { measured: why, expected }, { text, section: SECTION });
}

function sayForeign(folder: string, owner: number, uid: number | null): UngroupedCheck {
  const found = { measured: `${folder} belongs to user ${owner}`, expected: `a folder of user ${uid}` };
  const text = `sudo chown -R ${uid} ${folder}, or set GROUNDWORK_HOME to another folder`;
  return poor("fail", "folder", found, { text, section: SECTION });
}

/**
 * A folder that others may write to does not count as ours and is not used; one that others may read is not private.
 */
function checkPrivacy(folder: string, { mode }: Stats, isOurs: boolean): UngroupedCheck {
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  if ((mode & 0o077) === 0) return fine("private", `mode ${shown}`, "mode 0700");
  const mend = isOurs ? () => close(folder) : undefined;
  const text = mend === undefined ? `chmod 700 ${folder}` : 'run "groundwork doctor --fix"';
  const status = (mode & 0o022) === 0 ? "warn" : "fail";
  return poor(
    status,
    "private",
    { measured: `mode ${shown}`, expected: "mode 0700" },
    { text, section: SECTION, mend },
  );
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
  const expected = `${ENOUGH_FREE_MB} MB or more`;
  if (bytes === null) return fine("disk", "not told", expected);
  const megabytes = Math.floor(bytes / MB);
  if (megabytes >= ENOUGH_FREE_MB) return fine("disk", `${megabytes} MB free`, expected);
  const text = "make room, or set GROUNDWORK_HOME to a folder on another disk";
  const status = megabytes < LEAST_FREE_MB ? "fail" : "warn";
  return poor(status, "disk", { measured: `${megabytes} MB free`, expected }, { text, section: "the-disk-is-full" });
}
