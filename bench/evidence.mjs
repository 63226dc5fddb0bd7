// `npm run bench:evidence -- [--limit N] [--verbose]`: with the text of a public issue as the prompt, how often the
// block that the hook injects names every file that its fix edits.
import { parseArgs } from "node:util";
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

const BAR = 0.85;
const { values: given } = parseArgs({ options: { limit: { type: "string" }, verbose: { type: "boolean" } } });

/** Gold files that the block for an issue does not name. */
function findMissing({ query, root, gold_files }) {
  return withScratch((scratch) => {
    const env = stateIn(scratch);
    buildIndex(root, env);
    const context = injectedFor(query, root, env);
    const named = filesNamedIn(context, root);
    return { missing: gold_files.filter((path) => !named.has(path)), units: context.length };
  });
}

const tasks = await loadTasks("swe");
if (tasks !== null) {
  const chosen = spread(tasks, Number(given.limit ?? tasks.length));
  let found = 0;
  for (const task of chosen) {
    const { missing, units } = await findMissing(task);
    if (missing.length === 0) found++;
    else if (given.verbose) console.log(`${task.id}: ${units} units injected, not named: ${missing.join(", ")}`);
  }
  const isMet = reportShare("every gold file named", found, chosen.length, BAR);
  if (chosen.length > 0 && !isMet) process.exitCode = 1;
}
