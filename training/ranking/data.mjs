// Reads the benchmarks and turns every query into candidates with features, by the very functions that the product uses.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { findStrangers } from "../../bench/domains.mjs";

const project = resolve(import.meta.dirname, "..", "..");
const CODE = new Set(
  (
    ".py .pyi .js .mjs .cjs .jsx .ts .tsx .mts .cts .vue .svelte .go .rs .java .kt .kts .rb .php .c .h .cc .cpp .cxx .hh " +
    ".hpp .hxx .cs .swift .scala .sbt .ex .exs .dart .lua .sql .sh .bash .bats .zig .hs .m .mm .pl .pm .erb"
  ).split(" "),
);
const SKIPPED = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  "dist",
  "build",
  ".cache",
]);

/** The benchmark's library, or null with a word on what is missing. BENCH_HOME: its folder; BENCH_CACHE: the checkouts. */
export async function openBench() {
  const home = process.env.BENCH_HOME ?? resolve(project, "..", "shared", "bench");
  const library = join(home, "lib.mjs");
  if (existsSync(library) && existsSync(process.env.BENCH_CACHE ?? "")) return import(pathToFileURL(library).href);
  console.error("needs the benchmarks (BENCH_HOME) and their checkouts (BENCH_CACHE); nothing measured");
  return null;
}

/** The search engine's functions, bundled from the sources. */
export async function loadEngine() {
  const scratch = mkdtempSync(join(tmpdir(), "fit-ranking-"));
  const outfile = join(scratch, "engine.mjs");
  const names = {
    "./confidence.ts": ["readConfidence"],
    "./issue.ts": ["findIssueCandidates", "viewIssue"],
    "./issue-definitions.ts": ["findDefinitionCandidates"],
    "../../../tests/support/text-index.ts": ["makeTextIndex"],
    "./postings.ts": ["findTerms"],
    "./query.ts": ["toQueryTerms"],
    "./question.ts": ["findCandidates", "isSymbolQuery"],
    "./score.ts": ["weigh"],
    "./weights.ts": ["NO_ANSWER", "QUESTION_WEIGHTS"],
  };
  const contents = Object.entries(names).map(([file, list]) => `export { ${list.join(", ")} } from "${file}";`);
  await build({
    stdin: { contents: contents.join("\n"), resolveDir: join(project, "src", "engine", "search"), loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    define: { "import.meta.dirname": JSON.stringify(join(project, "src", "engine")) },
    logLevel: "error",
  });
  const engine = await import(pathToFileURL(outfile).href);
  rmSync(scratch, { recursive: true });
  return engine;
}

function listCode(root) {
  const found = [];
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(path);
      else if (entry.isFile() && CODE.has(extname(entry.name).toLowerCase())) found.push(relative(root, path));
    }
  };
  walk(root);
  return found;
}

/** An index in memory of one checkout. */
function indexFolder(engine, root) {
  return engine.makeTextIndex(new Map(listCode(root).map((path) => [path, readFileSync(join(root, path), "utf8")])));
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Questions: `{ kind, group, targets, names, rows: [{ x, hits }] }`, hits by number of target. */
export function readQuestions(bench, engine) {
  const { tasks } = bench.load("semble", "dev");
  const cases = [];
  for (const own of groupBy(tasks, (task) => task.checkout.name).values()) {
    const { root, dir } = bench.place("semble", own[0].checkout);
    if (!existsSync(root)) continue;
    const index = indexFolder(engine, root);
    for (const task of own) {
      const terms = engine.findTerms(index, engine.toQueryTerms(task.query, { hasSynonyms: true }));
      const targets = [...task.relevant, ...task.secondary];
      const reaches = (path, { line, endLine }, target) =>
        (path === target.path || path.endsWith(`/${target.path}`)) &&
        (target.start_line === undefined || (line <= target.end_line && endLine >= target.start_line));
      const rows = engine.findCandidates(index, task.query, terms).map((candidate) => {
        const path = relative(dir, join(root, index.pathOf(candidate.file)));
        const hits = targets.flatMap((target, at) => (reaches(path, candidate, target) ? [at] : []));
        return { features: candidate.features, hits };
      });
      const kind = engine.isSymbolQuery(task.query) ? "symbol" : "words";
      cases.push({ kind, group: task.repo, targets: targets.length, rows });
    }
  }
  return cases;
}

/** Foreign repositories that a question is asked in. */
const ASKED_ELSEWHERE = 6;

/** Questions in words, each asked in its own and in foreign repositories: `{ group, from, isOwn, features }`. */
export function readAnswers(bench, engine) {
  const { tasks } = bench.load("semble", "dev");
  const questions = tasks.filter(({ query }) => !engine.isSymbolQuery(query));
  const strangers = findStrangers(tasks);
  const isAsked = ({ repo }, at, group) => {
    const others = strangers.get(repo);
    const place = others.indexOf(group);
    return repo === group || (place >= 0 && (place + at) % others.length < ASKED_ELSEWHERE);
  };
  const cases = [];
  for (const [group, own] of groupBy(tasks, ({ repo }) => repo)) {
    const { root } = bench.place("semble", own[0].checkout);
    if (!existsSync(root)) continue;
    const index = indexFolder(engine, root);
    for (const { query, repo } of questions.filter((task, at) => isAsked(task, at, group))) {
      const terms = engine.findTerms(index, engine.toQueryTerms(query, { hasSynonyms: true }));
      const best = engine
        .findCandidates(index, query, terms)
        .map(({ features }) => ({ features, score: engine.weigh(features, engine.QUESTION_WEIGHTS) }))
        .sort((a, b) => b.score - a.score);
      const features = engine.readConfidence(index, { query, terms, best });
      cases.push({ group, from: repo, isOwn: repo === group, features });
    }
  }
  return cases;
}

/** Issues: `{ bench, group, targets, rows: [{ features, hits }], definitions: [{ rows }] }`. */
export function readIssues(bench, engine, name) {
  const { tasks } = bench.load(name, "dev");
  const cases = [];
  for (const task of tasks) {
    const { root } = bench.place(name, task.checkout);
    if (!existsSync(root)) continue;
    const index = indexFolder(engine, root);
    const view = engine.viewIssue(index, task.query);
    const functions = task.gold_functions ?? [];
    const definitionsOf = (file, path) =>
      engine.findDefinitionCandidates(index, view, file).map(({ definition: { qualified }, features }) => {
        const own = qualified.replace(/\.__init__$/, "");
        const isGold = ({ path: target, symbol }) =>
          target === path && (own === symbol || qualified.endsWith(`.${symbol}`));
        return { features, hits: functions.flatMap((target, at) => (isGold(target) ? [at] : [])) };
      });
    const rows = engine.findIssueCandidates(index, view).map(({ file, features }, rank) => {
      const path = index.pathOf(file);
      const at = task.gold_files.indexOf(path);
      const hasDefinitions = functions.length > 0 && (at >= 0 || rank < 30);
      return { features, hits: at < 0 ? [] : [at], definitions: hasDefinitions ? definitionsOf(file, path) : [] };
    });
    cases.push({
      bench: name,
      id: task.id,
      group: task.repo,
      targets: task.gold_files.length,
      functions: functions.length,
      rows,
    });
  }
  return cases;
}
