// `npm run bench:index -- <repository> [--rounds N] [--questions FILE]`: the cost of building, updating and querying
// the index of a repository, as ratios to `node -e 0` and to `ctags -R` in the same run. Works on a copy. The cases
// alternate, so that a busy machine slows all of them equally; each figure is a median. The thresholds are for about
// 3,000 files. Questions are about names that are defined once, or are read from a file, one `{"question", "path"}` per
// line.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cli, filesNamedIn, hook, median, spread, stateIn, withScratch } from "./support.mjs";

const QUESTIONS = 10;
/** Runs of a short case per measurement: the system counts its time in hundredths of a second. */
const SHORT_RUNS = 5;
/** Queries that one process answers. */
const QUERIES = 100;
/** Age of the files: every build reads files again that were written a moment ago. */
const SETTLED_MS = 60_000;
/** How definitions are written, and one to add. */
const LANGUAGES = {
  ".py": { pattern: /^(?:def|class) (\w{6,})/gm, more: "\ndef appended_here(value):\n    return value\n" },
  ".js": { pattern: /^(?:export )?(?:function|class) (\w{6,})/gm, more: "\nfunction appendedHere() {}\n" },
  ".ts": { pattern: /^(?:export )?(?:function|class) (\w{6,})/gm, more: "\nfunction appendedHere() {}\n" },
  ".go": { pattern: /^(?:func|type) (\w{6,})/gm, more: "\nfunc appendedHere() {}\n" },
  ".rs": { pattern: /^(?:pub )?(?:fn|struct) (\w{6,})/gm, more: "\nfn appended_here() {}\n" },
  ".c": { pattern: /^\w+ \*?(\w{6,})\([^;]*$/gm, more: "\nvoid appended_here(void) {}\n" },
};

const {
  values: given,
  positionals: [repository],
} = parseArgs({ options: { rounds: { type: "string" }, questions: { type: "string" } }, allowPositionals: true });

/**
 * Runs a command several times and returns the cost of one run, child processes included. Contract: throws if it fails.
 */
function measure(args, { env, cwd, input = "/dev/null", output = "/dev/null", runs = 1 }) {
  const script =
    'n=$1 in=$2 out=$3; shift 3; while [ $n -gt 0 ]; do "$@" <"$in" >"$out" || exit; n=$((n-1)); done; times';
  const startMs = performance.now();
  const done = spawnSync("/bin/sh", ["-c", script, "sh", runs, input, output, ...args], { env, cwd, encoding: "utf8" });
  const wallMs = (performance.now() - startMs) / runs;
  // The first line has the shell's own time, the second that of its children.
  const parts = [
    ...done.stdout
      .trim()
      .split("\n")
      .at(-1)
      .matchAll(/(\d+)m([\d.,]+)s/g),
  ];
  if (done.status !== 0 || parts.length !== 2)
    throw new Error(`${args.join(" ")}: exit ${done.status}\n${done.stderr}`);
  const seconds = parts.reduce((sum, [, minutes, rest]) => sum + 60 * minutes + Number(rest.replace(",", ".")), 0);
  return { cpuMs: (1_000 * seconds) / runs, wallMs };
}

/** Names that are defined in one place only, with their file: each question must have one right answer. */
function findDefinitions(root) {
  const places = new Map();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    const language = LANGUAGES[extname(path)];
    // Tests and examples rank lower on purpose.
    if (!entry.isFile() || language === undefined || /test|example|docs?\/|\.git\/|vendor|node_modules/i.test(path))
      continue;
    for (const [, name] of readFileSync(join(root, path), "utf8").matchAll(language.pattern))
      places.set(name, [...(places.get(name) ?? []), path]);
  }
  const unique = [...places].filter(([, paths]) => paths.length === 1).map(([name, [path]]) => ({ name, path }));
  return unique.sort((a, b) => (a.path + a.name < b.path + b.name ? -1 : 1));
}

