import { type FSWatcher, watch } from "node:fs";
import { toCode } from "../../base/text.ts";

/** Events in watched folders. Paths are relative to the root; folder paths end with a slash. */
interface FolderEvents {
  /** The text of a file may have changed. */
  readonly onChanged: (folder: string, name: string) => void;
  /** An entry was created, deleted or replaced; without a name, this may apply to any entry of the folder. */
  readonly onListed: (folder: string, name: string | null) => void;
  /** Watching is no longer possible; events may have been missed. */
  readonly onBroken: () => void;
}

/**
 * Watches folders of one root, each separately: a recursive watch misses files in folders that are created meanwhile.
 */
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

  /**
   * Watches a folder. Contract: a folder that does not exist is skipped; any other error calls `onBroken`; never
   * throws.
   */
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
      if (!["ENOENT", "ENOTDIR"].includes(toCode(thrown))) this.#events.onBroken();
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
