import { statSync } from "node:fs";
import { openReader } from "./database.ts";
import { IndexStore } from "./index-store.ts";

/** How indexes are opened for reading. */
export interface IndexReaders {
  /** Contract: null where there is none, or none that can be read. */
  readonly open: (file: string) => IndexStore | null;
  /** To be called when it is no longer needed. */
  readonly release: (store: IndexStore) => void;
}

/** Readers for one run: each index is opened anew. */
export const NEW_READERS: IndexReaders = {
  open: openStore,
  release: (store) => store.database.close(),
};

/**
 * Readers for a process that stays: an index is opened once and read by all. Contract: what is read is what is on disk now,
 * also after the index was removed or built anew. (A closed connection keeps its files open until all of its statements
 * have been swept, so that opening one for each question would pile them up.)
 */
export function keepReaders(): IndexReaders {
  const kept = new Map<string, { readonly id: string; readonly store: IndexStore }>();
  return {
    open: (file) => {
      const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
      const id = `${stats?.dev}:${stats?.ino}`;
      const known = kept.get(file);
      if (known?.id === id) return known.store;
      // Of one that is gone others may still read.
      kept.delete(file);
      const store = stats === undefined ? null : openStore(file);
      if (store !== null) kept.set(file, { id, store });
      return store;
    },
    release: () => {},
  };
}

function openStore(file: string): IndexStore | null {
  const database = openReader(file);
  return database === null ? null : new IndexStore(database);
}
