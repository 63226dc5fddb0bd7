// The only adapter between the retrieval harness and Groundwork: everything goes through the public command line.
//   node bench/answer.mjs index --root R --index-dir D
//   node bench/answer.mjs query --bench semble|swe|swe-multi --root R --index-dir D --query-file F --limit K
//   node bench/answer.mjs batch --bench … --root R --index-dir D --queries-file F --limit K
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const cli = join(import.meta.dirname, "..", "dist", "cli.cjs");
const [action = "", ...rest] = process.argv.slice(2);
const text = { type: "string" };
const { values: given } = parseArgs({
  args: rest,
  options: { bench: text, root: text, "index-dir": text, "query-file": text, "queries-file": text, limit: text },
});

/** Runs the command line; `--index-dir` alone decides where all state is kept. */
function groundwork(args, input) {
  const [root, state] = [resolve(given.root), resolve(given["index-dir"])];
  mkdirSync(state, { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: root,
    input,
    env: { ...process.env, GROUNDWORK_HOME: state, WORKING_DIRECTORY: root },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0) {
    process.stderr.write(stderr);
    process.exit(status ?? 1);
  }
  return stdout;
}

/** Issues are located, questions are searched for. */
const isIssue = given.bench !== "semble";
const tool = isIssue ? "bug-locate" : "search";
const toArgs = (query) =>
  isIssue ? { error: query.slice(0, 20_000) } : { query: query.slice(0, 20_000), limit: Number(given.limit ?? 10) };

/** The results for the harness: hits for questions; files, then functions for issues. */
function toResults({ candidates = [] }) {
  const told = candidates.map((hit) => (hit.kind === "file" ? { ...hit, symbol: "" } : hit));
  return told.map(({ file, line, end_line, symbol, score }) => ({
    path: file,
    ...(isIssue && symbol === "" ? {} : { start_line: line, end_line }),
    ...(symbol === "" ? {} : { symbol }),
    score,
  }));
}

if (action === "index") groundwork(["index"]);
else if (action === "query") {
  const query = readFileSync(given["query-file"], "utf8");
  const lines = groundwork([tool, "--each", "-"], JSON.stringify(toArgs(query)));
  process.stdout.write(`${JSON.stringify(toResults(JSON.parse(lines).data))}\n`);
} else if (action === "batch") {
  const queries = readFileSync(given["queries-file"], "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const input = queries.map(({ id, query }) => JSON.stringify({ id, ...toArgs(query) })).join("\n");
  for (const line of groundwork([tool, "--each", "-"], input).split("\n").filter(Boolean)) {
    const { id, ms, data } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ id, ms, results: toResults(data ?? {}) })}\n`);
  }
} else {
  process.stderr.write("usage: answer.mjs index|query|batch …\n");
  process.exit(2);
}
