import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DAY_MS } from "../../base/duration.ts";
import { claimOwn } from "../../base/file-lock.ts";
import { listWorkTrees } from "../history/git-folder.ts";
import { BASE_FILES, baseFolder, basesFolder } from "../store/bases.ts";
import { findObstacle, INDEX_FILES, isSealed, openReader, openWriter } from "../store/database.ts";
import { type FolderStamps, type IndexState, IndexStore } from "../store/index-store.ts";
import { replaceTop } from "./replace-top.ts";
import { verifyIndex } from "./verify-index.ts";

/**
 * Returns bases for a new index: those of another work tree of the same repository. `folderOf` returns the folder of
 * the index of a root. Contract: never throws.
 */
export async function findSharedBases(
  root: string,
  folderOf: (root: string) => string | null,
  nowMs: number,
): Promise<readonly string[]> {
  const own = folderOf(root);
  if (own !== null) dropUnusedBases(own, nowMs);
  for (const other of listWorkTrees(root)) {
    const folder = folderOf(other);
    const bases = folder === null ? [] : await shareAsBase(folder, other);
    if (bases.length > 0) return bases;
  }
  return [];
}

/**
 * Turns the index of another work tree into a base, so that the index of this one can be laid over it too. Returns the
 * names of the bases of that index, newest first; none if it is incomplete, damaged or being built. Contract: that work
 * tree keeps a complete index; if the process is killed, it has a complete index or none, and its next builder makes up
 * for that.
 */
export async function shareAsBase(folder: string, root: string): Promise<readonly string[]> {
  const file = join(folder, INDEX_FILES.database);
  if (!existsSync(file) || findObstacle(file) !== null) return [];
  try {
    const claimed = claimOwn(join(folder, INDEX_FILES.lock));
    try {
      return claimed === null ? [] : await shareIn(folder, file, root);
    } finally {
      claimed?.release();
    }
  } catch {
    // Any problem with that index is left to its own builder.
    return [];
  }
}

async function shareIn(folder: string, file: string, root: string): Promise<readonly string[]> {
  const name = `local-${randomBytes(8).toString("hex")}`;
  const base = baseFolder(folder, name);
  const place = join(base, BASE_FILES.whole);
  const moved = moveIndex(folder, file, root, place);
  if ("bases" in moved) return moved.bases;
  const { times, folders, state, isHandedOver } = moved;
  try {
    const settle = async (over: IndexStore) => over.settleBases(times, folders, state);
    await replaceTop({ file, bases: [name], history: place, isHandedOver, settle });
    return [name];
  } catch (thrown) {
    rmSync(base, { recursive: true, force: true });
    throw thrown;
  }
}

/** An index that is already shared or cannot be: the bases to use. */
interface SharedIndex {
  readonly bases: readonly string[];
}

/** The local part of an index that has become a base. */
interface MovedIndex {
  readonly times: readonly Float64Array[];
  readonly folders: FolderStamps;
  readonly state: IndexState;
  /** True if the base is the file of the index itself (a hard link), false if it is a copy. */
  readonly isHandedOver: boolean;
}

/**
 * Puts a complete index at the path of a base. Returns its local part, or the bases that can be used instead. Contract:
 * the index is closed afterwards: the last process to close it removes its journals by name, which must not be those of
 * another index by then.
 */
function moveIndex(folder: string, file: string, root: string, place: string): MovedIndex | SharedIndex {
  const store = IndexStore.over(openWriter(file), folder);
  try {
    if (!isSealed(file)) verifyIndex(store);
    const state = store.state();
    if (state?.root !== root || state.phase !== "done") return { bases: [] };
    if (store.bases.length > 0) return { bases: store.bases };
    const times = store.segments().map(({ catalogue: { stats } }) => stats.filter((_, at) => at % 2 === 1));
    const folders = store.folders();
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    const isHandedOver = moveInto(place, store, file);
    return { times, folders, state, isHandedOver };
  } catch (thrown) {
    rmSync(dirname(place), { recursive: true, force: true });
    throw thrown;
  } finally {
    store.close();
  }
}

/** Age at which a base that no index refers to is removed; a younger one may still be under construction. */
const UNUSED_MS = DAY_MS;

/** Removes bases that no index is laid over any more. Contract: never throws. */
function dropUnusedBases(indexFolder: string, nowMs: number): void {
  try {
    const bases = basesFolder(indexFolder);
    const old = readdirSync(bases).filter((name) => nowMs - statSync(join(bases, name)).mtimeMs > UNUSED_MS);
    if (old.length === 0) return;
    const indexes = readdirSync(dirname(indexFolder)).map((name) => join(dirname(indexFolder), name));
    const used = new Set(indexes.flatMap(namesIn));
    for (const name of old) if (!used.has(name)) rmSync(join(bases, name), { recursive: true, force: true });
  } catch {
    // There are no bases, or it is unknown which are in use.
  }
}

/** Names of the bases of an index. Contract: throws if they cannot be read, unless there is no index. */
function namesIn(folder: string): readonly string[] {
  const file = join(folder, INDEX_FILES.database);
  if (!existsSync(file)) return [];
  const database = openReader(file);
  if (database === null) throw new Error("an index cannot be read");
  const store = new IndexStore(database);
  try {
    return store.baseNames();
  } finally {
    store.close();
  }
}

/**
 * Puts a database at the path of a base. Returns true if it is the same file (hard-linked), which requires that nobody
 * else has it open; otherwise it is a copy.
 */
function moveInto(place: string, { database }: IndexStore, file: string): boolean {
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
    linkSync(file, place);
    return true;
  } catch {
    database.prepare("VACUUM INTO ?").run(place);
    return false;
  }
}
