// `npm run bench:team-search [-- --only quality,many] [--repos DIR] [--count N] [--minutes N]`: questions to the
// repositories of a team.
//   quality  the public benchmark's questions over all of its repositories at once, none of them named: how often the
//            right one is first, and NDCG@10, compared with one local index over the same checkouts; and the same with
//            the asker's own repository known
//   many     500 repositories: those of the benchmark, and folders of a large checkout (--repos DIR), each published as
//            a repository; 100 clients that each ask every ten seconds; latency, and the cost for server and database
//   hidden   the same with tokens that may not read half of the repositories: leaked words, and times (Mann-Whitney U);
//            across repositories, and with the tools for a single one
//   monorepo a large checkout (--repos DIR) as one repository: time to publish it, and of tool calls
// Quality needs the benchmarks next to the project and their checkouts (BENCH_CACHE); the other parts also use their
// questions if they are available.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findNames } from "./base/questions.mjs";
import { loadTasks, ndcg } from "./support.mjs";
import { ask, cpuOf, cpuOfAll, inLanes, mannWhitney, quantile, withServer } from "./team/support.mjs";

const { values: given } = parseArgs({
  options: {
    only: { type: "string" },
    repos: { type: "string" },
    count: { type: "string" },
    minutes: { type: "string" },
  },
});
const parts = new Set(given.only?.split(",") ?? ["quality", "many", "hidden"]);
const REPOS = Number(given.count ?? 500);
const CLIENTS = 100;
const EVERY_MS = 10_000;
const WAITED_MS = 300;
const MINUTES = Number(given.minutes ?? 3);
const PAIRS = 2_000;
const HOSTILE = 10_000;
const NAMES = 40;
/** Number of names that are searched for without permission to find them. */
const WORDS = 20;

const tasks = (await loadTasks("semble")) ?? [];
if (tasks.length === 0 && parts.has("quality")) process.exit(0);
if (given.repos === undefined && ["many", "hidden", "monorepo"].some((part) => parts.has(part))) {
  console.log("--repos DIR is missing: a large checkout, such as the source of Linux");
  process.exit(2);
}
await withServer(async (team) => {
  const publisher = team.makeToken("--publish", "*");
  team.machine.env.GROUNDWORK_BASE_TOKEN = publisher;
  const key = join(team.scratch, "key.pem");
  team.machine.run(team.scratch, "base", "keygen", "--out", key);
  const place = { ...team, key, reader: team.makeToken("--read", "*") };
  const roots = new Map(tasks.map(({ repo, root }) => [repo, root]));
  if (parts.has("monorepo")) await measureMonorepo(place, given.repos);
  for (const [repo, root] of roots) publish(place, repo, root);
  if (parts.has("quality")) await measureQuality(place, roots);
  const names = [...roots.keys()];
  if (parts.has("many") || parts.has("hidden")) names.push(...publishFolders(place, given.repos, REPOS - names.length));
  if (parts.has("many")) await measureMany(place, names);
  if (parts.has("hidden")) await measureHidden(place, names);
});

/** Publishes a copy of a folder as a repository. */
function publish({ scratch, machine, url, key }, name, folder) {
  const root = join(scratch, "repos", name);
  cpSync(folder, root, { recursive: true, filter: (path) => !/\/\.git(?:\/|$)/.test(path), verbatimSymlinks: true });
  const git = (...args) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "--quiet");
  git("add", "--all", "--force", ".");
  git("-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "--quiet", "--message", "bench");
  return machine.run(root, "base", "publish", "--to", `${url}/v1/base/${name}`, "--key", key);
}

/** Publishes up to `most` folders of a checkout with 15 to 400 files each. */
function publishFolders(place, top, most) {
  const names = [];
  const startMs = performance.now();
  const look = (folder) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    const own = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
    const files = countFiles(folder);
    if (files >= 15 && files <= 400 && names.length < most) {
      const name = `${names.length}-${relative(top, folder)
        .replaceAll(/[^A-Za-z0-9]+/g, "-")
        .slice(0, 90)}`;
      publish(place, name, folder);
      names.push(name);
    } else if (files > 400) for (const { name } of own) look(join(folder, name));
  };
  look(top);
  console.log(`published ${names.length} folders in ${Math.round((performance.now() - startMs) / 1_000)} s`);
  return names;
}

function countFiles(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile()).length;
}

async function search({ url, reader }, question, token = reader) {
  const { status, text, ms } = await ask(`${url}/v1/search`, token, { method: "POST", body: JSON.stringify(question) });
  return { status, ms, ...(status === 200 ? JSON.parse(text) : {}) };
}

