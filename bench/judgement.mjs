// `npm run bench:judgement`: how often a prompt is misjudged, on the development half of the corpus. Miss = code judged
// not-code, misfire = the reverse; `either` is not scored. `--verbose` lists the wrong ones.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { project } from "./support.mjs";

/** Maximum percentages: over all prompts, and per language, where one prompt of a few dozen weighs more. */
const BARS = { all: { misses: 1.5, misfires: 1.5 }, each: { misses: 3, misfires: 2 } };
const archive = resolve(project, "..", "shared", "corpora", "dev.tgz");
const isVerbose = process.argv.includes("--verbose");

if (!existsSync(archive)) {
  console.log(`no corpus at ${archive}; nothing measured`);
  process.exit(0);
}

const scratch = mkdtempSync(join(tmpdir(), "groundwork-judgement-"));
let missed = 0;
try {
  const unpacked = spawnSync("tar", ["-xzf", archive, "-C", scratch]);
  if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr}`);
  const bundle = join(scratch, "judge.cjs");
  await build({
    entryPoints: [join(project, "src", "orchestrator", "judge.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "cjs",
    define: { "import.meta.dirname": JSON.stringify(join(project, "src", "orchestrator")) },
    logLevel: "warning",
  });
  const { judgePrompt } = createRequire(import.meta.url)(bundle);
  const rows = readFileSync(join(scratch, "prompts.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter(({ label }) => label !== "either")
    .map((row) => {
      const { analysis } = judgePrompt(row.prompt, {});
      const isCode = row.label === "code";
      return { ...row, isCode, analysis, isWrong: isCode === (analysis.intent === null) };
    });
  missed = report(rows);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;

/** Prints the figures. Returns the number of thresholds missed. */
function report(rows) {
  let bars = 0;
  for (const lang of ["all", "en", "zh", "mixed"]) {
    const those = rows.filter((row) => lang === "all" || row.lang === lang);
    for (const [name, isCode] of Object.entries({ misses: true, misfires: false })) {
      const scored = those.filter((row) => row.isCode === isCode);
      const wrong = scored.filter(({ isWrong }) => isWrong).length;
      const share = (100 * wrong) / Math.max(1, scored.length);
      const bar = (lang === "all" ? BARS.all : BARS.each)[name];
      const isMet = share <= bar;
      if (!isMet) bars++;
      const figure = `${share.toFixed(1).padStart(5)} %  (${wrong} of ${scored.length})`;
      console.log(`${lang.padEnd(6)} ${name.padEnd(9)} ${figure}  (bar ${bar} %: ${isMet ? "met" : "MISSED"})`);
    }
  }
  console.log("\nworst kinds");
  const kinds = [...new Set(rows.map(({ kind }) => kind))].map((kind) => {
    const those = rows.filter((row) => row.kind === kind);
    return { kind, all: those.length, wrong: those.filter(({ isWrong }) => isWrong).length };
  });
  for (const { kind, all, wrong } of kinds.toSorted((a, b) => b.wrong / b.all - a.wrong / a.all).slice(0, 6)) {
    if (wrong > 0) console.log(`  ${kind.padEnd(20)} ${wrong} of ${all}`);
  }
  console.log("\ncalibration: share of code per tenth of confidence");
  for (let tenth = 0; tenth < 10; tenth++) {
    const those = rows.filter(({ analysis }) => Math.min(9, Math.floor(analysis.confidence * 10)) === tenth);
    if (those.length === 0) continue;
    const share = (100 * those.filter(({ isCode }) => isCode).length) / those.length;
    console.log(`  0.${tenth}  ${share.toFixed(0).padStart(3)} % of ${those.length}`);
  }
  if (isVerbose) {
    console.log("\nwrong");
    for (const { kind, analysis, prompt } of rows.filter(({ isWrong }) => isWrong)) {
      console.log(`  ${kind}  ${analysis.confidence}  ${JSON.stringify(prompt.slice(0, 160))}  ${analysis.why}`);
    }
  }
  return bars;
}
