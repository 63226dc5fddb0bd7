// `npm run bench:restraint -- [--limit N] [--verbose]`: public questions asked in a repository of another domain, where
// nothing answers them and little should be said, and in their own, where a right file or a neighbour should be named.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
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

const QUESTIONS = 60;
const FOREIGN_BAR = 0.8;
const OWN_BAR = 0.95;
/** What may be said where nothing answers, in UTF-16 units. */
const SHORT = 600;
const { values: given } = parseArgs({ options: { limit: { type: "string" }, verbose: { type: "boolean" } } });

/** True where a text names a file that answers, or one in the same folder. */
function isNear(context, { root, dir, relevant, secondary }) {
  // Targets are named from the top of the checkout or from the folder of it that is asked in, as the harness has it.
  const folders = new Set(
    [...relevant, ...secondary].map(({ path }) => {
      const whole = [join(dir, path), join(root, path)].find((place) => existsSync(place)) ?? "";
      return dirname(relative(root, whole));
    }),
  );
  return [...filesNamedIn(context, root)].some((path) => folders.has(dirname(path)));
}

async function main(scratch) {
  const tasks = await loadTasks("semble");
  if (tasks === null) return;
  const repositories = new Map(tasks.map((task) => [task.repo, task]));
  const strangers = findStrangers(tasks);
  const questions = spread(
    tasks.filter(({ category }) => category !== "symbol"),
    Number(given.limit ?? QUESTIONS),
  );
  const env = stateIn(scratch);
  const indexed = new Set();
  const ask = (query, { root }) => {
    if (!indexed.has(root)) buildIndex(root, env);
    indexed.add(root);
    return injectedFor(query, root, env);
  };
  let [quiet, near] = [0, 0];
  for (const [at, task] of questions.entries()) {
    const others = strangers.get(task.repo);
    const foreign = repositories.get(others[at % others.length]);
    const told = ask(task.query, foreign).length;
    if (told <= SHORT) quiet++;
    else if (given.verbose) console.log(`${told} units in ${foreign.repo}: ${task.id} ${task.query}`);
    const own = ask(task.query, task);
    if (isNear(own, task)) near++;
    else if (given.verbose) console.log(`nothing near, ${own.length} units in its own: ${task.id} ${task.query}`);
  }
  const areMet = [
    reportShare(`asked elsewhere, at most ${SHORT} units`, quiet, questions.length, FOREIGN_BAR),
    reportShare("asked in its own, a right file or a neighbour", near, questions.length, OWN_BAR),
  ];
  if (questions.length > 0 && areMet.includes(false)) process.exitCode = 1;
}

await withScratch(main);
