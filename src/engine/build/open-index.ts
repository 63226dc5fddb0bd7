import { dirname, join } from "node:path";
import { isBusy, sayDatabaseError } from "../../base/sqlite.ts";
import { BASE_FILES, baseFolder } from "../store/bases.ts";
import {
  findObstacle,
  INDEX_FILES,
  isSealed,
  markDamaged,
  OTHER_VERSION,
  openWriter,
  removeIndex,
} from "../store/database.ts";
import { IndexStore } from "../store/index-store.ts";
import { knownFiles } from "../store/known-files.ts";
import { isForeign } from "../store/layers.ts";
import { isDamage } from "../store/records.ts";
import type { Attached } from "./attach-bases.ts";
import { replaceTop } from "./replace-top.ts";
import { verifyIndex } from "./verify-index.ts";

/** An existing index. */
export interface CurrentIndex {
  /** Names of its bases, newest first. */
  readonly bases: readonly string[];
  /** Counts all its files, and those of its own layer. */
  readonly count: () => { readonly files: number; readonly own: number };
}

/** Input of `openForBuilding`. */
interface OpenWork {
  readonly file: string;
  readonly root: string;
  readonly findBases: FindBases;
  /** Compares the bases of an index with the files; returns null if it was stopped. */
  readonly attach: (store: IndexStore) => Promise<Attached | null>;
}

/**
 * Returns the names of the bases that an index is to be laid over, newest first; null to leave a current index as it
 * is.
 */
export type FindBases = (current: CurrentIndex | null) => Promise<readonly string[] | null>;

/** An index opened for writing, and what was wrong with the previous one, if it was damaged. */
export interface OpenedStore {
  readonly store: IndexStore;
  readonly mended: string | null;
  /** What the index got from its bases, if an existing index was laid over other ones. */
  readonly attached: Attached | null;
}

/**
 * Opens an index for writing. An index that is damaged, of another version or of another root is discarded. One that
 * was modified since the last builder left it is verified first.
 */
export async function openForBuilding({ file, root, findBases, attach }: OpenWork): Promise<OpenedStore> {
  let mended = findObstacle(file);
  let opened: { readonly store: IndexStore; readonly isNew: boolean } | null = null;
  if (mended === null) {
    try {
      const database = openWriter(file);
      let store: IndexStore | null = null;
      try {
        store = IndexStore.over(database, dirname(file));
        if (!isSealed(file)) verifyIndex(store);
        const state = store.state();
        if (state === null || state.root === root) opened = { store, isNew: state === null };
        else store.close();
      } catch (thrown) {
        mended = sayDatabaseError(thrown);
        (store ?? database).close();
      }
    } catch (thrown) {
      // Another process has it open for writing; it is not damaged.
      if (isBusy(thrown)) throw thrown;
      const why = sayDatabaseError(thrown);
      mended = why === OTHER_VERSION ? why : `${INDEX_FILES.database}: ${why}`;
    }
  }
  if (opened !== null) {
    const { store, isNew } = opened;
    const bases = await findBases(isNew ? null : describe(store));
    if (bases === null || isSameList(bases, store.bases)) return { store, mended, attached: null };
    if (isNew) return { store: layOver(store, file, bases), mended, attached: null };
    store.close();
    if (bases.length > 0) return { ...(await layAnew(file, bases, attach)), mended };
  }
  removeIndex(file);
  return { store: layOver(newStore(file), file, (await findBases(null)) ?? []), mended, attached: null };
}

/** Lays an existing index over other bases; if that fails, the index stays as it is. */
async function layAnew(file: string, bases: readonly string[], attach: OpenWork["attach"]) {
  const folder = dirname(file);
  let attached: Attached | null = null;
  try {
    await replaceTop({
      file,
      bases,
      history: file,
      isHandedOver: false,
      settle: async (store) => {
        attached = await attach(store);
      },
    });
  } catch (thrown) {
    // Any other error, such as a full disk, is not the fault of a base.
    if (isDamage(thrown)) putAside(folder, bases, sayDatabaseError(thrown));
  }
  return { store: IndexStore.over(openWriter(file), folder), attached };
}

/** Marks bases from elsewhere as damaged, so that they are no longer used. */
export function putAside(indexFolder: string, bases: readonly string[], why: string): void {
  for (const name of bases.filter(isForeign)) markDamaged(join(baseFolder(indexFolder, name), BASE_FILES.text), why);
}

function describe(store: IndexStore): CurrentIndex {
  const count = () => {
    const segments = store.segments();
    const own = segments.filter(({ isOfBase }) => !isOfBase);
    return { files: knownFiles(segments).size, own: knownFiles(own).size };
  };
  return { bases: store.bases, count };
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

/** Lays a new index over bases, if there are any that can be read. */
function layOver(store: IndexStore, file: string, bases: readonly string[]): IndexStore {
  if (bases.length === 0) return store;
  store.setBases(bases);
  try {
    return IndexStore.over(store.database, dirname(file));
  } catch {
    store.close();
    removeIndex(file);
    return newStore(file);
  }
}

/** Creates an empty index. */
export function newStore(file: string): IndexStore {
  return new IndexStore(openWriter(file));
}
