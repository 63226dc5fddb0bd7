import { lstatSync, statfsSync } from "node:fs";
import type { Changes, FileStamp, Suspects } from "../build/changes.ts";
import { isIgnoreFile } from "../build/walker.ts";
import { FolderWatches } from "./folder-watches.ts";
import { isRemoteSystem } from "./remote-systems.ts";

/** Folders that are begun to be watched between two looks at the event loop. */
const BATCH = 64;
/**
 * More events than this since the last comparison, and everything is compared: the system keeps 16,384 for a reader that
 * is busy, and drops what comes after without a word.
 */
const MOST_EVENTS = 4_096;

/** How far a watch is. */
export type WatchState =
  /** Nothing is watched yet. */
  | "idle"
  /** Folders are being watched, one batch after the other. */
  | "starting"
  /** All folders are watched; what changed before that is not known. */
  | "unverified"
  /** Everything that can differ from the last comparison is known. */
  | "ready"
  /** Watching is not possible here. */
  | "off";

/**
 * Knows which files of one root may have changed since they were last compared with an index. Events are hints: each
 * path they name is looked at, and whatever is doubtful means comparing everything. Contract: never throws.
 */
export class RepositoryWatch {
  readonly #root: string;
  readonly #watches: FolderWatches;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  /** Folders that were made anew: everything below them may be other, and what watches them watches the old ones. */
  readonly #replaced = new Set<string>();
  /** Folders that were watched again after they had been compared: everything below them is compared once more. */
  #trees: ReadonlySet<string> = new Set();
  /** Files that differed at the last comparison. They stay suspects until an index has them. */
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
        // The last that is heard of a folder that is gone: another one of its name has to be watched anew.
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
    // Another folder is there now, or events may be lost: what is watched may not be what is there.
    if (this.#rootId !== idOf(this.#root) || this.#events > MOST_EVENTS) {
      this.#end("idle");
      return null;
    }
    if (this.#state === "ready" && [...this.#files].some(isIgnoreFile)) this.#state = "unverified";
    if (this.#state !== "ready") return null;
    const files = new Set([...this.#files, ...this.#differing]);
    const folders = new Set(this.#folders);
    // A file that no index has is found by listing its folder, which also says whether it is to be left out.
    for (const path of this.#differing) if (!known.has(path)) folders.add(path.slice(0, path.lastIndexOf("/") + 1));
    const trees = [...this.#replaced, ...this.#trees];
    if (trees.length > 0) {
      const isBelow = (path: string) => trees.some((tree) => path.startsWith(tree));
      for (const path of known.keys()) if (isBelow(path)) files.add(path);
      for (const folder of this.#watches.folders) if (isBelow(folder)) folders.add(folder);
    }
    return { files, folders };
  }

  /** Takes over what a comparison found; the first complete one begins to watch. */
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
   * Watches the folders there are now. What is watched only from here on is compared once more. A comparison of suspects
   * names the folders that the index knows and those it looked into: any other folder stays watched as long as it is there.
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

/** What tells a folder from another one in its place; null where there is none. */
function idOf(folder: string): string | null {
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false, bigint: true });
    return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : null;
  } catch {
    // A file where a folder above it was.
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