/** Expected results of a question, as `repo/path`. */
function targetsOf({ repo, root, dir, relevant, secondary }) {
  return [...relevant, ...secondary].map(({ path }) => {
    const found = [join(dir, path), join(root, path)].find((file) => existsSync(file)) ?? "";
    return `${repo}/${relative(root, found)}`;
  });
}

/** Prints the quality of answers; each is a list of `repo/path`, best first. */
function report(what, answers) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const rows = tasks.map((task, at) => ({
    repo: task.repo,
    ndcg: ndcg(targetsOf(task).map((target) => answers[at].indexOf(target))),
    first: Number(answers[at][0]?.split("/")[0] === task.repo),
  }));
  const byRepo = [...new Set(rows.map(({ repo }) => repo))].map((name) => rows.filter(({ repo }) => repo === name));
  console.log(
    `${what}: right repository first ${(100 * mean(rows.map(({ first }) => first))).toFixed(1)} %, NDCG@10 ${mean(byRepo.map((own) => mean(own.map((row) => row.ndcg)))).toFixed(4)} (by repository), ${mean(rows.map((row) => row.ndcg)).toFixed(4)} (by question)`,
  );
}

async function measureQuality(place, roots) {
  const toPaths = ({ candidates }) => candidates.map(({ repo, file }) => `${repo}/${file}`);
  const asked = async (own) => {
    const answers = Array(tasks.length);
    await inLanes(tasks.length, 2, async (at) => {
      const { query, repo } = tasks[at];
      answers[at] = toPaths(await search(place, { query, ...(own ? { own: repo } : {}) }));
    });
    return answers;
  };
  report(`${tasks.length} questions over ${roots.size} repositories, team's server`, await asked(false));
  report("  with the asker's repository known", await asked(true));
  const all = join(place.scratch, "all");
  mkdirSync(all);
  for (const repo of roots.keys())
    cpSync(join(place.scratch, "repos", repo), join(all, repo), {
      recursive: true,
      filter: (path) => !/\/\.git(?:\/|$)/.test(path),
      verbatimSymlinks: true,
    });
  execFileSync("git", ["init", "--quiet"], { cwd: all });
  place.machine.run(all, "index");
  const file = join(place.scratch, "questions.jsonl");
  writeFileSync(file, tasks.map(({ query }, id) => JSON.stringify({ id, query })).join("\n"));
  const { printed } = place.machine.run(all, "search", "--each", file);
  const local = printed.split("\n").map((line) => JSON.parse(line).data.candidates.map((hit) => hit.file));
  report("  one local index over the same files", local);
}

/** Returns the questions of the benchmark, and questions about names in the repositories. */
function questionsFor({ scratch }, names) {
  const found = names.flatMap((name, at) => {
    const root = join(scratch, "repos", name);
    const [file] = readdirSync(root, { recursive: true })
      .filter((path) => /\.(?:c|py|ts|go|rs|rb)$/.test(path))
      .slice(at % 5);
    if (file === undefined) return [];
    const [, called] = /\b([a-z]+_[a-z_]{4,30})\(/.exec(readFileSync(join(root, file), "utf8")) ?? [];
    return called === undefined ? [] : [`who calls ${called}?`, `how does ${called.replaceAll("_", " ")} work`];
  });
  return [...tasks.map(({ query }) => query), ...found];
}

async function measureMany(place, names) {
  const { url, server, postgres, database } = place;
  const [, name] = /\/\/\/(\w+)/.exec(database);
  const sizes = postgres.sql(
    name,
    "SELECT relname || ' ' || pg_size_pretty(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'groundwork' AND relkind = 'r' ORDER BY pg_total_relation_size(c.oid) DESC LIMIT 4",
  );
  console.log(`on disk: ${sizes.replaceAll("\n", ", ")}`);
  const tokens = Array.from({ length: 10 }, () => place.makeToken("--read", "*"));
  const questions = questionsFor(place, names);
  await inLanes(50, 2, (at) => search({ url }, { query: questions[(at * 37) % questions.length] }, tokens[at % 10]));
  const rounds = Math.ceil((MINUTES * 60_000) / EVERY_MS);
  const before = { server: cpuOf(server.pid), database: cpuOfAll(postgres.pid) };
  const times = [];
  let failed = 0;
  let repos = 0;
  let files = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      await sleep((client * EVERY_MS) / CLIENTS);
      for (let round = 0; round < rounds; round++) {
        const startMs = performance.now();
        const query = questions[(client * 7_919 + round * 104_729) % questions.length];
        const answer = await search({ url }, { query }, tokens[client % tokens.length]);
        times.push(answer.ms);
        if (answer.status !== 200) failed++;
        [repos, files] = [Math.max(repos, answer.repos ?? 0), Math.max(files, answer.files ?? 0)];
        await sleep(Math.max(0, EVERY_MS - (performance.now() - startMs)));
      }
    }),
  );
  const each = (now, then) => `${(((now - then) / times.length) * 1_000).toFixed(0)} ms`;
  const p95 = quantile(times, 0.95);
  console.log(
    `${repos} repositories, ${files} files; ${CLIENTS} clients, one question each every ${EVERY_MS / 1_000} s: ${times.length} asked, ${failed} failed`,
  );
  console.log(
    `  p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (bar ${WAITED_MS}: ${p95 <= WAITED_MS && failed === 0 ? "met" : "MISSED"}), longest ${Math.max(...times).toFixed(0)} ms`,
  );
  console.log(
    `  each costs the server ${each(cpuOf(server.pid), before.server)}, the database ${each(cpuOfAll(postgres.pid), before.database)} of a processor`,
  );
}

