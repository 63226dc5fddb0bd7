// Reads the benchmarks and turns every query into candidates with features, using the functions of the product.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { findStrangers } from "../../bench/domains.mjs";

const project = resolve(import.meta.dirname, "..", "..");
/** Returns the library of the benchmarks; null, with a message, if BENCH_HOME or BENCH_CACHE lead nowhere. */
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
    "../build/changes.ts": ["findChanges"],
    "../build/read-source.ts": ["readSource"],
    "../store/index-store.ts": ["NO_FOLDERS"],
    "./confidence.ts": ["readConfidence"],
    "./issue.ts": ["findIssueCandidates", "viewIssue"],
    "./issue-definitions.ts": ["findDefinitionCandidates"],
    "../../../tests/support/text-index.ts": ["makeTextIndex"],
    "./postings.ts": ["findTerms"],
    "./query.ts": ["toQueryTerms"],
    "./question.ts": ["findCandidates"],
    "./said.ts": ["isSymbolQuery"],
    "./score.ts": ["weigh"],
    "./weights.ts": ["GRADES", "QUESTION_WEIGHTS"],
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

/** Returns an in-memory index of all files of a checkout that the product would index. */
function indexFolder(engine, root) {
  const nowMs = Date.now();
  const rules = { isExcluded: () => false, hasTime: () => true, nowMs };
  const { changed } = engine.findChanges(root, { files: new Map(), folders: engine.NO_FOLDERS }, rules);
  const read = (path) => engine.readSource(root, path, nowMs)?.content?.toString("utf8") ?? "";
  return engine.makeTextIndex(new Map(changed.map((path) => [path, read(path)])));
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Questions: `{ kind, group, targets, rows: [{ features, hits }] }`; `hits` are indexes of targets. */
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

/** Number of foreign repositories that a question is asked in. */
const ASKED_ELSEWHERE = 6;
/** A title of an issue is asked in about one in this many other repositories. */
const TITLES_ELSEWHERE = 8;

/** Questions of several kinds, with the repositories that each is asked in: `{ kind, from, query, isAskedIn }`. */
function readKinds(bench, engine) {
  const { tasks } = bench.load("semble", "dev");
  const strangers = findStrangers(tasks);
  const chinese = new Map(
    readFileSync(join(project, "bench", "chinese-queries.jsonl"), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ id, zh }) => [id, zh]),
  );
  const words = tasks.flatMap((task, at) => {
    const others = strangers.get(task.repo);
    const isAskedIn = (group) => {
      const place = others.indexOf(group);
      return task.repo === group || (place >= 0 && (place + at) % others.length < ASKED_ELSEWHERE);
    };
    const own = { kind: "words", from: task.repo, query: task.query, isAskedIn };
    const translated = chinese.get(task.id);
    return translated === undefined ? [own] : [own, { ...own, kind: "chinese", query: translated }];
  });
  const titles = bench.load("swe", "dev").tasks.map(({ repo, query }, at) => ({
    kind: "title",
    from: repo,
    query: query.split("\n", 1)[0].trim(),
    isAskedIn: (group) => repo === group || at % TITLES_ELSEWHERE === group.length % TITLES_ELSEWHERE,
  }));
  return [...words, ...titles].filter(({ query }) => !engine.isSymbolQuery(query));
}

/** Questions, each asked in its own and in foreign repositories: `{ kind, group, from, isOwn, features }`. */
export function readAnswers(bench, engine) {
  const questions = readKinds(bench, engine);
  const cases = [];
  for (const name of ["semble", "swe"]) {
    for (const [group, own] of groupBy(bench.load(name, "dev").tasks, ({ repo }) => repo)) {
      const { root } = bench.place(name, own[0].checkout);
      if (!existsSync(root)) continue;
      const index = indexFolder(engine, root);
      for (const { kind, query, from } of questions.filter(({ isAskedIn }) => isAskedIn(group))) {
        const terms = engine.findTerms(index, engine.toQueryTerms(query, { hasSynonyms: true }));
        const best = engine
          .findCandidates(index, query, terms)
          .map(({ features }) => ({ features, score: engine.weigh(features, engine.QUESTION_WEIGHTS) }))
          .sort((a, b) => b.score - a.score);
        const features = engine.readConfidence(index, { query, terms, best });
        cases.push({ kind, group, from, isOwn: from === group, features });
      }
    }
  }
  return cases;
}

/** Issues: `{ bench, id, group, targets, functions, rows: [{ features, hits, definitions }] }`. */
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
