import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isQuickPattern } from "../../base/exclusions.ts";
import { readInside } from "../../base/jail.ts";
import { isExcludedPath, isSensitivePath } from "../../base/path-rules.ts";
import { findRepoRoot } from "../../base/repo-root.ts";

/** Rules of one ignore file and the folder they count from. */
interface Rules {
  /** Folder with a trailing slash, or empty for the root. */
  readonly folder: string;
  readonly rules: Ignore;
}

const IGNORE_FILES = new Set([".gitignore", ".groundworkignore"]);
const MAX_DEPTH = 40;
const MAX_IGNORE_BYTES = 64 * 1024;
/** Rules of one ignore file that are heeded: each is tried on every path below. */
const MAX_RULES = 1_000;

/** What lies in one folder and is not left out. Paths are relative to the root, those of folders end with a slash. */
export interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** True for a file whose change may change which files count. */
export function isIgnoreFile(path: string): boolean {
  return IGNORE_FILES.has(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * Lists the folders of a repository. Contract: links are not followed; excluded, ignored and sensitive paths are left
 * out; nothing is run and nothing but ignore files is opened; what was listed keeps its ignore rules, so that a walker
 * is made anew when they may have changed.
 */
export class Walker {
  /** Sensitive files and folders that were met, which are left out. */
  readonly sensitive: string[] = [];
  readonly #root: string;
  readonly #isExcluded: (path: string) => boolean;
  readonly #rules = new Map<string, readonly Rules[]>();

  constructor(root: string, isExcluded: (path: string) => boolean) {
    this.#root = root;
    this.#isExcluded = isExcluded;
  }

  /** Lists one folder, without those in it. */
  list(folder: string): Listing {
    if (folder.split("/").length > MAX_DEPTH) return { files: [], folders: [] };
    const entries = readFolder(join(this.#root, folder));
    const stack = this.#rulesFor(folder, entries);
    const files: string[] = [];
    const folders: string[] = [];
    for (const entry of entries) {
      const path = folder + entry.name;
      if (entry.isDirectory()) {
        if (!this.#isLeftOut(`${path}/`, path, entry.name, stack)) folders.push(`${path}/`);
      } else if (entry.isFile() && !this.#isLeftOut(path, path, entry.name, stack)) files.push(path);
    }
    return { files, folders };
  }

  #rulesFor(folder: string, entries?: readonly Dirent[]): readonly Rules[] {
    const known = this.#rules.get(folder);
    if (known !== undefined) return known;
    const outer = folder === "" ? [] : this.#rulesFor(folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1));
    const own = this.#readRules(folder, entries ?? readFolder(join(this.#root, folder)));
    const stack = own.length === 0 ? outer : [...outer, ...own];
    this.#rules.set(folder, stack);
    return stack;
  }

  #readRules(folder: string, entries: readonly Dirent[]): Rules[] {
    const found: Rules[] = [];
    for (const entry of entries) {
      if (!IGNORE_FILES.has(entry.name) || !entry.isFile()) continue;
      const file = readInside(this.#root, join(this.#root, folder, entry.name), MAX_IGNORE_BYTES);
      if (!file.ok || file.value.text === null) continue;
      const rules = file.value.text.split("\n", MAX_RULES).filter(isQuickPattern);
      found.push({ folder, rules: ignore().add(folder === "" && !this.#isGit() ? rules.filter(leavesRest) : rules) });
    }
    return found;
  }

  #isGit(): boolean {
    return findRepoRoot(this.#root).source === "git";
  }

  /** Folders on the way were judged before, so that the name decides beside the rules. */
  #isLeftOut(written: string, path: string, name: string, stack: readonly Rules[]): boolean {
    if (isSensitivePath(name)) {
      this.sensitive.push(path);
      return true;
    }
    if (isExcludedPath(name) || this.#isExcluded(path)) return true;
    let ignored = false;
    for (const { folder, rules } of stack) {
      const verdict = rules.test(written.slice(folder.length));
      if (verdict.ignored) ignored = true;
      else if (verdict.unignored) ignored = false;
    }
    return ignored;
  }
}

/**
 * False for a rule that leaves out everything. Sources that were packed without their repository may come with one that
 * was true there alone.
 */
function leavesRest(rule: string): boolean {
  return !/^\/?\*{1,2}\/?\s*$/.test(rule);
}

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Not readable, or gone since it was listed.
    return [];
  }
}
