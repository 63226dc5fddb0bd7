import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { lstatOrNull } from "../../base/file-facts.ts";
import { toCode } from "../../base/text.ts";
import { compilePattern } from "./patterns.ts";

/** Maximum number of directory entries that are examined for one pattern or folder. */
export const MAX_ENTRIES = 200_000;

/** Files that were found, and obstacles to the search. */
export interface FoundFiles {
  /** Spelled as in the pattern, sorted by character code. */
  readonly paths: readonly string[];
  /** Number of symlinks that would have matched had they been files. */
  readonly links: number;
  /** The first folder that could not be read, and why; null if there was none. */
  readonly unreadable: { readonly path: string; readonly why: string } | null;
  /** True if there were too many entries; then `paths` is incomplete. */
  readonly isTooMuch: boolean;
}

/** True for a path that contains pattern characters. Contract: false for anything too long to be a path. */
export function isGlob(path: string): boolean {
  return path.length <= MAX_PATH && /[*?[]/.test(path);
}

const MAX_PATH = 4_096;

/**
 * Expands a shell pattern: `*`, `?`, `[…]`, and `**` for any folders. Contract: as in bash, names that begin with a dot
 * match only a pattern that does; never throws. Symlinks are followed if the pattern names them and never if they are
 * found: a repository could lead anywhere by them.
 */
export function findByGlob(pattern: string, cwd: string, mostEntries = MAX_ENTRIES): FoundFiles {
  const walk = makeWalk(cwd, mostEntries);
  const segments = pattern.split("/").filter((segment) => segment !== "");
  // Consecutive `**` are equivalent to one and would be walked twice; a trailing `**` stands for the files below.
  const once = segments.filter((segment, at) => segment !== "**" || segments[at - 1] !== "**");
  if (once.at(-1) === "**") once.push("*");
  visit(walk, pattern.startsWith("/") ? "/" : "", once.map(toStep), { isNamed: true });
  return walk.found();
}

/** Finds Markdown files in a folder and its subfolders, including hidden ones. Contract: as `findByGlob`. */
export function findMarkdown(folder: string, cwd: string, mostEntries = MAX_ENTRIES): FoundFiles {
  const walk = makeWalk(cwd, mostEntries);
  const pending = [folder.endsWith("/") ? folder : `${folder}/`];
  for (let at = 0; at < pending.length; at++) {
    const prefix = pending[at] ?? "";
    for (const entry of walk.list(prefix)) {
      if (entry.isDirectory()) pending.push(`${prefix}${entry.name}/`);
      else if (/\.(?:md|markdown)$/.test(entry.name)) walk.add(prefix + entry.name, entry);
    }
  }
  return walk.found();
}

interface Walk {
  readonly cwd: string;
  /** Lists a folder; `prefix` is its path with a trailing slash, or empty for the working folder. */
  readonly list: (prefix: string) => readonly Dirent[];
  /** Adds a regular file, or counts a symlink. */
  readonly add: (path: string, entry: Pick<Stats, "isFile" | "isSymbolicLink">) => void;
  /** True for the first call with this place. */
  readonly enter: (place: string) => boolean;
  readonly found: () => FoundFiles;
}

function makeWalk(cwd: string, mostEntries: number): Walk {
  const listed = new Map<string, readonly Dirent[]>();
  const paths = new Set<string>();
  const links = new Set<string>();
  const entered = new Set<string>();
  let unreadable: FoundFiles["unreadable"] = null;
  let left = mostEntries;
  const list = (prefix: string): readonly Dirent[] => {
    if (left <= 0) return [];
    try {
      const entries = readdirSync(resolve(cwd, prefix), { withFileTypes: true });
      left -= entries.length + 1;
      return entries;
    } catch (thrown) {
      unreadable ??= { path: prefix || ".", why: toCode(thrown) };
      return [];
    }
  };
  return {
    cwd,
    list: (prefix) => {
      const entries = listed.get(prefix) ?? list(prefix);
      listed.set(prefix, entries);
      return entries;
    },
    add: (path, entry) => {
      if (entry.isFile()) paths.add(path);
      else if (entry.isSymbolicLink()) links.add(path);
    },
    enter: (place) => !entered.has(place) && entered.add(place).size > 0,
    found: () => ({ paths: [...paths].sort(), links: links.size, unreadable, isTooMuch: left <= 0 }),
  };
}

type GlobStep =
  | { readonly kind: "folders" }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "pattern"; readonly isMatch: (name: string) => boolean };

function toStep(segment: string): GlobStep {
  if (segment === "**") return { kind: "folders" };
  return isGlob(segment) ? { kind: "pattern", isMatch: toMatcher(segment) } : { kind: "name", name: segment };
}

function visit(
  walk: Walk,
  prefix: string,
  steps: readonly GlobStep[],
  { isNamed }: { readonly isNamed: boolean },
): void {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  const isLast = rest.length === 0;
  if (step.kind === "name") {
    const path = resolve(walk.cwd, prefix + step.name);
    const stats = isNamed ? statOf(path) : lstatOrNull(path);
    if (stats === null) return;
    if (!isLast && stats.isDirectory()) visit(walk, `${prefix}${step.name}/`, rest, { isNamed });
    if (isLast) walk.add(prefix + step.name, stats);
    return;
  }
  if (step.kind === "folders") {
    // A pattern with several `**` reaches the same folder in several ways.
    const isFirst = walk.enter(`${steps.length} ${prefix}`);
    if (!isFirst) return;
    visit(walk, prefix, rest, { isNamed: false });
  }
  for (const entry of walk.list(prefix)) {
    const isMatch = step.kind === "folders" ? !entry.name.startsWith(".") : step.isMatch(entry.name);
    if (!isMatch) continue;
    if (step.kind === "folders") {
      if (entry.isDirectory()) visit(walk, `${prefix}${entry.name}/`, steps, { isNamed: false });
    } else if (isLast) walk.add(prefix + entry.name, entry);
    else if (entry.isDirectory()) visit(walk, `${prefix}${entry.name}/`, rest, { isNamed: false });
  }
}

/** Stats of the target of a path, or null if it does not exist. */
export function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

const PIECES = /\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]|\*+|[\s\S]/gu;

/**
 * Creates a test for whether an entire text matches a shell pattern: `*`, `?`, `[…]`. Contract: as in `case`, stars
 * also match slashes and leading dots; nothing matches an invalid pattern.
 */
export function makeGlobTest(glob: string): (text: string) => boolean {
  const body = (glob.match(PIECES) ?? []).map((piece) => {
    if (piece.startsWith("*")) return ".*";
    if (piece === "?") return ".";
    if (piece.length < 3 || !piece.startsWith("[")) return piece.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
    const inside = piece.slice(1, -1).replace(/\\/g, "\\\\");
    return `[${inside.replace(/^[!^]/, "^").replace(/^(\^?)\]/, "$1\\]")}]`;
  });
  const pattern = compilePattern(`(?s)\\A(?:${body.join("")})\\z`);
  return (text) => pattern?.matches(text) === true;
}

function toMatcher(segment: string): (name: string) => boolean {
  const isMatch = makeGlobTest(segment);
  const showsHidden = segment.startsWith(".");
  return (name) => (showsHidden || !name.startsWith(".")) && isMatch(name);
}
