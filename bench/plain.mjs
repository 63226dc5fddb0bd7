// `npm run bench:plain -- [--limit N] [--titles N] [--verbose]`: public questions and one-line titles of issues, asked
// through the hook in their own repository, where the block should name a right file, and in one of another domain,
// where it should say little or nothing.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { findStrangers } from "./domains.mjs";
import {
  buildIndex,
  filesNamedIn,
  injectedFor,
  loadTasks,
  reportShare,
  spread,
  stateIn,
  withScratch,
} from "./support.mjs";

const BARS = { own: 0.96, answered: 0.98, title: 0.85, titleAnswered: 0.96, short: 0.84, nothing: 0.7 };
/** Longest answer allowed if nothing matches, in UTF-16 units. */
const SHORT = 600;
const { values: given } = parseArgs({
  options: { limit: { type: "string" }, titles: { type: "string" }, verbose: { type: "boolean" } },
});

/** Asks in a folder, whose index is built before the first question. */
function makeAsker(env) {
  const indexed = new Set();
  return (query, root) => {
    if (!indexed.has(root)) buildIndex(root, env);
    indexed.add(root);
    return injectedFor(query, root, env);
  };
}

/** Files that answer a question, relative to the folder in which it is asked. */
function targetsOf({ root, dir, relevant, secondary }) {
  return [...relevant, ...secondary].map(({ path }) =>
    relative(root, [join(dir, path), join(root, path)].find((place) => existsSync(place)) ?? ""),
  );
}

/** Asks each item in its own repository. Returns how many blocks name a right file and how many say anything. */
function askOwn(items, ask) {
  let [right, answered] = [0, 0];
  for (const { query, root, targets, id } of items) {
    const told = ask(query, root);
    const named = filesNamedIn(told, root);
    if (told !== "") answered++;
    if (targets.some((target) => named.has(target))) right++;
    else if (given.verbose) console.log(`${told.length} units, no right file: ${id} ${query}`);
  }
  return { right, answered };
}

function askElsewhere(questions, repositories, strangers, ask) {
  let [short, nothing] = [0, 0];
  for (const [at, task] of questions.entries()) {
    const others = strangers.get(task.repo);
    const foreign = repositories.get(others[at % others.length]);
    const told = ask(task.query, foreign.root).length;
    if (told <= SHORT) short++;
    else if (given.verbose) console.log(`${told} units in ${foreign.repo}: ${task.id} ${task.query}`);
    if (told === 0) nothing++;
  }
  return { short, nothing };
}

/** One-line titles, asked in the first checkout of each repository that has the files of their fix. */
function readTitles(tasks) {
  const roots = new Map();
  for (const { repo, root } of tasks) if (!roots.has(repo)) roots.set(repo, root);
  return tasks
    .map(({ id, repo, query, gold_files }) => ({
      id,
      query: query.split("\n", 1)[0].trim(),
      root: roots.get(repo),
      targets: gold_files,
    }))
    .filter(({ root, targets }) => targets.some((path) => existsSync(join(root, path))));
}

async function main(scratch) {
  const tasks = await loadTasks("semble");
  const issues = await loadTasks("swe");
  if (tasks === null || issues === null) return;
  const ask = makeAsker(stateIn(scratch));
  const words = tasks.filter(({ category }) => category !== "symbol");
  const questions = spread(words, Number(given.limit ?? words.length));
  const own = askOwn(
    questions.map((task) => ({ ...task, targets: targetsOf(task) })),
    ask,
  );
  const titles = spread(readTitles(issues), Number(given.titles ?? issues.length));
  const titled = askOwn(titles, ask);
  const repositories = new Map(tasks.map((task) => [task.repo, task]));
  const away = askElsewhere(questions, repositories, findStrangers(tasks), ask);
  const areMet = [
    reportShare("questions, a right file in the block", own.right, questions.length, BARS.own),
    reportShare("questions, answered at all", own.answered, questions.length, BARS.answered),
    reportShare("titles, a right file in the block", titled.right, titles.length, BARS.title),
    reportShare("titles, answered at all", titled.answered, titles.length, BARS.titleAnswered),
    reportShare(`asked elsewhere, at most ${SHORT} units`, away.short, questions.length, BARS.short),
    reportShare("asked elsewhere, nothing at all", away.nothing, questions.length, BARS.nothing),
  ];
  if (areMet.includes(false)) process.exitCode = 1;
}

await withScratch(main);
