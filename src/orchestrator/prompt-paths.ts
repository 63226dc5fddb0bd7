import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { resolveInside, toInside } from "../base/jail.ts";
import { isExcludedPath, isSensitivePath } from "../base/path-rules.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";

/** Paths of a prompt that may be passed to tools, and limits for the others. */
interface SortedPaths {
  readonly inside: readonly string[];
  readonly limits: readonly Limit[];
  /** The subset of the limits that concerns files whose content is never read. */
  readonly sensitive: readonly Limit[];
}

/** Absolute paths that mean a file of the machine; `/api/users` is a route. */
const MACHINE_PATH =
  /^(?:~|\/(?:etc|root|home|proc|sys|dev|var|usr|tmp|opt|mnt|private|Users)(?:\/|$)|[A-Za-z]:[\\/])|\.\w{1,8}$/;

/**
 * Classifies the paths that a prompt names by their names alone, because planning must not access the disk. Whether a
 * file may be read is checked again when it is opened.
 */
export function sortPaths(root: string, paths: readonly string[]): SortedPaths {
  const inside: string[] = [];
  const limits: Limit[] = [];
  const sensitive: Limit[] = [];
  for (const path of paths) {
    const full = path.startsWith("~/") ? resolve(homedir(), path.slice(2)) : resolve(root, path);
    const relative = toInside(root, full);
    if (isSensitivePath(path)) sensitive.push(LIMITS.pathSensitive(path));
    else if (relative === null) {
      if (!isAbsolute(path) || MACHINE_PATH.test(path)) limits.push(LIMITS.pathOutside(path));
    } else if (relative !== "" && !isExcludedPath(relative)) inside.push(relative);
  }
  return { inside, sensitive, limits: [...sensitive, ...limits] };
}

/** Limits for named paths whose file may not be read: symlinks that lead out of the root or to secrets. */
export function findRefusals(root: string, paths: readonly string[]): Limit[] {
  return paths.flatMap((path) => {
    if (!existsSync(join(root, path))) return [];
    const place = resolveInside(root, path);
    return place.ok ? [] : [LIMITS.pathRefused(place.fault.message)];
  });
}
