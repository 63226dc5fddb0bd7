import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, posix, resolve } from "node:path";
import { toInside } from "../base/jail.ts";
import { isExcludedPath, isSensitivePath } from "../base/path-rules.ts";
import { isRecord, mapStrings } from "../base/text.ts";
import { isFixedLimit, LIMITS, type Limit } from "../contract/limits.ts";
import type { Redaction } from "../contract/run-document.ts";
import { defang } from "../safety/defang/defang.ts";
import { filterInstructions, filterLines, type LineRange } from "../safety/instructions/filter.ts";
import { hideFields } from "../safety/redact/data.ts";
import { redact, sumRedactions } from "../safety/redact/redact.ts";

/** A value that has passed the guard, and what the guard removed from it. */
interface Guarded<T> {
  readonly value: T;
  readonly redactions: readonly Redaction[];
  readonly limits: readonly Limit[];
}

/** Settings of the guard: which paths results may mention. */
export interface GuardPolicy {
  /** Real path of the repository root. */
  readonly root: string;
  readonly isExcluded: (path: string) => boolean;
  /** Texts that pass unchanged: ids and paths that one of our own tools has created. */
  readonly names?: ReadonlySet<string>;
}

/** Cache of short texts that passed unchanged: keys, names and paths recur within a call and across calls. */
const harmless = new Set<string>();
const MOST_HARMLESS = 4_000;
const HARMLESS_CHARS = 200;

function rememberHarmless(text: string): void {
  if (text.length > HARMLESS_CHARS) return;
  if (harmless.size >= MOST_HARMLESS) harmless.clear();
  harmless.add(text);
}

/**
 * The single gate for all data from a tool or a file before it is shown: removes entries about forbidden paths, hides
 * secrets, defangs structure and removes planted instructions. Contract: linear; idempotent; every removal is reported
 * in `limits`, every hidden secret in `redactions`.
 */
export function guard<T>(value: T, policy: GuardPolicy): Guarded<T> {
  const redactions: (readonly Redaction[])[] = [];
  let filtered = 0;
  let dropped = 0;
  const kept = dropForbidden(value, policy, () => dropped++);
  // Fields first: a word under the key "password" is a secret that the text alone does not reveal.
  const named = hideFields(
    kept,
    (kind) => redactions.push([{ kind, count: 1 }]),
    (text) => policy.names?.has(text) === true,
  );
  const known = new Map<string, string>();
  const clean = mapStrings(named, (text) => {
    if (harmless.has(text) || policy.names?.has(text) === true) return text;
    // Findings in a repeated text count once.
    const before = known.get(text);
    if (before !== undefined) return before;
    // `defang` removes invisible characters first: one inside a key would hide the key from the rules.
    const hidden = redact(defang(text));
    redactions.push(hidden.redactions);
    const calm = filterInstructions(hidden.text, text);
    filtered += calm.count;
    known.set(text, calm.text);
    if (calm.text === text) rememberHarmless(text);
    return calm.text;
  });
  const counts = sumRedactions(redactions);
  const limits: Limit[] = [];
  if (dropped > 0) limits.push(LIMITS.pathsFiltered(dropped));
  if (filtered > 0) limits.push(LIMITS.injectionFiltered());
  return { value: clean as T, redactions: counts, limits };
}

/**
 * The gate for a range of lines of a file. Contract: the lines are cleaned together with all of `text`, so that a
 * secret or an order is found even if it starts before the range; no part of the other lines is returned.
 */
export function guardLines(text: string, shown: LineRange): Guarded<readonly string[]> {
  const key = `${shown.from}:${shown.to}\0${text}`;
  const known = cleaned.get(key) ?? cleanLines(text, shown);
  cleaned.delete(key);
  cleaned.set(key, known);
  const [oldest] = cleaned.keys();
  if (oldest !== undefined && cleaned.size > MOST_CLEANED) cleaned.delete(oldest);
  return known;
}

