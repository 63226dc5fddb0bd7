// A linear softmax ranker: weights that rank right candidates before the others, regularised to stay small.
const RATE = 0.1;
const PASSES = 250;

/** Stores the features of each case as a flat matrix, without `dropped` names. Returns the names. */
export function pack(cases, dropped = new Set()) {
  const names = Object.keys(cases[0]?.rows[0]?.features ?? {}).filter((name) => !dropped.has(name));
  for (const one of cases) {
    one.flat = new Float64Array(one.rows.length * names.length);
    one.rows.forEach((row, at) => {
      names.forEach((name, column) => {
        one.flat[at * names.length + column] = row.features[name];
      });
    });
  }
  return names;
}

/** Fits weights for packed cases, each with `weight`. Only signals in `free` may count against a candidate. */
export function fitWeights(cases, names, { strength, free, start }) {
  const size = names.length;
  const weights = start === undefined ? new Float64Array(size).fill(0.5) : Float64Array.from(start);
  const passes = start === undefined ? PASSES : PASSES / 3;
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  const total = cases.reduce((sum, { weight }) => sum + weight, 0);
  for (let pass = 1; pass <= passes; pass++) {
    const slope = weights.map((weight) => strength * weight * 0.01);
    for (const one of cases) addSlope(one, weights, slope, one.weight / total);
    for (let at = 0; at < size; at++) {
      mean[at] = 0.9 * mean[at] + 0.1 * slope[at];
      square[at] = 0.99 * square[at] + 0.01 * slope[at] ** 2;
      const step = mean[at] / (1 - 0.9 ** pass) / (Math.sqrt(square[at] / (1 - 0.99 ** pass)) + 1e-8);
      weights[at] -= RATE * (1 - (0.9 * pass) / passes) * step;
      if (weights[at] < 0 && !free.has(names[at])) weights[at] = 0;
    }
  }
  return weights;
}

function addSlope({ rows, flat }, weights, slope, share) {
  const size = weights.length;
  const scores = scoresOf({ rows, flat }, weights);
  const top = Math.max(...scores);
  let wrong = 0;
  let right = 0;
  for (let at = 0; at < rows.length; at++) {
    scores[at] = Math.exp(scores[at] - top);
    if (rows[at].hits.length === 0) wrong += scores[at];
    else right++;
  }
  if (right === 0) return;
  let pull = 0;
  for (let at = 0; at < rows.length; at++) {
    if (rows[at].hits.length === 0) continue;
    const all = wrong + scores[at];
    pull += share / right / all;
    for (let k = 0; k < size; k++) slope[k] -= (share / right) * (wrong / all) * flat[at * size + k];
  }
  for (let at = 0; at < rows.length; at++) {
    if (rows[at].hits.length > 0) continue;
    for (let k = 0; k < size; k++) slope[k] += pull * scores[at] * flat[at * size + k];
  }
}

/** Scores of a packed case. */
function scoresOf({ rows, flat }, weights) {
  const size = weights.length;
  return Float64Array.from(rows, (_, at) => {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += weights[k] * flat[at * size + k];
    return sum;
  });
}

/** Rank (from 0) at which each target is first reached; Infinity if it is not. */
export function ranksOf(one, weights) {
  const scores = scoresOf(one, weights);
  const order = one.rows.map((_, at) => at).sort((a, b) => scores[b] - scores[a] || a - b);
  const ranks = Array.from({ length: one.targets }, () => Number.POSITIVE_INFINITY);
  order.forEach((at, rank) => {
    for (const hit of one.rows[at].hits) ranks[hit] = Math.min(ranks[hit], rank);
  });
  return ranks;
}

/** NDCG@10: a gain of 1 at every rank that first reaches a target, relative to the ideal order. */
export function ndcg(one, weights) {
  const discount = (rank) => 1 / Math.log2(rank + 2);
  const reached = new Set(ranksOf(one, weights).filter((rank) => rank < 10));
  let gain = 0;
  for (const rank of reached) gain += discount(rank);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(10, one.targets); rank++) ideal += discount(rank);
  return gain / ideal;
}

export const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Mean over groups of the mean in each. */
export function meanByGroup(cases, scoreOf) {
  const groups = new Map();
  for (const one of cases) groups.set(one.group, [...(groups.get(one.group) ?? []), scoreOf(one)]);
  return meanOf([...groups.values()].map(meanOf));
}

/** Weights cases so that large groups do not dominate: with `power` 1 groups are equal, with 0 cases are. */
export function balance(cases, power) {
  const counts = new Map();
  for (const { group } of cases) counts.set(group, (counts.get(group) ?? 0) + 1);
  for (const one of cases) one.weight = counts.get(one.group) ** -power;
}

/** Scores every case by weights fitted without its fold. Contract: folds consist of whole keys, in sorted order. */
export function crossValidate(cases, keyOf, folds, train, scoreOf) {
  const keys = [...new Set(cases.map(keyOf))].sort();
  const foldOf = new Map(keys.map((key, at) => [key, at % folds]));
  const scores = new Map();
  for (let fold = 0; fold < folds; fold++) {
    const model = train(cases.filter((one) => foldOf.get(keyOf(one)) !== fold));
    for (const one of cases) if (foldOf.get(keyOf(one)) === fold) scores.set(one, scoreOf(one, model));
  }
  return scores;
}
