import type { KeyObject } from "node:crypto";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { type BaseList, FORMAT, type ListedBase, OTHER_KEY, signDocument } from "./documents.ts";
import { fetchList, type Source } from "./fetch-base.ts";
import { storeNames } from "./object-store.ts";

/** The predecessor of the first list. */
const NO_LIST: BaseList = { format: FORMAT, sequence: 0, bases: [] };

/**
 * Returns the newest list for a publisher that is about to write the next one, including a list whose publisher stopped
 * before announcing it. Of a list that is signed with a replaced key only the sequence is used: replacing a key revokes
 * all of its bases.
 */
export async function fetchNewest(source: Source, replaced: readonly string[] = []): Promise<Outcome<BaseList>> {
  const listed = await fetchList(source);
  if (listed.ok) return succeed(await takeUnannounced(listed.value?.list ?? NO_LIST, source));
  if (listed.fault.detail !== OTHER_KEY) return listed;
  if (replaced.length > 0) {
    const old = await fetchNewest({ ...source, keys: replaced });
    return old.ok ? succeed({ ...old.value, bases: [] }) : old;
  }
  return { ok: false, fault: { ...listed.fault, hint: "if the key was changed, name the old one with --replaces" } };
}

async function takeUnannounced(list: BaseList, source: Source): Promise<BaseList> {
  const { store, signal } = source;
  const next = await fetchList(source, storeNames.listAt(list.sequence + 1));
  if (!next.ok || next.value === null) return list;
  await store.put(storeNames.list, next.value.bytes, signal);
  return takeUnannounced(next.value.list, source);
}

/**
 * Publishes a list with these bases as the successor of `before`. Returns its sequence. Contract: readers see the old
 * list or the new one; of two concurrent writers one succeeds and the other fails.
 */
export async function announce(
  bases: readonly ListedBase[],
  before: BaseList,
  key: KeyObject,
  { store, signal }: Source,
): Promise<Outcome<number>> {
  const sequence = before.sequence + 1;
  const signed = signDocument({ format: FORMAT, sequence, bases }, key);
  const first = await store.putNew(storeNames.listAt(sequence), signed, signal);
  if (!first.ok) return first;
  if (!first.value)
    return fail(
      "E_TOOL_UNAVAILABLE",
      "another publisher was faster",
      "run the same command again: it takes that one into account",
    );
  const announced = await store.put(storeNames.list, signed, signal);
  return announced.ok ? succeed(sequence) : announced;
}