function toQuestions(root) {
  return spread(findDefinitions(root), QUESTIONS).map(({ name, path }) => ({
    question: `how does ${name} work, and where is it?`,
    path,
  }));
}

function readQuestions(file) {
  return readFileSync(file, "utf8").trim().split("\n").map(JSON.parse);
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** The folders and files that all cases use. */
function prepare(scratch) {
  const root = join(scratch, "repository");
  cpSync(resolve(repository), root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const questions = given.questions === undefined ? toQuestions(root) : readQuestions(given.questions);
  if (questions.length === 0) throw new Error("nothing found to ask about");
  const write = (name, text) => {
    writeFileSync(join(scratch, name), text);
    return join(scratch, name);
  };
  const asked = questions.map(({ question, path }, at) => ({
    path,
    query: question,
    prompt: write(`prompt${at}.json`, JSON.stringify({ prompt: question, cwd: root })),
  }));
  const toLines = (count) =>
    Array.from({ length: count }, (_, at) => JSON.stringify({ query: asked[at % asked.length].query })).join("\n");
  return {
    root,
    asked,
    one: write("one.jsonl", toLines(1)),
    many: write("many.jsonl", toLines(QUERIES)),
    peakFile: join(scratch, "peak"),
    // Worker threads are part of the process, so its peak includes theirs.
    preload: write(
      "preload.cjs",
      'process.on("exit", () => require("fs").writeFileSync(process.env.BENCH_PEAK, String(process.resourceUsage().maxRSS)));',
    ),
  };
}

/** Runs all cases once. Returns their times by name, and sizes. */
function runRound({ scratch, places, hasCtags, round }) {
  const { root, asked, one, many, peakFile, preload } = places;
  const groundwork = (...args) => [process.execPath, cli, ...args];
  const fresh = () => ({ ...stateIn(mkdtempSync(join(scratch, "home-"))), WORKING_DIRECTORY: root });
  const env = fresh();
  const short = { env, cwd: root, runs: SHORT_RUNS };
  const times = { "node -e 0": measure([process.execPath, "-e", "0"], short) };
  if (hasCtags) times["ctags -R"] = measure(["ctags", "-R", "-f", join(scratch, "tags"), "."], { env, cwd: root });
  const search = groundwork("search", asked[0].query);
  times["first search, no index"] = measure(search, { env: { ...fresh(), CI_AUTO_TOOLS_INDEX: "off" }, cwd: root });
  const watched = { ...env, BENCH_PEAK: peakFile, NODE_OPTIONS: `--require=${preload}` };
  times["complete index"] = measure(groundwork("index", root), { env: watched, cwd: root });
  const sizes = {
    peakMb: Number(readFileSync(peakFile, "utf8")) / 1_024,
    storeMb: sizeOf(env.GROUNDWORK_HOME) / 2 ** 20,
  };
  times["index, nothing changed"] = measure(groundwork("index", root), short);
  times["search, cold process"] = measure(search, short);
  const single = measure(groundwork("search", "--each", one), { env, cwd: root });
  const multiple = measure(groundwork("search", "--each", many), { env, cwd: root });
  times["search, running process"] = {
    cpuMs: (multiple.cpuMs - single.cpuMs) / (QUERIES - 1),
    wallMs: (multiple.wallMs - single.wallMs) / (QUERIES - 1),
  };
  times["hook, code question"] = measure([hook], { ...short, input: asked[0].prompt });
  times["index, one file changed"] = measureChange(root, asked.at(-1).path, groundwork("index", root), env, round);
  return { times, sizes, env };
}

/** The cost of a build after a function was added to a file, which is restored afterwards. */
function measureChange(root, path, args, env, round) {
  const file = join(root, path);
  const before = { text: readFileSync(file), time: statSync(file).mtime };
  const settled = new Date(Date.now() - SETTLED_MS - 1_000 * round);
  chmodSync(file, 0o644);
  appendFileSync(file, LANGUAGES[extname(path)].more);
  utimesSync(file, settled, settled);
  const took = measure(args, { env, cwd: root });
  writeFileSync(file, before.text);
  utimesSync(file, before.time, before.time);
  return took;
}

/** Number of blocks of the hook that name the right file. */
function countRight({ root, asked }, env) {
  const right = asked.filter(({ path, prompt }) => {
    const done = spawnSync(hook, [], { input: readFileSync(prompt), env, cwd: root, encoding: "utf8" });
    return filesNamedIn(JSON.parse(done.stdout).hookSpecificOutput.additionalContext, root).has(path);
  });
  return `${right.length} of ${asked.length}`;
}

/** Prints the table. Returns the names of the thresholds missed. */
function report(rounds) {
  const medianOf = (name, key) => median(rounds.map(({ times }) => times[name][key]));
  const has = (name) => rounds[0].times[name] !== undefined;
  const node = { cpuMs: medianOf("node -e 0", "cpuMs"), wallMs: medianOf("node -e 0", "wallMs") };
  const ctags = has("ctags -R")
    ? { cpuMs: medianOf("ctags -R", "cpuMs"), wallMs: medianOf("ctags -R", "wallMs") }
    : null;
  const missed = [];
  const judge = (name, value, bar) => {
    if (value > bar) missed.push(name);
    return `  (bar ${bar}: ${value > bar ? "MISSED" : "met"})`;
  };
  const bars = {
    "first search, no index": (cpu, wall) =>
      ctags && judge("first search", Math.max(cpu / ctags.cpuMs, wall / ctags.wallMs), 1.5),
    "complete index": (cpu, wall) =>
      ctags && judge("complete index", Math.max(cpu / ctags.cpuMs, wall / ctags.wallMs), 12),
    "index, one file changed": (cpu) => judge("ms beyond node", cpu - node.cpuMs, 100),
    "search, cold process": (cpu) => judge("cold search", cpu / node.cpuMs, 2),
    "search, running process": (cpu) => judge("running search, ms", cpu, 20),
    "hook, code question": (cpu) => judge("hook", cpu / node.cpuMs, 2.5),
  };
  console.log(`${"".padEnd(26)}   CPU ms   × node  × ctags  wall ms   × node  × ctags`);
  for (const name of Object.keys(rounds[0].times)) {
    const [cpu, wall] = [medianOf(name, "cpuMs"), medianOf(name, "wallMs")];
    const cells = [cpu.toFixed(1), ...ratios(cpu, "cpuMs"), wall.toFixed(1), ...ratios(wall, "wallMs")];
    console.log(name.padEnd(26) + cells.map((cell) => cell.padStart(9)).join("") + (bars[name]?.(cpu, wall) || ""));
  }
  const { peakMb, storeMb } = rounds.at(-1).sizes;
  console.log(`peak memory of the complete index ${peakMb.toFixed(0)} MB${judge("memory", peakMb, 600)}`);
  console.log(`store ${storeMb.toFixed(1)} MB${judge("store", storeMb, 70)}`);
  return missed;

  function ratios(ms, key) {
    return [(ms / node[key]).toFixed(2), ctags === null ? "-" : (ms / ctags[key]).toFixed(2)];
  }
}

function main(scratch) {
  const places = prepare(scratch);
  const hasCtags = spawnSync("ctags", ["--version"]).status === 0;
  if (!hasCtags) console.log("no ctags here: ratios to it are left out");
  const rounds = Array.from({ length: Number(given.rounds ?? 3) }, (_, round) =>
    runRound({ scratch, places, hasCtags, round }),
  );
  const missed = report(rounds);
  console.log(`hook names the file that was asked about: ${countRight(places, rounds.at(-1).env)}`);
  if (missed.length > 0) process.exitCode = 1;
}

if (repository === undefined) {
  process.stderr.write("usage: npm run bench:index -- <repository> [--rounds N] [--questions FILE]\n");
  process.exitCode = 2;
} else {
  await withScratch(main);
}
