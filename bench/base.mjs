// `npm run bench:base -- <monorepo> <usual> [--only attach,push,trees,answers,hook] [--before DIR]`: bases of indexes.
// Both arguments are full clones; works on clones of them. The store is nginx from the system's packages, whose
// `limit_rate` simulates the network; a "machine" is a separate home and state folder. Times depend on this machine;
// ratios are taken within one run.
//   attach   a fresh clone of the monorepo at 100 Mbit/s, compared with building its index
//   push     100 files change on main: publishing the difference, and how much of it a client downloads
//   trees    a second work tree of each
//   answers  1,000 calls in one process and 40 prompts through the hook, in five states of the usual repository,
//            compared with a local index
//   hook     the cost of a prompt over a base with the store up, gone and hanging; whether it opens a connection
//   size     with --before, a built checkout of an older version: size on disk of an index without a base
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { makeMachine } from "./base/machine.mjs";
import { hasNginx, startNginx } from "./base/nginx.mjs";
import { findNames, makeCalls, makeSentences } from "./base/questions.mjs";
import { hook, median, withScratch } from "./support.mjs";

const {
  values: { only, before },
  positionals: [monorepo, usual],
} = parseArgs({ options: { only: { type: "string" }, before: { type: "string" } }, allowPositionals: true });
if (monorepo === undefined || usual === undefined) {
  console.log("usage: npm run bench:base -- <monorepo> <usual> [--only attach,push,trees,answers,hook] [--before DIR]");
  process.exit(2);
}
if (!hasNginx()) {
  console.log("nginx is missing; install it (apt-get install nginx) and run this again");
  process.exit(2);
}
const parts = new Set(only?.split(",") ?? ["attach", "push", "trees", "answers", "hook"]);
const MEGABITS = 100;
const CALLS = 1_000;
const PROMPTS = 40;
const ROUNDS = 30;
const PUSHED = 100;
const EDITED = 30;
const BEHIND = 500;

let missed = 0;
/** Prints a figure and whether it meets its threshold. */
function report(what, measured, isMet, bar) {
  if (!isMet) missed++;
  console.log(`${what}: ${measured} (bar ${bar}: ${isMet ? "met" : "MISSED"})`);
}

const git = (cwd, ...args) => {
  const done = spawnSync("git", args, { cwd, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
  return done.stdout.trim();
};
const NAMED = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
const commitAll = (cwd) => git(cwd, ...NAMED, "commit", "--quiet", "--all", "--message", "bench");

function clone(from, to, commit = "HEAD") {
  git(dirname(to), "clone", "--quiet", "--no-checkout", `file://${resolve(from)}`, to);
  git(to, "checkout", "--quiet", "-B", "bench", commit === "HEAD" ? "HEAD" : commit);
  return to;
}

const listFiles = (root) => git(root, "ls-files", "-z").split("\0").filter(Boolean);
const isSource = (path) => /\.(?:py|c|h|ts|js|go|rs)$/.test(path);
/** About `count` files of a list, evenly spaced. */
const pick = (paths, count) => paths.filter((_, at) => at % Math.max(1, Math.floor(paths.length / count)) === 0);

/** Appends a definition to files. */
function edit(root, paths, mark) {
  for (const path of paths) {
    const name = `bench_${mark}_${path.replace(/\W/g, "_")}`;
    const text = path.endsWith(".py") ? `\ndef ${name}():\n    return 1\n` : `\nint ${name}(void)\n{\n\treturn 1;\n}\n`;
    appendFileSync(join(root, path), text);
  }
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)))
    .reduce((sum, { blocks }) => sum + blocks * 512, 0);
}

const mb = (bytes) => `${(bytes / 1_000_000).toFixed(1)} MB`;
const seconds = (value) => `${value.toFixed(1)} s`;

/** Makes a store with the base of a clone's commit. */
function publish(scratch, root) {
  const publisher = makeMachine(join(scratch, `publisher-${Math.random()}`));
  const key = join(publisher.state, "key.pem");
  const publicKey = publisher.run(root, "base", "keygen", "--out", key).printed;
  const store = join(publisher.state, "store");
  mkdirSync(store);
  const again = () => {
    const done = publisher.run(root, "base", "publish", "--to", store, "--key", key, "--json");
    return { ...done, ...JSON.parse(done.printed) };
  };
  return { store, publicKey, first: again(), again };
}

