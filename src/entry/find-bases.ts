import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { once } from "../base/once.ts";
import type { Join } from "../config/join-book.ts";
import { findHome } from "../config/places.ts";
import type { CurrentIndex, FindBases } from "../engine/build/open-index.ts";
import { findSharedBases } from "../engine/build/share-index.ts";
import { openGitObjects } from "../engine/history/git-objects.ts";
import { basesFolder } from "../engine/store/bases.ts";
import { INDEX_VERSION } from "../engine/store/database.ts";
import { isForeign } from "../engine/store/layers.ts";
import { changeJoins } from "../install/record-join.ts";
import { type AskedStore, readAsked, writeAsked } from "../team/base-status.ts";
import { bringBase } from "../team/bring-base.ts";
import type { Reads } from "../team/fetch-base.ts";
import { findJoin } from "../team/find-join.ts";
import { openObjectStore } from "../team/open-store.ts";
import { historySettings, indexFolderOf } from "./engine.ts";
import { projectRoot } from "./process.ts";

/** Minimum interval between requests to a store while questions keep an index up to date. */
const ASK_MS = 10 * 60_000;
/** Interval at which the progress of a download is recorded. */
const TELL_MS = 5_000;
/** An index with no more own files than this, or than `FEW_SHARE` of all files, stays on its current base. */
const FEW_FILES = 200;
const FEW_SHARE = 0.02;

/** Input of `makeBaseFinder`. */
interface FinderWork {
  readonly root: string;
  readonly env: Environment;
  /** Folder of the index. */
  readonly folder: string;
  /** True if a user waits for the result: the store is then asked at once. */
  readonly isAsked: boolean;
  readonly signal: AbortSignal;
  /** Called with the number of bytes received and the total. */
  readonly onBytes: (done: number, total: number) => void;
}

/**
 * Makes the function that chooses the bases of an index: those of the store that the user has joined, otherwise those
 * of another work tree. Bases are downloaded nowhere else.
 */
export function makeBaseFinder(work: FinderWork): FindBases {
  const { root, env } = work;
  return async (current) => {
    const { join: joined } = findJoin(env, root);
    if (joined !== null) {
      const names = await askStore(work, joined, current);
      if (names !== undefined) return names;
    } else if (current?.bases.some(isForeign) === true) return [];
    if (current !== null) return null;
    const shared = await findSharedBases(root, (other) => indexFolderOf(env, other), systemClock.nowMs());
    // Another work tree may still use bases from a store that the user has left.
    return joined === null && shared.some(isForeign) ? [] : shared;
  };
}

/** The bases of a store; null to leave the index as it is, undefined if the store provides none. */
async function askStore(
  { root, env, folder, isAsked, signal, onBytes }: FinderWork,
  joined: Join,
  current: CurrentIndex | null,
): Promise<readonly string[] | null | undefined> {
  const last = readAsked(folder);
  const isAttached = current?.bases.some(isForeign) === true;
  if (!isAsked && last !== null && isRecent(last) && (isAttached || last.state !== "attached")) return undefined;
  const tell = (asked: Pick<AskedStore, "state" | "reason"> & Partial<AskedStore>) =>
    writeAsked(folder, { laid: last?.laid ?? null, ...asked, atMs: systemClock.nowMs() });
  let toldMs = Number.NEGATIVE_INFINITY;
  const { state, reason, base } = await bringBase({
    git: openGitObjects(root, historySettings(env), signal),
    join: joined,
    store: openObjectStore(joined.store, env["GROUNDWORK_BASE_TOKEN"] ?? null),
    reads: getReads(),
    folder: basesFolder(folder),
    signal,
    isWanted: () => !isAttached || current === null || isFar(current),
    onBytes: (done, total) => {
      const nowMs = systemClock.monotonicMs();
      if (nowMs - toldMs > TELL_MS) {
        tell({ state: "downloading", reason: "" });
        toldMs = nowMs;
      }
      onBytes(done, total);
    },
    onSequence: (sequence) => recordSequence(env, joined, sequence),
  });
  if (base === null) {
    tell({ state, reason });
    return state === "attached" ? null : undefined;
  }
  const { names, ...laid } = base;
  tell({ state, reason, laid });
  return names;
}

/** True if the store was asked recently. An interrupted download is not recent, so that it resumes at once. */
function isRecent({ state, atMs }: AskedStore): boolean {
  const ageMs = systemClock.nowMs() - atMs;
  return state !== "downloading" && ageMs >= 0 && ageMs < ASK_MS;
}

function isFar(current: CurrentIndex): boolean {
  const { files, own } = current.count();
  return own > Math.max(FEW_FILES, files * FEW_SHARE);
}

function recordSequence(env: Environment, joined: Join, sequence: number): void {
  const home = findHome(env);
  if (home === null || sequence <= joined.highest) return;
  changeJoins(home, (joins) =>
    joins.map((one) =>
      one.repository === joined.repository ? { ...one, highest: Math.max(one.highest, sequence) } : one,
    ),
  );
}

/** The index schema and grammars that this program can read. */
export const getReads = once((): Reads => {
  const folder = join(projectRoot, "dist", "grammars");
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return { schema: INDEX_VERSION, grammars: hash.digest("hex") };
});
