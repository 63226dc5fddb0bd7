import { LIMITS, type Limit } from "../contract/limits.ts";
import type { Meaning } from "../engine/compare-meaning.ts";
import type { Coverage } from "../engine/repository.ts";

/** Where an answer comes from, in one word. */
export function toSource({ isIndexed }: Coverage): "index" | "live-scan" {
  return isIndexed ? "index" : "live-scan";
}

/** What an answer may have missed. */
export function sayCoverage({ wantsIndex, isIndexed, damage, files, unread, isChecked }: Coverage): Limit[] {
  if (!isIndexed) {
    const why = damage === null ? [] : [LIMITS.indexDamaged(damage)];
    if (unread > 0 || !isChecked) return [...why, LIMITS.scanPartial(files)];
    return wantsIndex ? [...why, LIMITS.notIndexed(files)] : [];
  }
  if (!isChecked) return [LIMITS.indexUnchecked()];
  return unread > 0 ? [LIMITS.indexStale(unread)] : [];
}

/** What a model did not get to compare. */
export function sayMeaning(meaning: Meaning | null): Limit[] {
  if (meaning === null || meaning.trouble === null) return [];
  return [LIMITS.embeddingsCut(meaning.trouble, meaning.compared, meaning.of)];
}
