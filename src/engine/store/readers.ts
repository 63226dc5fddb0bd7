import { lstatSync } from "node:fs";
import { findDamage, markDamaged, openReader, readMark } from "./database.ts";
import { IndexStore } from "./index-store.ts";

/** How indexes are opened for reading. */
export interface IndexReaders {
  /**
   * Contract: null where there is none, or none that can be read. Until it is released, what is read is one state of the
   * index, whatever is written meanwhile; the first damage that is met is noted beside it.
   */
  readonly open: (file: string) => IndexStore | null;
  /** Why one that is there cannot be read; null where there is none, or nothing wrong with it. */
  readonly damageOf: (file: string) => string | null;
  /** To be called when it is no longer needed. */
  readonly release: (store: IndexStore) => void;
}

/** Readers for one run: each index is opened anew. */
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
  /** How many read it just now. */
  users: number;
}

/**
 * Readers for a process that stays: an index is opened once and read by all. Contract: what is read is what is on disk now,
 * also after the index was removed or built anew. (A closed connection keeps its files open until all of its statements
 * have been swept, so that opening one for each question would pile them up.)
 */
export function keepReaders(): IndexReaders {
  const kept = new Map<string, KeptStore>();
  const users = new Map<IndexStore, KeptStore>();
  const find = (file: string): KeptStore | null => {
    const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true });
    const id = `${stats?.dev}:${stats?.ino}`;
    const known = kept.get(file);
    if (known?.id === id && known.store.damage === null && readMark(file) === null) return known;
    // Of one that is gone others may still read.
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
