// `node training/fit-ranking.mjs`: fits the weights in src/engine/search/weights.ts on the development half of the
// public benchmarks and prints them, with fitted and cross-validated figures. BENCH_HOME is the folder of the
// benchmarks (by default the one next to the project), BENCH_CACHE that of their checkouts; reports if one is missing.
import { fitConfidence } from "./ranking/confidence.mjs";
import { loadEngine, openBench, readAnswers, readIssues, readQuestions } from "./ranking/data.mjs";
import { fitDefinitions, fitIssues, fitQuestions } from "./ranking/tasks.mjs";

const percent = (value) => (100 * value).toFixed(1);

function printTable(title, names, weights) {
  console.log(`\n${title}`);
  names.forEach((name, at) => {
    console.log(`  ${name}: ${Number(weights[at].toFixed(2))},`);
  });
}

function printAccuracy(title, table) {
  for (const [bench, values] of Object.entries(table)) {
    console.log(`${title.padEnd(16)} ${bench.padEnd(10)} Acc@1/5/10 ${values.map(percent).join(" / ")}`);
  }
}

const bench = await openBench();
if (bench !== null) {
  const engine = await loadEngine();
  const questions = fitQuestions(readQuestions(bench, engine));
  console.log(
    `questions NDCG@10 fitted ${questions.fitted.toFixed(4)}, by repository ${questions.validated.toFixed(4)}`,
  );
  printTable("QUESTION_WEIGHTS", questions.names, questions.weights.words);
  printTable("SYMBOL_WEIGHTS", questions.names, questions.weights.symbol);
  const confidence = fitConfidence(readAnswers(bench, engine), Object.values(engine.GRADES));
  for (const { threshold, own, foreign } of confidence.validated) {
    console.log(`answered from ${threshold} on: own ${percent(own)} %; not answered: foreign ${percent(foreign)} %`);
  }
  printTable("CONFIDENCE_WEIGHTS", confidence.names, confidence.weights);
  const cases = [...readIssues(bench, engine, "swe"), ...readIssues(bench, engine, "swe-multi")];
  const issues = fitIssues(cases);
  printAccuracy("issues fitted", issues.fitted);
  printAccuracy("cross-validated", issues.validated);
  printTable("ISSUE_WEIGHTS", issues.names, issues.weights);
  const definitions = fitDefinitions(cases);
  printTable("DEFINITION_WEIGHTS", definitions.names, definitions.weights);
}