async function measureHidden(place, names) {
  // The tokens may not read every other repository. There are several because of the rate limit per token.
  const own = names.filter((_, at) => at % 2 === 0).slice(0, 60);
  const others = names.filter((_, at) => at % 2 === 1);
  const tokens = Array.from({ length: 12 }, () => place.makeToken("--read", own.join(",")));
  const words = await findHidden(place, others, tokens[0]);
  const usual = await search(place, { query: "x" }, tokens[0]);
  const hostile = hostileQuestions(words, others);
  let leaks = 0;
  await inLanes(HOSTILE, 4, async (at) => {
    const question = hostile[at % hostile.length];
    const { status, repos, files, candidates, unknown } = await search(place, question, tokens[at % tokens.length]);
    const isNamed = question.repos !== undefined;
    const [most, mostFiles] = isNamed ? [0, 0] : [usual.repos, usual.files];
    const isKnown = isNamed ? unknown.length === question.repos.length : unknown.length === 0;
    const strange = candidates?.some(({ repo }) => !own.includes(repo));
    if (status !== 200 || repos !== most || files !== mostFiles || strange || !isKnown) leaks++;
  });
  console.log(
    `hidden: ${leaks} of ${HOSTILE} hostile questions tell of one of ${others.length} unreadable repositories`,
  );
  await measureHiddenCalls(place, words, others, tokens);
  // Alternates between a word of unreadable repositories and the same letters reversed, which occur nowhere.
  const times = { hidden: [], nowhere: [] };
  for (let at = 0; at < PAIRS; at++) {
    for (const which of Math.random() < 0.5 ? ["hidden", "nowhere"] : ["nowhere", "hidden"]) {
      const word = words[at % words.length];
      const query = which === "hidden" ? word : turnRound(word);
      const { ms } = await search(place, { query, own: others[0] }, tokens[at % tokens.length]);
      times[which].push(ms);
    }
  }
  const { z, p } = mannWhitney(times.hidden, times.nowhere);
  console.log(
    `  times: ${PAIRS} + ${PAIRS} in turn; words of unreadable repositories ${quantile(times.hidden, 0.5).toFixed(2)} ms, words of none ${quantile(times.nowhere, 0.5).toFixed(2)} ms; Mann-Whitney z ${z.toFixed(2)}, p ${p.toFixed(3)}`,
  );
}

/** Calls a tool over MCP. */
async function call({ url, reader }, name, args, token = reader) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const { status, text, ms } = await ask(`${url}/mcp`, token, { method: "POST", body, headers });
  return { status, text, ms };
}

