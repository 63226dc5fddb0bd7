import type { KeyObject } from "node:crypto";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { type ListedBase, openManifest } from "./documents.ts";
import { MAX_MANIFEST_BYTES, type Source } from "./fetch-base.ts";
import { publicKeyOf } from "./keys.ts";
import { announce, fetchNewest } from "./newest-list.ts";
import { type ObjectStore, storeNames } from "./object-store.ts";

/** Input of `pruneStore`. */
interface PruneWork {
  readonly store: ObjectStore;
  readonly key: KeyObject;
  /** Number of newest bases to keep. */
  readonly keep: number;
  readonly signal: AbortSignal;
}

/** Result of `pruneStore`. */
interface Pruned {
  readonly kept: number;
  readonly removed: number;
  readonly objects: number;
}

/**
 * Removes all but the newest bases from a store, with the objects that only they use. Contract: the list is written
 * first, so that clients that read it find everything it names; removes nothing if it cannot be determined what is
 * still needed.
 */
export async function pruneStore({ store, key, keep, signal }: PruneWork): Promise<Outcome<Pruned>> {
  const keys = [publicKeyOf(key)];
  const source = { store, keys, signal };
  const listed = await fetchNewest(source);
  if (!listed.ok) return listed;
  const { bases } = listed.value;
  const [kept, dropped] = [bases.slice(0, keep), bases.slice(keep)];
  if (dropped.length === 0) return succeed({ kept: kept.length, removed: 0, objects: 0 });
  const needed = await listObjects(kept, source);
  if (!needed.ok) return needed;
  const old = await listObjects(dropped, source);
  if (!old.ok) return old;
  const announced = await announce(kept, listed.value, key, source);
  if (!announced.ok) return announced;
  let objects = 0;
  for (const sha256 of old.value) {
    if (needed.value.has(sha256)) continue;
    const removed = await store.remove(storeNames.object(sha256), signal);
    if (!removed.ok) return removed;
    objects++;
  }
  return succeed({ kept: kept.length, removed: dropped.length, objects });
}

/**
 * Names of all objects of these bases and of the bases below them. Contract: complete, or a fault; a manifest that no
 * longer exists contributes no objects.
 */
async function listObjects(
  bases: readonly ListedBase[],
  { store, keys, signal }: Source,
): Promise<Outcome<ReadonlySet<string>>> {
  const found = new Set<string>();
  for (const { manifest: first } of bases)
    for (let next: string | null = first; next !== null && !found.has(next); ) {
      found.add(next);
      const read = await store.get(storeNames.object(next), MAX_MANIFEST_BYTES, signal);
      if (!read.ok) return read;
      if (read.value === null) break;
      const manifest = openManifest(read.value, keys);
      if (typeof manifest === "string") return fail("E_PARSE", `the manifest of a base ${manifest}`);
      for (const { sha256 } of [...manifest.text.chunks, ...manifest.code.chunks]) found.add(sha256);
      next = manifest.below;
    }
  return succeed(found);
}
