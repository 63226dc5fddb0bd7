import { LIMITS, type Limit } from "../contract/limits.ts";
import type { Meaning } from "../engine/compare-meaning.ts";
import type { Coverage } from "../engine/repository.ts";

/** Name of the source of an answer. */
export function toSource({ isIndexed }: Coverage): "index" | "live-scan" {
  return isIndexed ? "index" : "live-scan";
}

/** Limits that say what an answer may have missed. */
export function sayCoverage({ wantsIndex, isIndexed, damage, files, unread, isChecked }: Coverage): Limit[] {
  if (!isIndexed) {
    const why = damage === null ? [] : [LIMITS.indexDamaged(damage)];
    if (unread > 0 || !isChecked) return [...why, LIMITS.scanPartial(files)];
    return wantsIndex ? [...why, LIMITS.notIndexed(files)] : [];
  }
  if (!isChecked) return [LIMITS.indexUnchecked()];
  return unread > 0 ? [LIMITS.indexStale(unread)] : [];
}

/** Limits that say what an embedding model did not get to compare. */
export function sayMeaning(meaning: Meaning | null): Limit[] {
  if (meaning === null || meaning.fault === null) return [];
  return [LIMITS.embeddingsCut(meaning.fault, meaning.compared, meaning.of)];
}
