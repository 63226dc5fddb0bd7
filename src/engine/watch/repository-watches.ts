import type { Clock } from "../../base/clock.ts";
import { excludeNothing } from "../../base/exclusions.ts";
import type { Suspects } from "../build/changes.ts";
import { type Comparison, compareWithDisk, type OpenBudget } from "../repository.ts";
import type { IndexStore } from "../store/index-store.ts";
import type { FileStamp } from "../store/known-files.ts";
import type { StoredView } from "../store/stored-view.ts";
import { RepositoryWatch, type WatchState } from "./repository-watch.ts";

/** Watches the repositories about which a long-lived process is queried. */
export interface RepositoryWatches {
  /**
   * Compares an index with the files on disk, as `compareWithDisk` does, but checks only what may have changed.
   * Contract: throws `IndexDamage` if the index is damaged.
   */
  readonly compare: (root: string, stored: StoredView, budget: OpenBudget) => Omit<Comparison, "damage">;
  /** State of the watch of a root. `unverified`: changes before it was watched are not known yet. */
  readonly stateOf: (root: string) => WatchState;
  /** Number of files that the index had at the last comparison, and of those that differed from it. */
  readonly countsOf: (root: string) => { readonly files: number; readonly differing: number };
  /** Paths of a root that may differ from an index with these files; null if any may. */
  readonly suspectsOf: (root: string, known: ReadonlyMap<string, FileStamp>) => Suspects | null;
  /** Stops watching a root. */
  readonly release: (root: string) => void;
}

interface Watched {
  readonly watch: RepositoryWatch;
  readonly store: IndexStore;
  readonly files: number;
}

/** Creates watches. Contract: a root is not watched before its first comparison. */
export function makeRepositoryWatches(clock: Clock): RepositoryWatches {
  const watches = new Map<string, Watched>();
  const release = (root: string) => {
    watches.get(root)?.watch.close();
    watches.delete(root);
  };
  return {
    compare: (root, stored, budget) => {
      // An index that was started from scratch lacks files that no event will name.
      const known = watches.get(root);
      if (known !== undefined && known.store !== stored.store) release(root);
      const { watch } = watches.get(root) ?? { watch: new RepositoryWatch(root) };
      watches.set(root, { watch, store: stored.store, files: stored.files.size });
      const suspects = watch.suspects(stored.files);
      // Exclusions of a query are applied afterwards: the next query may exclude something else.
      const whole = compareWithDisk(root, stored, clock, { ...budget, isExcluded: excludeNothing }, suspects);
      watch.compared(whole.changes, { isWhole: suspects === null });
      const { changed } = whole.changes;
      return { stored, changes: { ...whole.changes, changed: changed.filter((path) => !budget.isExcluded(path)) } };
    },
    stateOf: (root) => watches.get(root)?.watch.state ?? "idle",
    countsOf: (root) => {
      const known = watches.get(root);
      return { files: known?.files ?? 0, differing: known?.watch.differing ?? 0 };
    },
    suspectsOf: (root, known) => watches.get(root)?.watch.suspects(known) ?? null,
    release,
  };
}
