import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isSafeUrl } from "../base/send-request.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { makeFolderStore } from "./folder-store.ts";
import { makeHttpStore } from "./http-store.ts";
import type { ObjectStore } from "./object-store.ts";

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Normalises the location of a store as written by a user so that it does not depend on the current folder: an absolute
 * folder or a URL.
 */
export function toPlace(written: string, folder: string): Outcome<string> {
  if (/^file:\/\//i.test(written)) {
    try {
      return succeed(fileURLToPath(written));
    } catch {
      return fail("E_INVALID_ARGS", `${written} names no folder: write it as file:///the/folder`);
    }
  }
  if (!ADDRESS.test(written)) return succeed(resolve(folder, written));
  if (isSafeUrl(written)) return succeed(written);
  return fail("E_INVALID_ARGS", `${written} is not the address of a store: use https, or http on this machine`);
}

/** Opens a store. Contract: `place` was returned by `toPlace`; nothing is read or written yet. */
export function openObjectStore(place: string, token: string | null): ObjectStore {
  return isAbsolute(place) ? makeFolderStore(place) : makeHttpStore(place, token);
}
