// `npm run bench:quiet -- <repository>… [--verbose]`: prompts of the corpus that are not about code, asked through the
// hook in run mode: nothing at all should be said, even if a repository defines everyday words.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildIndex, injectedFor, reportShare, stateIn, withScratch } from "./support.mjs";

const BAR = 0.98;
const archive = resolve(import.meta.dirname, "..", "..", "shared", "corpora", "dev.tgz");
const { values: given, positionals: roots } = parseArgs({
  options: { verbose: { type: "boolean" } },
  allowPositionals: true,
});

/** Prompts for which evidence would be noise. */
function readPrompts(scratch) {
  const unpacked = spawnSync("tar", ["-xzf", archive, "-C", scratch]);
  if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr}`);
  return readFileSync(join(scratch, "prompts.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ label }) => label === "not_code");
}

async function main(scratch) {
  if (!existsSync(archive)) return console.log(`no corpus at ${archive}; nothing measured`);
  if (roots.length === 0) return console.log("name at least one repository; nothing measured");
  const prompts = readPrompts(scratch);
  const env = stateIn(scratch);
  let quiet = 0;
  for (const root of roots.map((path) => resolve(path))) {
    buildIndex(root, env);
    for (const { prompt } of prompts) {
      const told = injectedFor(prompt, root, env);
      if (told === "") quiet++;
      else if (given.verbose) console.log(`${told.length} units in ${root}: ${JSON.stringify(prompt.slice(0, 120))}`);
    }
  }
  const isMet = reportShare("not about code, nothing at all", quiet, prompts.length * roots.length, BAR);
  if (!isMet) process.exitCode = 1;
}

await withScratch(main);
