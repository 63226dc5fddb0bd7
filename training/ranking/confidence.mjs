// Whether a repository has an answer: a logistic model fitted on questions in their own and in foreign repositories.
import { meanOf } from "./model.mjs";

const PASSES = 3_000;
const RATE = 0.05;
const STRENGTH = 1e-4;
const FOLDS = 8;

const beliefOf = (features, names, weights) => {
  const sum = names.reduce((all, name, at) => all + weights[at] * features[name], weights[names.length]);
  return 1 / (1 + Math.exp(-sum));
};

/** Weight of each kind of question: some kinds have few examples, and people ask some more often than others. */
const KIND_SHARES = { words: 0.5, title: 0.3, chinese: 0.2 };

/** Returns the weights and, last, the bias; both sides of a kind have the same weight, whatever their numbers. */
function fitLogistic(cases, names) {
  const size = names.length + 1;
  const weights = new Float64Array(size);
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  const counts = new Map();
  const keyOf = ({ kind, isOwn }) => `${kind} ${isOwn}`;
  for (const one of cases) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  const rows = cases.map((one) => ({
    x: [...names.map((name) => one.features[name]), 1],
    isOwn: one.isOwn,
    share: (0.5 * KIND_SHARES[one.kind]) / counts.get(keyOf(one)),
  }));
  for (let pass = 1; pass <= PASSES; pass++) {
    const slope = weights.map((weight, at) => (at < names.length ? STRENGTH * weight : 0));
    for (const { x, isOwn, share } of rows) {
      let sum = 0;
      for (let at = 0; at < size; at++) sum += weights[at] * x[at];
      const wrong = (1 / (1 + Math.exp(-sum)) - Number(isOwn)) * share;
      for (let at = 0; at < size; at++) slope[at] += wrong * x[at];
    }
    for (let at = 0; at < size; at++) {
      mean[at] = 0.9 * mean[at] + 0.1 * slope[at];
      square[at] = 0.99 * square[at] + 0.01 * slope[at] ** 2;
      const step = mean[at] / (1 - 0.9 ** pass) / (Math.sqrt(square[at] / (1 - 0.99 ** pass)) + 1e-8);
      weights[at] -= RATE * (1 - (0.9 * pass) / PASSES) * step;
    }
  }
  return weights;
}

/**
 * Fits the model and validates it on questions and repositories that it was not fitted on: the shares of own questions
 * that get an answer, and of foreign ones that get none, at each threshold.
 */
export function fitConfidence(cases, thresholds) {
  const names = Object.keys(cases[0]?.features ?? {});
  const repos = [...new Set(cases.map(({ group }) => group))].sort();
  const foldOf = new Map(repos.map((repo, at) => [repo, at % FOLDS]));
  const beliefs = new Map();
  for (let fold = 0; fold < FOLDS; fold++) {
    const isKnown = ({ group, from }) => foldOf.get(group) !== fold && foldOf.get(from) !== fold;
    const weights = fitLogistic(cases.filter(isKnown), names);
    for (const one of cases)
      if (foldOf.get(one.group) === fold) beliefs.set(one, beliefOf(one.features, names, weights));
  }
  const shareOf = (isOwn, isRight) =>
    meanOf(cases.filter((one) => one.isOwn === isOwn).map((one) => Number(isRight(beliefs.get(one)))));
  return {
    names: [...names, "bias"],
    weights: fitLogistic(cases, names),
    validated: thresholds.map((threshold) => ({
      threshold,
      own: shareOf(true, (belief) => belief >= threshold),
      foreign: shareOf(false, (belief) => belief < threshold),
    })),
  };
}
