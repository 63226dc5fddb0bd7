import { type FSWatcher, watch } from "node:fs";

/** What happens in watched folders. Paths are relative to the root; folder paths end with a slash. */
export interface FolderEvents {
  /** A file may have other text now. */
  readonly onChanged: (folder: string, name: string) => void;
  /** An entry came, went or was replaced; without a name, anything in the folder may have. */
  readonly onListed: (folder: string, name: string | null) => void;
  /** Watching is not possible any more; what happened meanwhile is not known. */
  readonly onBroken: () => void;
}

/** Watches folders of one root, each by itself: a recursive watch loses files in folders that are made meanwhile. */
export class FolderWatches {
  readonly #root: string;
  readonly #events: FolderEvents;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(root: string, events: FolderEvents) {
    this.#root = root;
    this.#events = events;
  }

  has(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  get folders(): Iterable<string> {
    return this.#watchers.keys();
  }

  get size(): number {
    return this.#watchers.size;
  }

  /** Watches a folder. Contract: one that is gone is left out; any other trouble is `onBroken`. Never throws. */
  add(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(`${this.#root}/${folder}`, { persistent: false });
      this.#watchers.set(folder, watcher);
      watcher.on("change", (type, name) => {
        if (type === "change" && name !== null) this.#events.onChanged(folder, String(name));
        else this.#events.onListed(folder, name === null ? null : String(name));
      });
      watcher.on("error", () => this.#events.onBroken());
    } catch (thrown) {
      if (!isGone(thrown)) this.#events.onBroken();
    }
  }

  remove(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}

function isGone(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR");
}