/** Makes a machine that has joined a store, with a complete index of a clone. */
function attach(scratch, name, root, place, publicKey) {
  const machine = makeMachine(join(scratch, name));
  machine.run(root, "base", "join", place, "--key", publicKey);
  const built = machine.run(root, "index", "--json");
  return { machine, ...built, ...JSON.parse(built.printed) };
}

async function measureMonorepo(scratch) {
  const root = clone(monorepo, join(scratch, "monorepo"));
  const paths = listFiles(root);
  const { store, publicKey, first, again } = publish(scratch, root);
  console.log(
    `${first.files} files; base ${mb(first.bytes)} in the store; published in ${seconds(first.wallS)} (${seconds(first.cpuS)} of CPU)`,
  );
  if (parts.has("attach")) {
    const nginx = await startNginx(scratch, store, MEGABITS);
    const fresh = clone(monorepo, join(scratch, "fresh"));
    const { machine, wallS, cpuS, taken } = attach(scratch, "client", fresh, nginx.url, publicKey);
    nginx.stop();
    report("index over the base, calls included", seconds(wallS), wallS <= 45, "45 s");
    console.log(`at ${((first.bytes * 8) / 1_000_000 / wallS).toFixed(0)} Mbit/s over all of that time`);
    report("CPU of the client for it", seconds(cpuS), cpuS <= 15, "15 s");
    console.log(`${taken} of ${first.files} files taken from the base; unpacked ${mb(bytesIn(machine.state))}`);
    const [name] = findNames(fresh, paths, 1);
    const startMs = performance.now();
    const answer = machine.ask(fresh, `who calls ${name}?`);
    const isIndexed = /index: ready/.test(answer);
    console.log(
      `first answer ${isIndexed ? "from the index" : "WITHOUT INDEX"} in ${seconds((performance.now() - startMs) / 1_000)}`,
    );
    if (parts.has("trees")) await measureTree(scratch, "monorepo", fresh, machine);
  }
  if (parts.has("push")) {
    edit(root, pick(paths.filter(isSource), PUSHED).slice(0, PUSHED), "push");
    commitAll(root);
    const { wallS, bytes, over } = again();
    report(`${PUSHED} files pushed: publishing (over ${over})`, seconds(wallS), wallS <= 60, "60 s");
    report("what a client downloads of it", mb(bytes), bytes <= 5_000_000, "5 MB");
  }
}

/** Measures a second work tree of a repository that has an index. */
async function measureTree(scratch, what, root, machine) {
  const bytes = bytesIn(machine.state);
  const tree = join(scratch, `tree-${what}`);
  git(root, "worktree", "add", "--quiet", "--detach", tree);
  const [name] = findNames(tree, listFiles(tree), 1);
  const startMs = performance.now();
  const { printed } = machine.run(tree, "index");
  const isIndexed = /index: ready/.test(machine.ask(tree, `who calls ${name}?`));
  const tookS = (performance.now() - startMs) / 1_000;
  report(
    `second work tree of the ${what} (${printed})`,
    `${isIndexed ? "" : "NOT INDEXED, "}${seconds(tookS)}`,
    tookS <= 2,
    "2 s",
  );
  const share = bytesIn(machine.state) / bytes - 1;
  report("more on disk for it", `${(100 * share).toFixed(1)} %`, share <= 0.1, "10 %");
}

/** Removes what differs between two equal answers: times, and the marks around a block. */
const withoutTimes = (text) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/gw-[0-9a-f]+/g, "gw-MARK")
    .replace(/\b[\d.]+ ?(?:ms|s)\b/g, "TIME")
    .replace(/_ms\\?":\d+/g, '_ms":0');

/** Prints the first difference between two answers. */
function showDifference(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  for (const text of [one, other]) console.log(`  …${text.slice(Math.max(0, at - 100), at + 300)}`);
}

/** Answers calls in one process of a machine. */
async function answerAll(machine, root, calls) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "base", "answer.mjs")], {
    cwd: root,
    env: machine.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(calls));
  const answers = (await text(child.stdout)).trim().split("\n").map(withoutTimes);
  if (answers.length !== calls.length) throw new Error(`${answers.length} of ${calls.length} answers`);
  return answers;
}

