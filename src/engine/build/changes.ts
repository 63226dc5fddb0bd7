import { pushTo } from "../../base/maps.ts";
import { COLUMNS, UNSURE } from "../store/catalogue.ts";
import type { FolderStamps } from "../store/index-store.ts";
import type { FileStamp } from "../store/known-files.ts";
import type { SegmentReader } from "../store/segment.ts";
import { type Disk, diskAt } from "./disk.ts";
import { isUnsure } from "./read-source.ts";
import { isIgnoreFile, Walker } from "./walker.ts";

/** What an index knows about the files on disk. */
export interface Known {
  readonly files: ReadonlyMap<string, FileStamp>;
  readonly folders: FolderStamps;
}

/** Differences between the disk and an index. */
export interface Changes {
  /** New or modified files. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Current state of the folders. */
  readonly folders: FolderStamps;
  /** False if time ran out; the lists then contain what was found until then. */
  readonly complete: boolean;
}

/** Traits of the files whose text is in the segments. Other files are known by their path alone, some deliberately. */
export function traitsIn(segments: readonly SegmentReader[]): Map<string, number> {
  const traits = new Map<string, number>();
  const [lines, column] = [COLUMNS.indexOf("lines"), COLUMNS.indexOf("traits")];
  for (const { catalogue } of segments) {
    const { paths, numbers, removed } = catalogue;
    paths.forEach((path, slot) => {
      const own = slot * COLUMNS.length;
      if ((numbers[own + lines] ?? 0) > 0) traits.set(path, numbers[own + column] ?? 0);
      else traits.delete(path);
    });
    for (const path of removed) traits.delete(path);
  }
  return traits;
}

/** Paths that may differ from an index; everything else is known to be the same. Folder paths end with a slash. */
export interface Suspects {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** Input of `findChanges`. */
interface ChangeRules {
  /** Where to look; null or absent if anything may have changed. */
  readonly suspects?: Suspects | null;
  /**
   * Set if the known files were compared a moment ago: returns true for files that git tracks. Only files with an
   * unsure time are checked again.
   */
  readonly isTracked?: ((path: string) => boolean) | null;
  readonly isExcluded: (path: string) => boolean;
  /** Defaults to the file system below the root. */
  readonly disk?: Disk | undefined;
  readonly hasTime: () => boolean;
  /** When the search started. */
  readonly nowMs: number;
}

/** Files processed between two time checks. */
const BATCH = 256;

/**
 * Compares the disk with what is known: a folder with an unchanged modification time has the same files, and a file
 * with an unchanged time and size has the same text. Contract: opens nothing but ignore files; if those changed,
 * everything is listed again.
 */
export function findChanges(root: string, known: Known, rules: ChangeRules): Changes {
  const isFirst = known.folders.paths.length === 0;
  const suspects = isFirst ? null : (rules.suspects ?? null);
  const files = suspects === null ? known.files : among(known.files, suspects.files);
  const { changed, removed, complete } = findChangedFiles(root, files, rules);
  const partly = new ListedFolders(root, known, rules);
  const isPartly = !isFirst && partly.changed(suspects?.folders ?? null);
  const areRulesOther = [...changed, ...removed, ...partly.added].some(isIgnoreFile);
  if (!isFirst && !areRulesOther)
    return toChanges(changed, [...removed, ...partly.missing], partly, complete && isPartly);
  const { listed, isListed } = listAll(root, known, areRulesOther ? { ...rules, isTracked: null } : rules);
  const gone = isListed ? [...known.files.keys()].filter((path) => !listed.files.has(path)) : [];
  return toChanges(changed, [...removed, ...gone], listed, complete && isListed);
}

/**
 * Lists all folders. A file that the index knows is not ignored as long as the ignore rules are those under which it
 * was found. (It must also be tracked by git, so that a base from elsewhere cannot reveal files that are ignored here.)
 */
function listAll(root: string, known: Known, rules: ChangeRules) {
  const { isTracked = null } = rules;
  const isAllowed = (path: string) => isTracked?.(path) === true && known.files.has(path);
  const listed = new ListedFolders(root, known, rules, isAllowed);
  const isListed = listed.all();
  if (isTracked === null || ![...listed.added].some(isIgnoreFile)) return { listed, isListed };
  return listAll(root, known, { ...rules, isTracked: null });
}

function toChanges(
  changed: readonly string[],
  removed: readonly string[],
  listed: ListedFolders,
  complete: boolean,
): Changes {
  const gone = new Set(removed);
  return {
    changed: [...changed.filter((path) => !gone.has(path)), ...listed.added].sort(),
    removed: [...gone].sort(),
    folders: listed.stamps(),
    complete,
  };
}

function among(files: ReadonlyMap<string, FileStamp>, paths: ReadonlySet<string>): Map<string, FileStamp> {
  const found = new Map<string, FileStamp>();
  for (const path of paths) {
    const stamp = files.get(path);
    if (stamp !== undefined) found.set(path, stamp);
  }
  return found;
}

function findChangedFiles(root: string, files: ReadonlyMap<string, FileStamp>, rules: ChangeRules) {
  const { hasTime, isTracked = null, disk = diskAt(root) } = rules;
  const changed: string[] = [];
  const removed: string[] = [];
  let seen = 0;
  for (const [path, { bytes, modifiedMs }] of files) {
    if (++seen % BATCH === 0 && !hasTime()) return { changed, removed, complete: false };
    if (isTracked !== null && modifiedMs !== UNSURE) continue;
    const stats = disk.lstat(path);
    if (stats === undefined || !stats.isFile()) removed.push(path);
    else if (stats.size !== bytes || stats.mtimeMs !== modifiedMs) changed.push(path);
  }
  return { changed, removed, complete: true };
}

/** Lists folders again, either all or only those whose listing changed. */
class ListedFolders {
  /** Files in the listed folders, and those among them that are not yet known. */
  readonly files = new Set<string>();
  readonly added = new Set<string>();
  /** Known files that their folder no longer contains. */
  readonly missing: string[] = [];
  readonly #times = new Map<string, number>();
  readonly #disk: Disk;
  readonly #known: Known;
  readonly #walker: Walker;
  readonly #hasTime: () => boolean;
  readonly #nowMs: number;

