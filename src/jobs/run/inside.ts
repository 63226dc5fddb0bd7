import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { toInside } from "../../base/jail.ts";

/**
 * True where a path that somebody names, there or not yet, lies in a folder once links are followed. Contract: never throws;
 * `folder` is a real path; a link that leads nowhere yet is not inside, because what is written there could be anywhere.
 */
export function isInsideFolder(path: string, folder: string): boolean {
  const missing: string[] = [];
  for (let at = resolve(folder, path); ; at = dirname(at)) {
    try {
      return toInside(folder, join(realpathSync(at), ...missing)) !== null;
    } catch {
      if (dirname(at) === at || isLink(at)) return false;
      missing.unshift(basename(at));
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return true;
  }
}
