import { HistoryStore } from "../store/history-store.ts";
import type { IndexStore } from "../store/index-store.ts";
import { knownFiles } from "../store/known-files.ts";
import { IndexDamage } from "../store/sealed.ts";

/**
 * Verifies every record of an index, except those of its bases, which are never written. Contract: throws if the
 * database or a record is damaged, or a record is missing.
 */
export function verifyIndex(store: IndexStore): void {
  const checked = store.records.get("PRAGMA quick_check(1)");
  const verdict = checked === undefined ? "" : String(Object.values(checked)[0]);
  if (verdict !== "ok") throw new IndexDamage(verdict.split("\n")[0] ?? "");
  store.state();
  const segments = store.segments().filter(({ isOfBase }) => !isOfBase);
  store.folders();
  store.links();
  store.code.asked.moved();
  store.code.asked.modules();
  store.verifySegments();
  for (const path of knownFiles(segments).keys()) store.checkFile(path);
  new HistoryStore(store.records).check();
}
