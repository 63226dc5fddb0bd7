import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isQuickPattern } from "../../base/exclusions.ts";
import { readInside } from "../../base/jail.ts";
import { isExcludedPath, isSensitivePath } from "../../base/path-rules.ts";

/** Rules of one ignore file and the folder they count from. */
interface Rules {
  /** Folder with a trailing slash, or empty for the root. */
  readonly folder: string;
  readonly rules: Ignore;
}

const IGNORE_FILES = [".gitignore", ".groundworkignore"];
const MAX_DEPTH = 40;
const MAX_IGNORE_BYTES = 64 * 1024;
/** Rules of one ignore file that are heeded: each is tried on every path below. */
const MAX_RULES = 1_000;

/** How a walk is to go. */
export interface WalkRules {
  readonly isExcluded: (path: string) => boolean;
  /** Is told of every sensitive file or folder on the way, which is left out. */
  readonly onSensitive: (path: string) => void;
}

/**
 * Lists the regular files below the root, folder by folder, in a stable order. Contract: links are not followed;
 * excluded, ignored and sensitive paths are left out, each as a null, so that whoever walks can look at the clock;
 * nothing is run and nothing but ignore files is opened.
 */
export function* walkFiles(root: string, rules: WalkRules): Generator<string | null> {
  yield* walkFolder(root, "", [], rules, 0);
}

function* walkFolder(
  root: string,
  folder: string,
  outer: readonly Rules[],
  rules: WalkRules,
  depth: number,
): Generator<string | null> {
  const entries = listFolder(join(root, folder));
  const stack = [...outer, ...readRules(root, folder, entries)];
  const folders: string[] = [];
  for (const entry of entries) {
    const path = folder + entry.name;
    if (entry.isDirectory()) {
      if (!isLeftOut(`${path}/`, path, stack, rules)) folders.push(`${path}/`);
      else yield null;
    } else yield entry.isFile() && !isLeftOut(path, path, stack, rules) ? path : null;
  }
  if (depth >= MAX_DEPTH) return;
  for (const inner of folders) yield* walkFolder(root, inner, stack, rules, depth + 1);
}

function listFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Not readable, or gone since it was listed.
    return [];
  }
}

function readRules(root: string, folder: string, entries: readonly Dirent[]): Rules[] {
  const found: Rules[] = [];
  for (const { name } of entries.filter((entry) => entry.isFile() && IGNORE_FILES.includes(entry.name))) {
    const file = readInside(root, join(root, folder, name), MAX_IGNORE_BYTES);
    if (file.ok && file.value.text !== null)
      found.push({ folder, rules: ignore().add(file.value.text.split("\n", MAX_RULES).filter(isQuickPattern)) });
  }
  return found;
}

function isLeftOut(
  name: string,
  path: string,
  stack: readonly Rules[],
  { isExcluded, onSensitive }: WalkRules,
): boolean {
  if (isSensitivePath(path)) {
    onSensitive(path);
    return true;
  }
  if (isExcludedPath(path) || isExcluded(path)) return true;
  let ignored = false;
  for (const { folder, rules } of stack) {
    const verdict = rules.test(name.slice(folder.length));
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  return ignored;
}