  constructor(
    root: string,
    known: Known,
    { isExcluded, hasTime, nowMs, disk = diskAt(root) }: ChangeRules,
    isAllowed?: (path: string) => boolean,
  ) {
    this.#disk = disk;
    this.#known = known;
    this.#walker = new Walker(root, { isExcluded, isAllowed, disk });
    this.#hasTime = hasTime;
    this.#nowMs = nowMs;
  }

  /** Lists all folders. Returns false if time ran out. */
  all(): boolean {
    return this.#walk("");
  }

  /** Lists the folders that changed; with `only`, at most those. Returns false if time ran out. */
  changed(only: ReadonlySet<string> | null): boolean {
    const { paths, modifiedMs } = this.#known.folders;
    const known = new Map(paths.map((path, at) => [path, modifiedMs[at]]));
    const again: string[] = [];
    for (const [path, before] of known) {
      if (only !== null && !only.has(path)) {
        this.#times.set(path, before ?? UNSURE);
        continue;
      }
      if (this.#isOther(path, before)) again.push(path);
    }
    const isKnown = (folder: string) => known.has(folder);
    for (const folder of only ?? []) {
      // Walking an outer new folder has listed the inner ones.
      if (!isKnown(folder) && !this.#times.has(folder) && !this.#walk(folder)) return false;
    }
    if (again.length === 0) return true;
    const filesOf = new Map<string, string[]>();
    for (const path of this.#known.files.keys()) pushTo(filesOf, path.slice(0, path.lastIndexOf("/") + 1), path);
    for (const folder of again) {
      if (!this.#hasTime()) return false;
      const { files, folders } = this.#walker.list(folder);
      this.#take(files);
      for (const path of filesOf.get(folder) ?? []) if (!this.files.has(path)) this.missing.push(path);
      for (const inner of folders) {
        if (!isKnown(inner) && !this.#walk(inner)) return false;
        // A known folder may have been deleted and recreated since; then its contents are not among the suspects.
        if (only !== null && isKnown(inner) && !only.has(inner) && this.#isOther(inner, known.get(inner)))
          again.push(inner);
      }
      if (only !== null) this.#dropGone(folder, new Set(folders));
    }
    return true;
  }

  /**
   * Records the current time of a folder; returns true if it may list other files than before. Two unsure times never
   * count as equal; the files of a deleted folder are detected as missing individually.
   */
  #isOther(folder: string, before: number | undefined): boolean {
    const time = this.#timeOf(folder);
    if (time === null) return false;
    this.#times.set(folder, time);
    return time === UNSURE || time !== before;
  }

  /**
   * Marks the files of deleted subfolders as missing. If only suspects are checked, nothing but the parent's listing
   * reveals them.
   */
  #dropGone(folder: string, inner: ReadonlySet<string>): void {
    const gone = [...this.#times.keys()].filter((path) => {
      const end = path.startsWith(folder) ? path.indexOf("/", folder.length) : -1;
      return end >= 0 && path.length > folder.length && !inner.has(path.slice(0, end + 1));
    });
    if (gone.length === 0) return;
    for (const path of gone) this.#times.delete(path);
    const isGone = new Set(gone);
    for (const path of this.#known.files.keys())
      if (isGone.has(path.slice(0, path.lastIndexOf("/") + 1))) this.missing.push(path);
  }

  stamps(): FolderStamps {
    const sensitive = new Set([...this.#known.folders.sensitive, ...this.#walker.sensitive]);
    return {
      paths: [...this.#times.keys()],
      modifiedMs: Float64Array.from(this.#times.values()),
      sensitive: [...sensitive],
    };
  }

  #walk(folder: string): boolean {
    if (!this.#hasTime()) return false;
    // Read the time before listing, so that files added during the listing do not count as seen.
    const time = this.#timeOf(folder);
    if (time !== null) this.#times.set(folder, time);
    const { files, folders } = this.#walker.list(folder);
    this.#take(files);
    return folders.every((inner) => this.#walk(inner));
  }

  #take(files: readonly string[]): void {
    for (const path of files) {
      this.files.add(path);
      if (!this.#known.files.has(path)) this.added.add(path);
    }
  }

  #timeOf(folder: string): number | null {
    const stats = this.#disk.lstat(folder);
    if (stats === undefined || !stats.isDirectory()) return null;
    return isUnsure(stats.mtimeMs, this.#nowMs) ? UNSURE : stats.mtimeMs;
  }
}
