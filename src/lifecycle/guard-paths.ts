import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, posix, resolve } from "node:path";
import { toInside } from "../base/jail.ts";
import { isExcludedPath, isSensitivePath } from "../base/path-rules.ts";
import { isRecord } from "../base/text.ts";

/** What decides which paths may be told of. */
export interface PathPolicy {
  /** Real path of the repository root. */
  readonly root: string;
  readonly isExcluded: (path: string) => boolean;
  /** Texts that pass as they are: names of what a tool of ours has made. */
  readonly names?: ReadonlySet<string>;
}

/** Deeper than this nothing is looked at, and so nothing is told. */
const MAX_DEPTH = 64;
/** Keys under which programs tell paths: `file`, `filePath`, `absolute_path`, `uri`, `relative-file-name`. */
const PATH_KEY =
  /(?:^|[_-])(?:file|path|uri|(?:file|full|abs|rel|real)[pP]ath|file_?[nN]ame|folder|directory)$|[a-z](?:File|Path|Uri|URI|FileName|Filename|Folder|Directory)$/;
const MAX_PATH_CHARS = 4_096;
const DRIVE = /^[A-Za-z]:[\\/]/;

/**
 * Removes what is about a path outside the root, an excluded one or a sensitive one: entries of lists, properties and the
 * data under keys that are paths. Contract: paths are compared as the file system resolves them, links included; what is
 * nested too deep to be looked at goes, too; `drop` is called once for each loss; never throws.
 */
export function dropForbidden(value: unknown, policy: PathPolicy, drop: () => void): unknown {
  const known = new Map<string, boolean>();
  const isForbidden = (path: string) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = policy.names?.has(path) !== true && isForbiddenPath(path, policy);
    known.set(path, found);
    return found;
  };
  const isGone = (item: unknown) => {
    const gone = isForbiddenItem(item, isForbidden);
    if (gone) drop();
    return gone;
  };
  const clean = (item: unknown, depth: number): unknown => {
    if (typeof item !== "object" || item === null) return item;
    if (depth > MAX_DEPTH) {
      drop();
      return null;
    }
    if (Array.isArray(item)) return item.filter((own) => !isGone(own)).map((own) => clean(own, depth + 1));
    const kept = Object.entries(item).filter(([key, own]) => {
      if (looksLikePath(key) && isForbidden(key)) {
        drop();
        return false;
      }
      return !isRecord(own) || !isGone(own);
    });
    return Object.fromEntries(kept.map(([key, own]) => [key, clean(own, depth + 1)]));
  };
  return isRecord(value) && isGone(value) ? {} : clean(value, 0);
}

/** Whether an entry is about a forbidden path: a path itself, an object that names one, a tuple that holds one. */
function isForbiddenItem(item: unknown, isForbidden: (path: string) => boolean): boolean {
  if (typeof item === "string") return looksLikePath(item) && isForbidden(item);
  if (Array.isArray(item)) {
    const isTuple = item.some((part) => typeof part === "string") && item.some((part) => typeof part !== "string");
    return isTuple && item.some((part) => typeof part === "string" && looksLikePath(part) && isForbidden(part));
  }
  if (!isRecord(item)) return false;
  return Object.entries(item).some(
    ([key, path]) => PATH_KEY.test(key) && typeof path === "string" && path !== "" && isForbidden(path),
  );
}

/** A text that somebody means as a path, wherever it stands: it climbs, names a machine's place, or may hold secrets. */
function looksLikePath(text: string): boolean {
  if (text.length > MAX_PATH_CHARS || /[\s"'`{}()<>|,;=*?$!]/.test(text)) return false;
  if (/^(?:file:|\.\.?[\\/])|[\\/]\.\.(?:[\\/]|$)/i.test(text) || DRIVE.test(text)) return true;
  // A route such as "/api/users" begins like a path; only what is really there is one.
  return isSensitivePath(text) || (isAbsolute(text) ? existsSync(text) : /[\\/]/.test(text));
}

/** True for a path that nothing may be told about. */
function isForbiddenPath(written: string, { root, isExcluded }: PathPolicy): boolean {
  const path = toPlain(written);
  if (path === null || DRIVE.test(path)) return true;
  const inside = toInside(root, resolve(root, posix.normalize(path)));
  const real = inside === null ? null : toInside(root, toReal(resolve(root, inside)));
  if (inside === null || real === null) return true;
  return [inside, real].some((own) => isSensitivePath(own) || isExcludedPath(own) || (own !== "" && isExcluded(own)));
}

/** A path without what programs write around it: `file://`, backslashes, `:12:3`. Null where it cannot be read. */
function toPlain(written: string): string | null {
  if (written.length > MAX_PATH_CHARS || written.includes("\0")) return null;
  let path = written;
  if (/^file:/i.test(path)) {
    try {
      path = decodeURIComponent(path.replace(/^file:(?:\/\/[^/]*)?/i, ""));
    } catch {
      return null;
    }
  } else if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return ".";
  if (!DRIVE.test(path)) path = path.replaceAll("\\", "/");
  return path.replace(/(?::\d+){1,2}$/, "");
}

/** Where a path leads, as far as it is there. */
function toReal(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      return realpathSync(at) + path.slice(at === "/" ? 0 : at.length);
    } catch {
      if (dirname(at) === at) return path;
    }
  }
}
