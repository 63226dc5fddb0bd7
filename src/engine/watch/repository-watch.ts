import { lstatSync, statfsSync } from "node:fs";
import type { Changes, Suspects } from "../build/changes.ts";
import { isIgnoreFile } from "../build/walker.ts";
import type { FileStamp } from "../store/known-files.ts";
import { FolderWatches } from "./folder-watches.ts";
import { isRemoteSystem } from "./remote-systems.ts";

/** Number of folders whose watching starts before yielding to the event loop. */
const BATCH = 64;
/**
 * Maximum number of events since the last comparison; if there are more, everything is compared: the system queues
 * 16,384 for a busy reader, and silently drops any further ones.
 */
const MOST_EVENTS = 4_096;

/** State of a watch. */
export type WatchState =
  /** Nothing is watched yet. */
  | "idle"
  /** Watching of folders is being started, one batch after the other. */
  | "starting"
  /** All folders are watched; changes before that are not known. */
  | "unverified"
  /** All paths that may have changed since the last comparison are known. */
  | "ready"
  /** Watching is not possible, or has ended. */
  | "off";

/**
 * Tracks which files of one root may have changed since they were last compared with an index. Events are hints: each
 * path that they name is checked, and in case of doubt everything is compared. Contract: never throws.
 */
export class RepositoryWatch {
  readonly #root: string;
  readonly #watches: FolderWatches;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  /** Folders that were recreated: everything below them may have changed, and their watchers watch the old folders. */
  readonly #replaced = new Set<string>();
  /** Folders that got new watchers after they had been compared: everything below them is compared once more. */
  #trees: ReadonlySet<string> = new Set();
  /** Files that differed at the last comparison. They remain suspects until an index contains them. */
  #differing: readonly string[] = [];
  #state: WatchState = "idle";
  #events = 0;
  #rootId: string | null = null;

  constructor(root: string) {
    this.#root = root;
    this.#watches = new FolderWatches(root, {
      onChanged: (folder, name) => {
        this.#events++;
        this.#files.add(folder + name);
      },
      onListed: (folder, name) => {
        this.#events++;
        this.#folders.add(folder);
        if (name === null) this.#replaced.add(folder);
        else this.#files.add(folder + name);
        if (name !== null && this.#watches.has(`${folder}${name}/`)) this.#replaced.add(`${folder}${name}/`);
        // The last event of a deleted folder: a new folder of the same name needs a new watcher.
        if (name !== null && folder.endsWith(`/${name}/`)) this.#replaced.add(folder);
      },
      onBroken: () => this.#end("off"),
    });
  }

  get state(): WatchState {
    return this.#state;
  }

  /** Number of files that differed from the index at the last comparison. */
  get differing(): number {
    return this.#differing.length;
  }

  /** Paths that may differ from an index with these files; null if any may. */
  suspects(known: ReadonlyMap<string, FileStamp>): Suspects | null {
    if (this.#state === "off" || this.#state === "idle") return null;
    // The root was replaced, or events may have been lost: the watched folders may not be the current ones.
    if (this.#rootId !== idOf(this.#root) || this.#events > MOST_EVENTS) {
      this.#end("idle");
      return null;
    }
    if (this.#state === "ready" && [...this.#files].some(isIgnoreFile)) this.#state = "unverified";
    if (this.#state !== "ready") return null;
    const files = new Set([...this.#files, ...this.#differing]);
    const folders = new Set(this.#folders);
    // A file that is not in the index is found by listing its folder, which also applies the ignore rules.
    for (const path of this.#differing) if (!known.has(path)) folders.add(path.slice(0, path.lastIndexOf("/") + 1));
    const trees = [...this.#replaced, ...this.#trees];
    if (trees.length > 0) {
      const isBelow = (path: string) => trees.some((tree) => path.startsWith(tree));
      for (const path of known.keys()) if (isBelow(path)) files.add(path);
      for (const folder of this.#watches.folders) if (isBelow(folder)) folders.add(folder);
    }
    return { files, folders };
  }

  /** Records the result of a comparison; the first complete one starts watching. */
  compared(changes: Changes, { isWhole }: { readonly isWhole: boolean }): void {
    if (!changes.complete || this.#state === "off") return;
    this.#differing = [...changes.changed, ...changes.removed];
    if (this.#state === "idle") this.#begin(changes.folders.paths);
    if (this.#state !== "ready" && !(isWhole && this.#state === "unverified")) return;
    this.#forget();
    this.#state = "ready";
    this.#watchOnly(changes.folders.paths, { isWhole });
  }

  close(): void {
    this.#end("off");
  }

  #begin(folders: readonly string[]): void {
    this.#rootId = idOf(this.#root);
    if (this.#rootId === null || isRemote(this.#root)) {
      this.#end("off");
      return;
    }
    this.#state = "starting";
    let next = 0;
    const step = () => {
      if (this.#state !== "starting") return;
      for (const end = next + BATCH; next < Math.min(end, folders.length); next++)
        this.#watches.add(folders[next] ?? "");
      if (next < folders.length) setImmediate(step);
      else if (this.#state === "starting") this.#state = "unverified";
    };
    setImmediate(step);
  }

  /**
   * Watches the current folders. A folder that is watched only from now on is compared once more. A comparison of
   * suspects lists the folders that the index knows and those that it examined: any other folder stays watched as long
   * as it exists.
   */
  #watchOnly(folders: readonly string[], { isWhole }: { readonly isWhole: boolean }): void {
    const current = new Set(folders);
    const isLeft = (folder: string) => !current.has(folder) && (isWhole || idOf(`${this.#root}/${folder}`) === null);
    const isOld = (folder: string) => isLeft(folder) || [...this.#replaced].some((tree) => folder.startsWith(tree));
    for (const folder of [...this.#watches.folders]) if (isOld(folder)) this.#watches.remove(folder);
    this.#trees = new Set(this.#replaced);
    this.#replaced.clear();
    for (const folder of folders) {
      if (this.#watches.has(folder)) continue;
      this.#watches.add(folder);
      this.#folders.add(folder);
    }
  }

  #forget(): void {
    this.#files.clear();
    this.#folders.clear();
    this.#events = 0;
  }

  #end(state: "idle" | "off"): void {
    this.#state = state;
    this.#watches.close();
    this.#forget();
    this.#replaced.clear();
    this.#trees = new Set();
    this.#differing = [];
  }
}

/** Identifies a folder, so that its replacement by another one is detected; null if there is none. */
function idOf(folder: string): string | null {
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false, bigint: true });
    return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : null;
  } catch {
    // A parent folder was replaced by a file.
    return null;
  }
}

function isRemote(root: string): boolean {
  try {
    return isRemoteSystem(statfsSync(root).type);
  } catch {
    return true;
  }
}
