// Pseudo-random choice, determined by a seed.
import { createHash } from "node:crypto";

/** An integer that depends only on the labels. */
export function numberOf(...labels) {
  return createHash("sha256").update(labels.join("\0")).digest().readUInt32BE(0);
}

/** The items in an order that depends only on the seed and their own keys. */
export function shuffle(items, seed, toKey) {
  const keyed = items.map((item) => [numberOf(seed, toKey(item)), item]);
  return keyed.sort(([one], [other]) => one - other).map(([, item]) => item);
}

/** The first `count` items that qualify, at most a third of them from one file if the others have enough. */
export function choose(items, count, isRight = () => true) {
  const most = Math.ceil(count / 3);
  const [chosen, spare, taken] = [[], [], new Map()];
  for (const item of items) {
    if (chosen.length === count) break;
    const before = taken.get(item.path) ?? 0;
    if (before >= most && spare.length >= count) continue;
    if (!isRight(item)) continue;
    taken.set(item.path, before + 1);
    (before < most ? chosen : spare).push(item);
  }
  return [...chosen, ...spare].slice(0, count);
}
