import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { INDEX_FILES, openReader } from "../engine/store/database.ts";
import { IndexStore } from "../engine/store/index-store.ts";
import { knownFiles } from "../engine/store/known-files.ts";
import { isForeign } from "../engine/store/layers.ts";
import { readAsked } from "./base-status.ts";
import type { BaseState } from "./bring-base.ts";
import { findJoin } from "./find-join.ts";

/** State of a repository's connection to its store. */
interface BaseStatus {
  readonly joined: boolean;
  readonly store: string | null;
  /** The trusted public keys, separated by commas. */
  readonly key: string | null;
  readonly attached: {
    readonly commit: string;
    readonly sequence: number;
    readonly files_over: number;
    /** Seconds since the base was made. */
    readonly age_s: number;
  } | null;
  readonly state: BaseState;
  /** A sentence; empty if everything is in order. */
  readonly reason: string;
}

/**
 * Describes a repository's connection to its store; `folder` is where its index lies. Contract: makes no request to the
 * store; never throws.
 */
export function describeBase(env: Environment, root: string, folder: string | null): BaseStatus {
  const { join: joined, damage } = findJoin(env, root);
  if (joined === null) return { joined: false, store: null, key: null, attached: null, state: "none", reason: damage };
  const said = { joined: true, store: joined.store, key: joined.keys.join(",") };
  const asked = folder === null ? null : readAsked(folder);
  const over = folder === null ? null : countOver(folder);
  if (asked === null) return { ...said, attached: null, state: "waiting", reason: NOT_ASKED };
  const nowMs = systemClock.nowMs();
  const { state, reason, laid } = asked;
  const attached =
    over === null || laid === null
      ? null
      : {
          commit: laid.commit,
          sequence: laid.sequence,
          files_over: over,
          age_s: Math.max(0, Math.round((nowMs - laid.madeMs) / 1_000)),
        };
  if (state === "attached" && attached === null) return { ...said, attached, state: "waiting", reason: NOT_LAID };
  const isEnded = state === "downloading" && nowMs - asked.atMs > ENDED_MS;
  return { ...said, attached, ...(isEnded ? { state: "waiting", reason: ENDED } : { state, reason }) };
}

const NOT_ASKED = 'the store was not asked yet; "groundwork index" does';
const NOT_LAID = 'the base is here, but the index does not use it yet; run "groundwork index"';
const ENDED = "a download was ended; the next build goes on with it";
/** A download that has not reported for this long counts as ended. */
const ENDED_MS = 60_000;

/** Number of files that an index holds on top of a foreign base; null if it has no such base. */
function countOver(folder: string): number | null {
  const database = openReader(join(folder, INDEX_FILES.database));
  if (database === null) return null;
  try {
    const store = IndexStore.over(database, folder);
    try {
      if (!store.bases.some(isForeign)) return null;
      return knownFiles(store.segments().filter(({ isOfBase }) => !isOfBase)).size;
    } finally {
      store.close();
    }
  } catch {
    return null;
  }
}
