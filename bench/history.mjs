// `npm run bench:history`: the cost of keeping a run for its door, and the time to list, search and count 10,000 kept
// runs. Writing is measured as a door does it: the prompt is cleaned and one line appended to the spool, in a process
// that is already warm. Each figure is a median, followed by the 95th percentile.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { measureFirstPaint } from "./first-paint.mjs";
import { loadSource, withScratch } from "./support.mjs";

const WRITES = 2_000;
const RUNS = 10_000;
const READS = 41;

const ms = (value) => value.toFixed(2).padStart(8);

/** Prints a figure and whether it meets its threshold. */
function report(name, times, bar) {
  const sorted = times.toSorted((a, b) => a - b);
  const [median, late] = [0.5, 0.95].map((share) => sorted[Math.floor(sorted.length * share)]);
  const verdict = median <= bar ? "met" : "MISSED";
  if (verdict === "MISSED") process.exitCode = 1;
  console.log(`${name.padEnd(52)} ${ms(median)} ms  (95 %: ${ms(late).trim()} ms)  bar ${bar} ms: ${verdict}`);
}

function time(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

await withScratch(async (scratch) => {
  const { toRecord, appendToSpool, openRunHistory, makeDocument, makeRun } = await loadSource(
    scratch,
    "src/base",
    `export { toRecord } from "./src/run-history/record.ts";
    export { appendToSpool } from "./src/run-history/spool.ts";
    export { openRunHistory } from "./src/run-history/run-history.ts";
    export { makeDocument, makeRun } from "./src/run-history/ended-run.test-helper.ts";`,
  );
  const state = join(scratch, "state");
  mkdirSync(state, { mode: 0o700 });
  const folder = join(state, "history");
  // The size of a usual run: three tools, twelve findings, three excerpts.
  const make = (at) => {
    const prompt = `how does part ${at} of the parser report errors to the user when token ${at % 97} is missing?`;
    const data = {
      candidates: Array.from({ length: 30 }, (_, n) => ({
        file: `src/part${(at + n) % 300}/file${n}.ts`,
        line: n * 7,
        symbol: `parsePart${n}`,
        excerpt: `export function parsePart${n}(text: string, options: ParseOptions): Token[] {`,
        reasons: ["words of the question", "name"],
      })),
    };
    const document = makeDocument(prompt);
    const [result] = document.tool_results;
    const tool_results = ["ci_index_status", "ci_search", "ci_graph_rag"].map((tool) => ({ ...result, tool, data }));
    const injected = Array.from({ length: 60 }, (_, n) => `${n}. src/part${n}.ts:${n} parsePart${at + n}`).join("\n");
    const isSilent = at % 3 === 0;
    const startMs = Date.now() - (RUNS - at) * 60_000;
    return makeRun(prompt, {
      document: { ...document, tool_results, run_id: `20260101-000000-${at}` },
      injected: isSilent ? "" : injected,
      startMs,
      durationMs: 40 + (at % 400),
      root: `/home/dev/project-${at % 12}`,
    });
  };

  const runs = Array.from({ length: WRITES }, (_, at) => make(at));
  report(
    "one run is kept",
    runs.map((run) => time(() => appendToSpool(folder, toRecord(run)))),
    2,
  );
  const env = { GROUNDWORK_HOME: state };
  const bounds = { days: 3_650, mb: 1_000 };
  let history;
  let folding = time(() => {
    history = openRunHistory({ env, nowMs: Date.now(), bounds }).value;
  });
  for (let at = WRITES; at < RUNS; at++) {
    appendToSpool(folder, toRecord(make(at)));
    if ((at + 1) % WRITES === 0) folding += time(() => history.refresh(Date.now()));
  }
  console.log(
    `${RUNS} runs taken into the store`.padEnd(52),
    ms(folding),
    `ms  (${(folding / RUNS).toFixed(2)} ms each)`,
  );
  if (history.count({ silent: true }) !== RUNS) throw new Error(`${history.count({ silent: true })} runs were kept`);
  const read = (work) => Array.from({ length: READS }, () => time(work));
  report(
    "the newest 100 of 10,000",
    read(() => history.list({ silent: true, limit: 100 })),
    50,
  );
  report(
    "a search through all of them",
    read(() => history.list({ silent: true, text: "parser token 96", limit: 100 })),
    50,
  );
  report(
    "a search that finds nothing",
    read(() => history.list({ silent: true, text: "zebra", limit: 100 })),
    50,
  );
  report(
    "one run, whole",
    read(() => history.find("20260101-000000-4321")),
    50,
  );
  report(
    "figures of all",
    read(() => history.stats({})),
    100,
  );
  history.close();
  const { paint, list } = await measureFirstPaint(state);
  report("the page: first paint with 10,000 runs", paint, 500);
  report("the page: the newest of them are listed", list, 500);
});
