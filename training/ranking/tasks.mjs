// Defines what is fitted, how it is scored, and the folds for cross-validation.
import { balance, crossValidate, fitWeights, meanByGroup, meanOf, ndcg, pack, ranksOf } from "./model.mjs";

/** Signals that may count against a candidate. */
const FREE = new Set([
  "test",
  "aside",
  "prose",
  "reexport",
  "size",
  "depth",
  "twin",
  "type",
  "length",
  "special",
  "nested",
]);
const STRENGTH = { words: 0.3, symbol: 0.9, issues: 0.6, definitions: 0.3 };
const FOLDS = 8;
/** Repositories with more issues than this are split across folds. */
const LARGE = 10;

/** Weights for questions, one set for words and one for names; NDCG@10 fitted and cross-validated by repository. */
export function fitQuestions(cases, dropped) {
  balance(cases, 1);
  const names = pack(cases, dropped);
  const train = (list, start) =>
    Object.fromEntries(
      ["words", "symbol"].map((kind) => {
        const own = list.filter((one) => one.kind === kind);
        return [kind, fitWeights(own, names, { strength: STRENGTH[kind], free: FREE, start: start?.[kind] })];
      }),
    );
  const weights = train(cases);
  const scores = crossValidate(
    cases,
    ({ group }) => group,
    FOLDS,
    (list) => train(list, weights),
    (one, model) => ndcg(one, model[one.kind]),
  );
  return {
    names,
    weights,
    fitted: meanByGroup(cases, (one) => ndcg(one, weights[one.kind])),
    validated: meanByGroup(cases, (one) => scores.get(one)),
  };
}

/** Weights for files of issues; Acc@k fitted and cross-validated, per benchmark. Tests, never right, are left out. */
export function fitIssues(issues, dropped = new Set()) {
  const cases = issues.map((one) => ({ ...one, rows: one.rows.filter(({ features }) => features.test === 0) }));
  balance(cases, 0.5);
  const names = pack(cases, new Set([...dropped, "test"]));
  const counts = new Map();
  for (const { group } of cases) counts.set(group, (counts.get(group) ?? 0) + 1);
  const keyOf = ({ group, id }) => (counts.get(group) > LARGE ? id : group);
  const train = (list, start) => fitWeights(list, names, { strength: STRENGTH.issues, free: FREE, start });
  const weights = train(cases);
  const scores = crossValidate(
    cases,
    keyOf,
    FOLDS,
    (list) => train(list, weights),
    (one, model) => ranksOf(one, model),
  );
  const benches = [...new Set(cases.map(({ bench }) => bench))];
  const accuracy = (rankOf) =>
    Object.fromEntries(
      benches.map((bench) => {
        const worst = cases.filter((one) => one.bench === bench).map((one) => Math.max(...rankOf(one)));
        return [bench, [1, 5, 10].map((k) => meanOf(worst.map((rank) => Number(rank < k))))];
      }),
    );
  return {
    names,
    weights,
    fitted: accuracy((one) => ranksOf(one, weights)),
    validated: accuracy((one) => scores.get(one)),
  };
}

/** Weights for definitions, fitted on the files that were right. */
export function fitDefinitions(issues) {
  const cases = issues.flatMap(({ group, rows }) =>
    rows
      .filter(({ hits, definitions }) => hits.length > 0 && definitions.some((one) => one.hits.length > 0))
      .map(({ definitions }) => ({ group, rows: definitions })),
  );
  balance(cases, 0.5);
  const names = pack(cases);
  return { names, weights: fitWeights(cases, names, { strength: STRENGTH.definitions, free: FREE }) };
}
