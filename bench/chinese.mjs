// `npm run bench:chinese`: how much of its English NDCG@10 a question keeps when it is asked in Chinese, over 60 public
// queries. Needs the benchmarks next to the project and their checkouts (BENCH_CACHE); reports if they are missing.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { cli, ndcg, project } from "./support.mjs";

const BAR = 0.8;
const shared = resolve(project, "..", "shared", "bench", "lib.mjs");

function reaches(result, target) {
  if (result.path !== target.path) return false;
  return target.start_line === undefined || (result.start <= target.end_line && result.end >= target.start_line);
}

function targetsOf(task) {
  const files = (task.gold_files ?? []).map((path) => ({ path }));
  return [...(task.relevant ?? []), ...(task.secondary ?? []), ...files].map((target) =>
    typeof target === "string" ? { path: target } : target,
  );
}

/** Asks both questions in one call of the public command line. */
function search(home, { root, dir }, questions) {
  const input = questions.map((query) => JSON.stringify({ query, limit: 10 })).join("\n");
  const { stdout } = spawnSync(process.execPath, [cli, "search", "--each", "-"], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, WORKING_DIRECTORY: root, GROUNDWORK_HOME: home, CI_AUTO_TOOLS_INDEX: "off" },
  });
  // Targets are relative to the top of the checkout; the engine may be pointed at a subfolder.
  const toPath = (path) => relative(dir, join(root, path));
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).data.candidates)
    .map((hits) => hits.map(({ file, line, end_line }) => ({ path: toPath(file), start: line, end: end_line })));
}

async function main() {
  if (!existsSync(shared)) return console.log(`no benchmarks at ${shared}; nothing measured`);
  const { load, place } = await import(pathToFileURL(shared).href);
  const queries = readFileSync(join(import.meta.dirname, "chinese-queries.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const scratch = mkdtempSync(join(tmpdir(), "groundwork-chinese-"));
  try {
    const tasks = new Map(
      ["semble", "swe", "swe-multi"].flatMap((bench) =>
        load(bench, "dev").tasks.map((task) => [`${bench} ${task.id}`, task]),
      ),
    );
    const rows = [];
    let missing = 0;
    for (const { bench, id, zh, en } of queries) {
      const task = tasks.get(`${bench} ${id}`);
      const checkout = place(bench, task.checkout);
      if (!existsSync(checkout.marker)) {
        missing++;
        continue;
      }
      const targets = targetsOf(task);
      const [english, chinese] = search(scratch, checkout, [en ?? task.query, zh]).map((hits) =>
        ndcg(targets.map((target) => hits.findIndex((hit) => reaches(hit, target)))),
      );
      rows.push({ id, hasLatin: /[A-Za-z]{2}/.test(zh), english, chinese });
      if (process.argv.includes("--verbose")) console.log(id, english.toFixed(2), chinese.toFixed(2), zh.slice(0, 80));
    }
    if (missing > 0)
      console.log(`${missing} of ${queries.length} queries left out: no checkout (see the benchmarks' prepare.mjs)`);
    const kept = report("all", rows);
    report(
      "without any Latin word",
      rows.filter(({ hasLatin }) => !hasLatin),
    );
    if (rows.length > 0 && kept < BAR) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function report(name, rows) {
  const mean = (key) => rows.reduce((sum, row) => sum + row[key], 0) / Math.max(1, rows.length);
  const kept = mean("chinese") / (mean("english") || 1);
  const figures = `English ${mean("english").toFixed(3)}, Chinese ${mean("chinese").toFixed(3)}, kept ${(100 * kept).toFixed(0)} %`;
  console.log(
    `${name}: ${rows.length} queries, NDCG@10 ${figures} (bar ${100 * BAR} %: ${kept >= BAR ? "met" : "MISSED"})`,
  );
  return kept;
}

await main();
