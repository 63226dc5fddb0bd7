import { dirname } from "node:path";
import { identityOf } from "../../base/file-facts.ts";
import { findDamage, markDamaged, openReader, readMark } from "./database.ts";
import { IndexStore } from "./index-store.ts";
import { makeRecordMemory, NO_MEMORY } from "./record-memory.ts";
import { StoredView } from "./stored-view.ts";

/** Opens indexes for reading. */
export interface IndexReaders {
  /**
   * Opens an index. Contract: null if there is none, or none that can be read. Until it is released, reads see one
   * consistent snapshot, regardless of writes; the first damage found is recorded next to the index.
   */
  readonly open: (file: string) => IndexStore | null;
  /** Why an existing index cannot be read; null if there is none or it is intact. */
  readonly damageOf: (file: string) => string | null;
  /** Returns a view of the state of an open store. Contract: throws `IndexDamage` if it cannot be read. */
  readonly viewOf: (store: IndexStore) => StoredView;
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
  viewOf: (store) => new StoredView(store, NO_MEMORY),
  release: (store) => store.close(),
};

interface KeptStore {
  readonly id: string;
  readonly store: IndexStore;
  /** Number of current users. */
  users: number;
  /** Cached view of the index, and the version from which it was read. */
  view: { readonly version: unknown; readonly view: StoredView } | null;
}

/** Maximum size of the cache per index, in bytes by rough estimate, besides the data that every query needs. */
const MEMORY_BYTES = 48_000_000;

/** Readers that can close an index on request. */
interface KeptReaders extends IndexReaders {
  /** Closes an index, unless it is in use. */
  readonly forget: (file: string) => void;
}

/**
 * Readers for a long-lived process: each index is opened once and shared. Contract: reads see what is on disk now, even
 * after the index was removed or rebuilt. (A closed connection keeps its files open until all of its statements have
 * been garbage-collected, so opening one per question would accumulate open files.)
 */
export function keepReaders(): KeptReaders {
  const kept = new Map<string, KeptStore>();
  const users = new Map<IndexStore, KeptStore>();
  const find = (file: string): KeptStore | null => {
    const id = identityOf(file);
    const known = kept.get(file);
    if (known?.id === id && known.store.damage === null && readMark(file) === null) return known;
    // Do not close a replaced index: others may still be reading it.
    kept.delete(file);
    const store = id === null ? null : openStore(file);
    if (store === null || id === null) return null;
    const opened: KeptStore = { id, store, users: 0, view: null };
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
    viewOf: (store) => {
      const own = users.get(store);
      if (own === undefined) return new StoredView(store, NO_MEMORY);
      const version = store.records.get("PRAGMA data_version")?.["data_version"];
      const kept = own.view;
      if (kept !== null && kept.version === version) return kept.view;
      const view = new StoredView(store, makeRecordMemory(MEMORY_BYTES));
      own.view = { version, view };
      return view;
    },
    release: (store) => {
      const own = users.get(store);
      if (own === undefined || --own.users > 0) return;
      store.database.exec("COMMIT");
      if (![...kept.values()].includes(own)) users.delete(store);
    },
    forget: (file) => {
      const own = kept.get(file);
      if (own === undefined || own.users > 0) return;
      kept.delete(file);
      users.delete(own.store);
      own.store.close();
    },
  };
}

function openStore(file: string): IndexStore | null {
  const database = openReader(file);
  if (database === null) return null;
  const id = identityOf(file);
  try {
    return IndexStore.over(database, dirname(file), (why) => {
      // Damage in an index that has been replaced says nothing about the new one.
      if (identityOf(file) === id) markDamaged(file, why);
    });
  } catch {
    // An index without its bases is unusable; the next builder creates a new one.
    database.close();
    return null;
  }
}
