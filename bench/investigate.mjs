// `npm run bench:investigate -- [--limit N] [--filter REGEX] [--state DIR] [--verbose]`: on public issues, how often
// every file that the fix edits is among the first five of an investigation (without a model), compared with one
// search. `--state` keeps the indexes in a folder for the next run.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { buildIndex, cli, loadTasks, spread, stateIn, withScratch } from "./support.mjs";

const BAR_POINTS = 3;
const RANKS = [1, 3, 5, 10];
const MAX_CHARS = 20_000;
const { values: given } = parseArgs({
  options: {
    limit: { type: "string" },
    filter: { type: "string" },
    state: { type: "string" },
    verbose: { type: "boolean" },
  },
});

/** Files that a tool names for an issue, best first. */
function filesOf(tool, input, root, env) {
  const done = spawnSync(process.execPath, [cli, tool, "--each", "-"], {
    cwd: root,
    env: { ...env, WORKING_DIRECTORY: root },
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0) throw new Error(`${tool} in ${root}: exit ${done.status}\n${done.stderr}${done.stdout}`);
  return [...new Set(JSON.parse(done.stdout).data.candidates.map(({ file }) => file))];
}

/** The rank at which all gold files have appeared. */
function rankIn(files, gold) {
  const ranks = gold.map((path) => files.indexOf(path) + 1);
  return ranks.includes(0) ? Number.POSITIVE_INFINITY : Math.max(...ranks);
}

async function measure({ query, root, gold_files }, state) {
  const env = stateIn(state);
  buildIndex(root, env);
  const text = query.slice(0, MAX_CHARS);
  return {
    search: rankIn(filesOf("search", { query: text, limit: 10 }, root, env), gold_files),
    investigate: rankIn(filesOf("investigate", { question: text }, root, env), gold_files),
  };
}

const all = [];
for (const bench of ["swe", "swe-multi"]) {
  const tasks = (await loadTasks(bench)) ?? [];
  all.push(...tasks.filter(({ id }) => new RegExp(given.filter ?? "").test(`${bench} ${id}`)));
}
const chosen = spread(all, Number(given.limit ?? all.length));
const ranks = [];
for (const task of chosen) {
  try {
    const own = await (given.state === undefined
      ? withScratch((own) => measure(task, own))
      : measure(task, given.state));
    ranks.push(own);
    if (given.verbose) console.log(`${task.id}: search ${own.search}, investigate ${own.investigate}`);
  } catch (thrown) {
    console.log(`${task.id}: left out: ${thrown.message}`);
  }
}
if (ranks.length > 0) {
  const share = (tool, most) => (100 * ranks.filter((own) => own[tool] <= most).length) / ranks.length;
  for (const tool of ["search", "investigate"]) {
    console.log(`${tool.padEnd(12)}${RANKS.map((most) => `Acc@${most} ${share(tool, most).toFixed(1)} %`).join("  ")}`);
  }
  const gain = share("investigate", 5) - share("search", 5);
  const isMet = gain >= BAR_POINTS;
  console.log(
    `gain at 5 over ${ranks.length} issues: ${gain.toFixed(1)} points (bar ${BAR_POINTS}: ${isMet ? "met" : "MISSED"})`,
  );
  if (!isMet) process.exitCode = 1;
}