/** Compares tool calls in unreadable repositories with calls in missing ones whose names are equally long. */
async function measureHiddenCalls(place, words, others, tokens) {
  const calls = words.flatMap((word) => [
    ["ci_call_chain", { symbol: word }],
    ["ci_impact", { symbol: word }],
    ["ci_graph_rag", { query: `who calls ${word}?` }],
    ["ci_bug_locate", { error: `TypeError: ${word} is not a function` }],
    ["ci_complexity", { path: "." }],
  ]);
  const nobodys = (repo) => turnRound(repo.toLowerCase()).padEnd(repo.length, "x");
  const times = { hidden: [], nowhere: [] };
  let leaks = 0;
  for (let at = 0; at < PAIRS; at++) {
    const repo = others[at % others.length];
    const named = { hidden: repo, nowhere: nobodys(repo) };
    const [name, args] = calls[at % calls.length];
    const said = {};
    for (const which of Math.random() < 0.5 ? ["hidden", "nowhere"] : ["nowhere", "hidden"]) {
      const { text, ms } = await call(place, name, { ...args, repo: named[which] }, tokens[at % tokens.length]);
      times[which].push(ms);
      said[which] = text.replaceAll(named[which], "REPO");
    }
    if (said.hidden !== said.nowhere || !said.hidden.includes("no repository REPO")) leaks++;
  }
  const { z, p } = mannWhitney(times.hidden, times.nowhere);
  console.log(
    `  tools: ${leaks} of ${PAIRS} calls in an unreadable repository are answered otherwise than in none; ${quantile(times.hidden, 0.5).toFixed(2)} and ${quantile(times.nowhere, 0.5).toFixed(2)} ms, Mann-Whitney z ${z.toFixed(2)}, p ${p.toFixed(3)}`,
  );
}

/** Measures a large repository on the server. */
async function measureMonorepo(place, root) {
  const startMs = performance.now();
  publish(place, "monorepo", root);
  const seconds = () => Math.round((performance.now() - startMs) / 1_000);
  console.log(`monorepo: ${countFiles(root)} files, published in ${seconds()} s`);
  const sizes = place.postgres.sql(
    new URL(place.database).pathname.slice(1),
    `SELECT relname || ' ' || pg_size_pretty(pg_total_relation_size(oid)) FROM pg_class
     WHERE relnamespace = 'groundwork'::regnamespace AND relkind = 'r' AND pg_total_relation_size(oid) > 1000000`,
  );
  console.log(`  on disk: ${sizes.split("\n").join(", ")}`);
  const paths = readdirSync(root, { recursive: true }).filter((path) => path.endsWith(".c"));
  const names = findNames(root, paths, NAMES);
  const rows = { ci_search: [], ci_call_chain: [], ci_impact: [], ci_graph_rag: [], ci_bug_locate: [] };
  const cut = {};
  for (const name of names) {
    for (const [tool, args] of [
      ["ci_search", { query: `how does ${name} work?`, repos: ["monorepo"] }],
      ["ci_call_chain", { symbol: name, repo: "monorepo" }],
      ["ci_impact", { symbol: name, repo: "monorepo" }],
      ["ci_graph_rag", { query: `who calls ${name}?`, repo: "monorepo" }],
      ["ci_bug_locate", { error: `kernel oops in ${name}`, repo: "monorepo" }],
    ]) {
      const { status, text, ms } = await call(place, tool, args);
      if (status !== 200) throw new Error(`${tool} ${name}: ${status}`);
      rows[tool].push(ms);
      if (text.includes("more than could be looked at")) cut[tool] = (cut[tool] ?? 0) + 1;
    }
  }
  for (const [tool, times] of Object.entries(rows))
    console.log(
      `  ${tool}: ${times.length} calls, first ${times[0]?.toFixed(0)} ms, half within ${quantile(times, 0.5).toFixed(0)} ms, 95 % within ${quantile(times, 0.95).toFixed(0)} ms, ${cut[tool] ?? 0} cut`,
    );
}

/** Questions that try to reach unreadable repositories: by words, names, paths, SQL and the inputs of a question. */
function hostileQuestions(words, others) {
  return words.flatMap((word, at) => {
    const repo = others[at % others.length];
    return [
      { query: word },
      { query: `who calls ${word}() in ${repo}?` },
      { query: `${repo}/${word}` },
      { query: `${word}' OR repo = '${repo}' --`, own: repo },
      { query: `%${word.slice(1, -1)}%` },
      { query: `/${word}|${repo}/` },
      { query: word, repos: [repo] },
      { query: word, repos: [`${repo}' OR '1'='1`, `${repo}%`, repo.toUpperCase()] },
    ];
  });
}

/** Returns a word of the same shape: the letters of each part reversed. */
function turnRound(word) {
  return word.replaceAll(/[a-z]+/g, (part) => [...part].reverse().join(""));
}

/** Returns names that occur in unreadable repositories and in no readable one. */
async function findHidden(place, others, token) {
  const isUnknown = async (word) => (await search(place, { query: word }, token)).candidates.length === 0;
  const found = [];
  for (const repo of others) {
    const root = join(place.scratch, "repos", repo);
    for (const word of findNames(root, readdirSync(root, { recursive: true }), NAMES))
      if (found.length < WORDS && (await isUnknown(word)) && (await isUnknown(turnRound(word)))) found.push(word);
  }
  if (found.length === 0) throw new Error("no name is in the others alone");
  return found;
}
