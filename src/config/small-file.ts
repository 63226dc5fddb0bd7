import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type FileBytes, readBytesInside, resolveInside } from "../base/jail.ts";
import { toMessage } from "../base/text.ts";

/** Maximum size of a file with settings or hooks. */
export const MAX_SMALL_BYTES = 64 * 1024;

/** Reads a file inside `folder`, up to the size limit. Contract: null for anything but a regular file inside it. */
export function readSmallFile(folder: string, path: string): FileBytes | null {
  const place = resolveInside(folder, path);
  if (!place.ok) return null;
  const file = readBytesInside(folder, place.value.real, MAX_SMALL_BYTES);
  return file.ok ? file.value : null;
}

/** Why the entry at a path inside `folder` was not read; null if nothing is there. Contract: never throws. */
export function whyUnread(folder: string, path: string): string | null {
  try {
    if (lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined) return null;
  } catch (thrown) {
    return toMessage(thrown).split(",")[0] ?? "";
  }
  const place = resolveInside(folder, path);
  if (!place.ok) return place.fault.message.slice(path.length + 2).replace("the repository", "its folder");
  const file = readBytesInside(folder, place.value.real, MAX_SMALL_BYTES);
  return file.ok ? null : file.fault.message;
}