/** Returns a recent ancestor from which at least `count` files differ. */
function findBehind(root, count) {
  for (let back = 50; ; back += 50) {
    const id = git(root, "rev-parse", `HEAD~${back}`);
    if (git(root, "diff", "--name-only", id, "HEAD").split("\n").length >= count) return id;
  }
}

const STATES = {
  clean: () => {},
  [`${EDITED} files edited`]: (root, paths) => edit(root, pick(paths, EDITED).slice(0, EDITED), "edit"),
  [`${BEHIND} files behind`]: (root, _, tip) => git(root, "checkout", "--quiet", "-B", "bench", tip),
  "another branch": (root, paths, tip) => {
    git(root, "checkout", "--quiet", "-B", "bench", `${tip}~25`);
    edit(
      root,
      pick(paths, 10).filter((path) => statSync(join(root, path), { throwIfNoEntry: false })),
      "branch",
    );
    commitAll(root);
  },
  "files deleted and renamed": (root, paths) => {
    const some = pick(paths, 60);
    for (const path of some.slice(0, 20)) rmSync(join(root, path));
    for (const path of some.slice(20, 40))
      renameSync(join(root, path), join(root, path.replace(/(\.\w+)$/, "_renamed$1")));
  },
};

async function compareAnswers(scratch) {
  const root = clone(usual, join(scratch, "usual"));
  const tip = git(root, "rev-parse", "HEAD");
  const base = findBehind(root, BEHIND);
  git(root, "checkout", "--quiet", "-B", "bench", base);
  const { store, publicKey, first } = publish(scratch, root);
  console.log(`${first.files} files; base ${mb(first.bytes)} in the store; published in ${seconds(first.wallS)}`);
  const sources = listFiles(root).filter(isSource);
  const names = findNames(root, sources, CALLS);
  const calls = makeCalls(names, sources, CALLS);
  const sentences = makeSentences(names, PROMPTS);
  for (const [at, [what, change]] of Object.entries(STATES).entries()) {
    git(root, "checkout", "--quiet", "--force", "-B", "bench", base);
    git(root, "clean", "-fdq");
    change(root, sources, tip);
    const over = attach(scratch, `over-${at}`, root, store, publicKey);
    const alone = makeMachine(join(scratch, `alone-${at}`));
    const built = alone.run(root, "index");
    const [mine, theirs] = await Promise.all([over.machine, alone].map((machine) => answerAll(machine, root, calls)));
    const same = mine.filter((answer, call) => answer === theirs[call]).length;
    report(
      `${what}: ${over.taken} files from the base, ${over.changed} read (${seconds(over.wallS)}; alone ${seconds(built.wallS)}); the same answers`,
      `${same} of ${CALLS}`,
      same === CALLS,
      "all",
    );
    const different = mine.findIndex((answer, call) => answer !== theirs[call]);
    if (different >= 0) console.log(`  ${JSON.stringify(calls[different])}`);
    if (different >= 0) showDifference(mine[different], theirs[different]);
    const told = sentences.map((prompt) =>
      [over.machine, alone].map((machine) => withoutTimes(machine.ask(root, prompt))),
    );
    const equal = told.filter(([one, other]) => one === other).length;
    report(`${what}: the same through the hook`, `${equal} of ${PROMPTS}`, equal === PROMPTS, "all");
    const odd = told.find(([one, other]) => one !== other);
    if (odd !== undefined) showDifference(...odd);
    const { state, reason } = JSON.parse(over.machine.run(root, "base", "--json").printed);
    if (state !== "attached") console.log(`  MISSED: the base is ${state}: ${reason}`);
  }
}

