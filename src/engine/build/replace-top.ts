import { dirname } from "node:path";
import type { Database } from "../../base/sqlite.ts";
import { openWriter, removeDatabase, sealIndex } from "../store/database.ts";
import { IndexStore } from "../store/index-store.ts";
import { replaceContents, replaceFileOf } from "../store/replace-index.ts";

/** Input of `replaceTop`. */
interface TopWork {
  /** The index to replace; it stays in place until the new one is complete. */
  readonly file: string;
  /** Names of the new index's bases, newest first. */
  readonly bases: readonly string[];
  /** Database from which the history is copied. */
  readonly history: string;
  /** True if the file of the old index has become a base. */
  readonly isHandedOver: boolean;
  /** Compares the bases with the files. */
  readonly settle: (store: IndexStore) => Promise<unknown>;
}

/**
 * Replaces an index with one that is laid over bases and contains nothing of its own but the history. Returns false if
 * it was stopped. Contract: readers see the old index until the new one is complete; if anything throws, the error
 * is rethrown and the old index stays.
 */
export async function replaceTop({ file, bases, history, isHandedOver, settle }: TopWork): Promise<boolean> {
  const next = `${file}.new`;
  removeDatabase(next);
  const database = openWriter(next);
  let store: IndexStore | null = null;
  let isSettled = false;
  try {
    new IndexStore(database).setBases(bases);
    copyHistory(database, history);
    store = IndexStore.over(database, dirname(file));
    await settle(store);
    // Nothing may remain in the WAL: it is not renamed along with the database.
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    isSettled = !store.isUnsettled;
  } finally {
    (store ?? database).close();
    if (!isSettled) removeDatabase(next);
  }
  if (!isSettled) return false;
  if (isHandedOver) replaceFileOf(next, file);
  else replaceContents(next, file);
  sealIndex(file);
  return true;
}

function copyHistory(database: Database, from: string): void {
  database.prepare("ATTACH ? AS old").run(from);
  database.exec(
    "INSERT INTO history SELECT * FROM old.history; INSERT INTO meta SELECT * FROM old.meta WHERE key = 'history'",
  );
  database.exec("DETACH old");
}
