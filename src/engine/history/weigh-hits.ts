import { join } from "node:path";
import { readInside } from "../../base/jail.ts";
import type { Hit } from "../search/answer.ts";
import { RECENCY } from "../search/weights.ts";
import { weighFreshness } from "./freshness.ts";
import type { History } from "./read-history.ts";

const MAX_BYTES = 512 * 1024;

/** Moves hits in recently changed files up. Contract: the same hits in another order, with the reason explained. */
export async function weighHits(root: string, hits: readonly Hit[], history: History, nowMs: number): Promise<Hit[]> {
  const files = hits.flatMap(({ file }) => {
    const read = readInside(root, join(root, file), MAX_BYTES);
    return read.ok && read.value.text !== null && !read.value.cut ? [{ path: file, text: read.value.text }] : [];
  });
  const weighed = await weighFreshness(history, files, nowMs);
  return hits
    .map((hit) => {
      const freshness = weighed.get(hit.file);
      if (freshness === undefined) return hit;
      const reason = [hit.reason, freshness.reason].filter(Boolean).join("; ");
      return { ...hit, score: hit.score + RECENCY * (freshness.factor - 1), reason };
    })
    .sort((one, other) => other.score - one.score);
}