/** CPU time in milliseconds of one prompt through the hook. */
function costOf(machine, root, prompt) {
  const script = 'printf %s "$1" | "$2" >/dev/null; times';
  const input = JSON.stringify({ prompt, cwd: root, hook_event_name: "UserPromptSubmit" });
  const done = spawnSync("/bin/sh", ["-c", script, "sh", input, hook], {
    cwd: root,
    env: machine.env,
    encoding: "utf8",
  });
  const times = [...done.stdout.matchAll(/(\d+)m([\d.,]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return times.slice(-2).reduce((sum, one) => sum + one, 0) * 1_000;
}

async function measureHook(scratch) {
  const root = clone(usual, join(scratch, "hooked"));
  const { store, publicKey } = publish(scratch, root);
  const nginx = await startNginx(scratch, store, 1_000);
  const gone = await startNginx(join(scratch, "gone"), store, 1_000);
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const alone = makeMachine(join(scratch, "plain"));
  alone.run(root, "index");
  const up = attach(scratch, "up", root, nginx.url, publicKey).machine;
  const dead = attach(scratch, "dead", root, gone.url, publicKey).machine;
  gone.stop();
  const hanging = attach(scratch, "hanging", root, nginx.url, publicKey).machine;
  hanging.run(root, "base", "join", `http://127.0.0.1:${silent.address().port}`, "--key", publicKey, "--yes");
  const machines = { up, gone: dead, hanging };
  const sentences = makeSentences(findNames(root, listFiles(root), ROUNDS), ROUNDS);
  const costs = { alone: [], up: [], gone: [], hanging: [] };
  for (const prompt of [sentences[0], ...sentences]) {
    for (const [name, machine] of Object.entries({ alone, ...machines }))
      costs[name].push(costOf(machine, root, prompt));
  }
  const plain = median(costs.alone.slice(1));
  for (const name of Object.keys(machines)) {
    const ratio = median(costs[name].slice(1)) / plain;
    report(
      `a prompt over a base, store ${name}, CPU against a local index`,
      `${ratio.toFixed(3)} x`,
      ratio <= 1.05,
      "1.05 x",
    );
  }
  const trace = join(scratch, "trace");
  const input = JSON.stringify({ prompt: sentences[1], cwd: root, hook_event_name: "UserPromptSubmit" });
  for (const [name, machine] of Object.entries(machines)) {
    const traced = spawnSync("strace", ["-f", "-qq", "-e", "trace=connect", "-o", trace, hook], {
      cwd: root,
      env: machine.env,
      input,
    });
    if (traced.error !== undefined) {
      console.log("strace is missing: connections were not looked for");
      break;
    }
    const connections = readFileSync(trace, "utf8").match(/AF_INET6?/g)?.length ?? 0;
    report(`connections of a prompt, store ${name}`, connections, connections === 0, "none");
  }
  nginx.stop();
  silent.close();
}

/** Compares the size of an index without a base with that of an older version. */
function compareSize(scratch) {
  const root = clone(usual, join(scratch, "sized"));
  const sizes = [resolve(import.meta.dirname, ".."), resolve(before)].map((project, at) => {
    const { env, state } = makeMachine(join(scratch, `sized-${at}`));
    const done = spawnSync(join(project, "bin", "groundwork"), ["index"], { cwd: root, env, encoding: "utf8" });
    if (done.status !== 0) throw new Error(done.stderr);
    return bytesIn(join(state, "index"));
  });
  const ratio = sizes[0] / sizes[1];
  report(
    "an index that nobody shares, bytes against the older version",
    `${ratio.toFixed(3)} x`,
    ratio <= 1.05,
    "1.05 x",
  );
}

await withScratch(async (scratch) => {
  if (parts.has("attach") || parts.has("push")) await measureMonorepo(scratch);
  if (parts.has("trees")) {
    const root = clone(usual, join(scratch, "twice"));
    const machine = makeMachine(join(scratch, "twice-machine"));
    machine.run(root, "index");
    await measureTree(scratch, "usual", root, machine);
  }
  if (parts.has("answers")) await compareAnswers(scratch);
  if (parts.has("hook")) await measureHook(scratch);
  if (before !== undefined) compareSize(scratch);
});
console.log(missed === 0 ? "all bars met" : `${missed} bars missed`);
