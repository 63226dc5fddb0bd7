import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isQuickPattern } from "../../base/exclusions.ts";
import { readInside } from "../../base/jail.ts";
import { isExcludedPath, isSensitivePath } from "../../base/path-rules.ts";
import { findRepoRoot } from "../../base/repo-root.ts";
import { type Disk, type DiskEntry, diskAt } from "./disk.ts";

/** Rules of one ignore file and the folder they are relative to. */
interface Rules {
  /** Folder with a trailing slash; empty for the root. */
  readonly folder: string;
  readonly rules: Ignore;
}

const IGNORE_FILES = new Set([".gitignore", ".groundworkignore"]);
const MAX_DEPTH = 40;
const MAX_IGNORE_BYTES = 64 * 1024;
/** Maximum number of rules per ignore file: each is tested on every path below. */
const MAX_RULES = 1_000;

/** Rules of a walker. */
interface WalkRules {
  readonly isExcluded: (path: string) => boolean;
  /** True for files that are known not to be ignored, which saves testing them. */
  readonly isAllowed?: ((path: string) => boolean) | undefined;
  /** Defaults to the file system below the root. */
  readonly disk?: Disk | undefined;
}

/** The entries of one folder that are not excluded. Paths are relative to the root; folder paths end with a slash. */
interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** True if a change of this file may change which files are listed. */
export function isIgnoreFile(path: string): boolean {
  return IGNORE_FILES.has(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * Lists the folders of a repository. Contract: symlinks are not followed; excluded, ignored and sensitive paths are
 * omitted; nothing is executed and only ignore files are opened; ignore rules are cached, so a new walker is needed
 * when they may have changed.
 */
export class Walker {
  /** Sensitive files and folders found; they are omitted from listings. */
  readonly sensitive: string[] = [];
  readonly #root: string;
  readonly #isExcluded: (path: string) => boolean;
  readonly #isAllowed: (path: string) => boolean;
  readonly #disk: Disk;
  readonly #rules = new Map<string, readonly Rules[]>();

  constructor(root: string, { isExcluded, isAllowed = () => false, disk = diskAt(root) }: WalkRules) {
    this.#root = root;
    this.#disk = disk;
    this.#isExcluded = isExcluded;
    this.#isAllowed = isAllowed;
  }

  /** Lists one folder, not recursively. */
  list(folder: string): Listing {
    if (folder.split("/").length > MAX_DEPTH) return { files: [], folders: [] };
    const entries = this.#read(folder);
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

  #read(folder: string): readonly DiskEntry[] {
    return this.#disk.list(folder).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  #rulesFor(folder: string, entries?: readonly DiskEntry[]): readonly Rules[] {
    const known = this.#rules.get(folder);
    if (known !== undefined) return known;
    const outer = folder === "" ? [] : this.#rulesFor(folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1));
    const own = this.#readRules(folder, entries ?? this.#read(folder));
    const stack = own.length === 0 ? outer : [...outer, ...own];
    this.#rules.set(folder, stack);
    return stack;
  }

  #readRules(folder: string, entries: readonly DiskEntry[]): Rules[] {
    const found: Rules[] = [];
    for (const entry of entries) {
      if (!IGNORE_FILES.has(entry.name) || !entry.isFile()) continue;
      const file = readInside(this.#root, join(this.#root, folder, entry.name), MAX_IGNORE_BYTES);
      if (!file.ok || file.value.text === null) continue;
      const rules = file.value.text.split("\n", MAX_RULES).filter(isQuickPattern);
      const isArchive = folder === "" && findRepoRoot(this.#root).source !== "git";
      found.push({ folder, rules: ignore().add(isArchive ? rules.filter(leavesRest) : rules) });
    }
    return found;
  }

  /** Parent folders have already been checked, so only the name and the rules matter here. */
  #isLeftOut(written: string, path: string, name: string, stack: readonly Rules[]): boolean {
    if (isSensitivePath(name)) {
      this.sensitive.push(path);
      return true;
    }
    if (isExcludedPath(name) || this.#isExcluded(path)) return true;
    if (this.#isAllowed(path)) return false;
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
 * False for a rule that ignores everything. Source archives without a repository may include a rule that only made
 * sense in the original repository.
 */
function leavesRest(rule: string): boolean {
  return !/^\/?\*{1,2}\/?\s*$/.test(rule);
}
