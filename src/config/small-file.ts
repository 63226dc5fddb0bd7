import { type FileBytes, readBytesInside, resolveInside } from "../base/jail.ts";

/** Most bytes of a file that settings or hooks are taken from. */
export const MAX_SMALL_BYTES = 64 * 1024;

/** Reads a file inside `folder`, up to the limit. Contract: null for whatever is no regular file that lies inside. */
export function readSmallFile(folder: string, path: string): FileBytes | null {
  const place = resolveInside(folder, path);
  if (!place.ok) return null;
  const file = readBytesInside(folder, place.value.real, MAX_SMALL_BYTES);
  return file.ok ? file.value : null;
}