/** Cache of the most recently cleaned ranges: in a long-running process, successive questions need the same lines. */
const cleaned = new Map<string, Guarded<readonly string[]>>();
const MOST_CLEANED = 64;

function cleanLines(text: string, shown: LineRange): Guarded<readonly string[]> {
  const hidden = redact(defang(text));
  const { lines, count } = filterLines(hidden.text, shown, text);
  return { value: lines, redactions: hidden.redactions, limits: count > 0 ? [LIMITS.injectionFiltered()] : [] };
}

/** Hides secrets and defangs structure in data that comes from a prompt or a settings file, not from a tool. */
export function guardOwn<T>(value: T): T {
  return mapStrings(
    hideFields(value, () => {}),
    (text) => redact(defang(text)).text,
  ) as T;
}

/** Cleans limits, which may quote a repository's settings. Contract: a removal is itself reported as a limit. */
export function guardLimits(limits: readonly Limit[]): Limit[] {
  let filtered = 0;
  const clean = limits.map((limit) => {
    if (isFixedLimit(limit)) return limit;
    const { text, count } = filterInstructions(guardOwn(limit.text));
    filtered += count;
    return { ...limit, text };
  });
  return filtered > 0 ? [...clean, LIMITS.injectionFiltered()] : clean;
}

/** Maximum depth at which paths are checked; deeper data is dropped. */
const MAX_DEPTH = 64;
/** Keys under which programs report paths: `file`, `filePath`, `absolute_path`, `uri`, `relative-file-name`. */
const PATH_KEY =
  /(?:^|[_-])(?:file|path|uri|(?:file|full|abs|rel|real)[pP]ath|file_?[nN]ame|folder|directory)$|[a-z](?:File|Path|Uri|URI|FileName|Filename|Folder|Directory)$/;
const MAX_PATH_CHARS = 4_096;
const DRIVE = /^[A-Za-z]:[\\/]/;

/**
 * Removes data about paths that are outside the root, excluded or sensitive: list entries, properties, and the data
 * under keys that are paths. Contract: paths are compared as the file system resolves them, including symlinks; data
 * nested too deep to be checked is removed too; `drop` is called once per removal; never throws.
 */
function dropForbidden(value: unknown, policy: GuardPolicy, drop: () => void): unknown {
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

/** True for an entry about a forbidden path: the path itself, an object that names it, or a tuple that contains it. */
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

/**
 * True for a text that is meant as a path, at any position in the data: it contains `..` or a separator, names a place
 * on the machine, or may hold secrets.
 */
function looksLikePath(text: string): boolean {
  if (text.length > MAX_PATH_CHARS || /[\s"'`{}()<>|,;=*?$!]/.test(text)) return false;
  if (/^(?:file:|\.\.?[\\/])|[\\/]\.\.(?:[\\/]|$)/i.test(text) || DRIVE.test(text)) return true;
  // A route such as "/api/users" looks like an absolute path; only a path that exists counts as one.
  return isSensitivePath(text) || (isAbsolute(text) ? existsSync(text) : /[\\/]/.test(text));
}

/** True for a path about which no data may be returned. */
function isForbiddenPath(written: string, { root, isExcluded }: GuardPolicy): boolean {
  const path = toPlain(written);
  if (path === null || DRIVE.test(path)) return true;
  const inside = toInside(root, resolve(root, posix.normalize(path)));
  const real = inside === null ? null : toInside(root, toReal(resolve(root, inside)));
  if (inside === null || real === null) return true;
  return [inside, real].some((own) => isSensitivePath(own) || isExcludedPath(own) || (own !== "" && isExcluded(own)));
}

/** Strips the notation that programs add to a path: `file://`, backslashes, `:12:3`. Null if it cannot be parsed. */
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

/** Resolves the symlinks of a path, as far as the path exists. */
function toReal(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      return realpathSync(at) + path.slice(at === "/" ? 0 : at.length);
    } catch {
      if (dirname(at) === at) return path;
    }
  }
}
