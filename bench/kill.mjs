// `npm run bench:kill -- [--rounds N] [--files N] [--seed N]`: kills index builds at random moments and asks questions
// after each: never an error, never a wrong answer, never a wrong "ready".
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { cli, withScratch } from "./support.mjs";

const text = { type: "string" };
const { values: given } = parseArgs({ options: { rounds: text, files: text, seed: text } });

await withScratch(async (folder) => {
  const outfile = join(folder, "kill-builds.mjs");
  const entry = resolve(import.meta.dirname, "..", "tests", "support", "kill-builds.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node" });
  const { killBuilds } = await import(pathToFileURL(outfile).href);
  const rounds = Number(given.rounds ?? 200);
  const files = Number(given.files ?? 400);
  const { missed, statuses, wholeMs, problems } = await killBuilds({
    folder,
    cli,
    rounds,
    files,
    seed: Number(given.seed ?? 1),
  });
  for (const problem of problems) console.log(problem);
  const told = Object.entries(statuses).map(([status, count]) => `${count} ${status}`);
  console.log(`${rounds} rounds over ${files} files, a whole build takes ${Math.round(wholeMs)} ms`);
  console.log(`${missed} had ended before their moment and were repeated; status afterwards: ${told.join(", ")}`);
  console.log(`${problems.length} problems (bar 0: ${problems.length === 0 ? "met" : "MISSED"})`);
  if (problems.length > 0) process.exitCode = 1;
});
