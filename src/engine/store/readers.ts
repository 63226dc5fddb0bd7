import { lstatSync } from "node:fs";
import { findDamage, markDamaged, openReader, readMark } from "./database.ts";
import { IndexStore } from "./index-store.ts";

/** Opens indexes for reading. */
export interface IndexReaders {
  /**
   * Opens an index. Contract: null if there is none, or none that can be read. Until it is released, reads see one
   * consistent snapshot, whatever is written meanwhile; the first damage found is recorded next to the index.
   */
  readonly open: (file: string) => IndexStore | null;
  /** Why an existing index cannot be read; null if there is none or it is intact. */
  readonly damageOf: (file: string) => string | null;
  /** Must be called when the store is no longer needed. */
  readonly release: (store: IndexStore) => void;
}

/** Readers for a short-lived process: each index is opened anew. */
export const NEW_READERS: IndexReaders = {
  open: (file) => {
    const store = openStore(file);
    store?.database.exec("BEGIN");
    return store;
  },
  damageOf: findDamage,
  release: (store) => store.database.close(),
};

interface KeptStore {
  readonly id: string;
  readonly store: IndexStore;
  /** Number of current users. */
  users: number;
}

/**
 * Readers for a long-lived process: each index is opened once and shared. Contract: reads see what is on disk now, even
 * after the index was removed or rebuilt. (A closed connection keeps its files open until all of its statements have
 * been garbage-collected, so opening one per question would accumulate open files.)
 */
export function keepReaders(): IndexReaders {
  const kept = new Map<string, KeptStore>();
  const users = new Map<IndexStore, KeptStore>();
  const find = (file: string): KeptStore | null => {
    const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true });
    const id = `${stats?.dev}:${stats?.ino}`;
    const known = kept.get(file);
    if (known?.id === id && known.store.damage === null && readMark(file) === null) return known;
    // Do not close a replaced index: others may still be reading it.
    kept.delete(file);
    const store = stats === undefined ? null : openStore(file);
    if (store === null) return null;
    const opened = { id, store, users: 0 };
    kept.set(file, opened);
    users.set(store, opened);
    return opened;
  };
  return {
    open: (file) => {
      const found = find(file);
      if (found === null) return null;
      if (found.users++ === 0) found.store.database.exec("BEGIN");
      return found.store;
    },
    damageOf: findDamage,
    release: (store) => {
      const own = users.get(store);
      if (own === undefined || --own.users > 0) return;
      store.database.exec("COMMIT");
      if (![...kept.values()].includes(own)) users.delete(store);
    },
  };
}

function openStore(file: string): IndexStore | null {
  const database = openReader(file);
  if (database === null) return null;
  const store = new IndexStore(database);
  store.records.onDamage((why) => markDamaged(file, why));
  return store;
}
