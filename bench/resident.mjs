// `npm run bench:resident -- <repository> [--rounds N]`: the cost of a prompt with and without a resident, as ratios to
// `node -e 0` in the same run, in a bare environment. The cases alternate, so that a busy machine slows all of them
// equally; each figure is a median. Works on a copy of the repository.
// `-- <repository> --compare`: asks every prompt of the development set with and without a resident and compares the
// output of the hook. `-- <repository> --soak [SECONDS]`: see resident-soak.mjs.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeCodeCache } from "../scripts/code-cache.mjs";
import { soak } from "./resident-soak.mjs";
import { cli, hook, median, withScratch } from "./support.mjs";

const {
  values: { rounds: given = "30", compare: isComparison = false, soak: isSoak = false },
  positionals: [repository, seconds = "1800"],
} = parseArgs({
  options: { rounds: { type: "string" }, compare: { type: "boolean" }, soak: { type: "boolean" } },
  allowPositionals: true,
});
if (repository === undefined) {
  console.log("usage: npm run bench:resident -- <repository> [--rounds N | --compare | --soak [SECONDS]]");
  process.exit(2);
}
const corpora = resolve(import.meta.dirname, "..", "..", "shared", "corpora", "dev.tgz");
const ROUNDS = Number(given);
const AT_ONCE = 16;
/** Number of files that differ between the two branches. */
const FILES = 1_000;
/** Number of files that are changed one after the other. */
const CHANGES = 7;
const CHAT = "thanks, have a nice weekend";
/** Questions that fit any repository. */
const QUESTIONS = [
  "where are the settings read and checked?",
  "how are errors reported to the user?",
  "which function parses the arguments?",
  "why is the cache not cleared after an update?",
  "where is a connection opened and closed?",
];

const CLOCK_TICKS = 100;

/** CPU milliseconds of a process and all of its threads so far. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / CLOCK_TICKS;
}

await withScratch(async (scratch) => {
  const root = join(scratch, "repository");
  cpSync(resolve(repository), root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const state = join(scratch, "state");
  const home = join(scratch, "home");
  for (const folder of [state, home]) mkdirSync(folder, { mode: 0o700 });
  const bare = { PATH: process.env.PATH, HOME: home, GROUNDWORK_HOME: state, ...makeCodeCache() };
  const alone = { ...bare, GROUNDWORK_RESIDENT: "off" };
  const groundwork = (...args) => {
    const done = spawnSync(process.execPath, [cli, ...args], { cwd: root, env: bare, encoding: "utf8" });
    return done.stdout;
  };
  const status = () => JSON.parse(groundwork("resident", "status", "--json"));
  const toInput = (prompt) => JSON.stringify({ prompt, cwd: root });
  const time = (command, args, env, input) => {
    const start = performance.now();
    const done = spawnSync(command, args, { cwd: root, env, input, maxBuffer: 2 ** 26 });
    if (done.status !== 0) throw new Error(`${command}: exit ${done.status}\n${done.stderr}`);
    return { ms: performance.now() - start, text: done.stdout.toString("utf8") };
  };
  const evidenceIn = (text) => JSON.parse(text).hookSpecificOutput.additionalContext.length;
  const report = (name, value, unit, note = "") =>
    console.log(`${name.padEnd(52)} ${value.padStart(9)} ${unit}${note === "" ? "" : `  ${note}`}`);

  const indexStart = performance.now();
  groundwork("index");
  report("complete index", ((performance.now() - indexStart) / 1_000).toFixed(1), "s");

  if (isComparison) return comparePrompts({ scratch, root, alone, bare, groundwork, time, toInput });
  if (isSoak) return soak({ root, env: bare, state, seconds: Number(seconds) });

  const cases = {
    "node -e 0": (_) => time(process.execPath, ["-e", "0"], bare, ""),
    "not about code, no resident": (_) => time(hook, [], alone, toInput(CHAT)),
    "status line, no resident": (_) => time(hook, ["statusline"], alone, toInput("")),
    "code question, no resident": (at) => time(hook, [], alone, toInput(QUESTIONS[at % QUESTIONS.length])),
  };
  const withResident = {
    "not about code, resident there": (_) => time(hook, [], bare, toInput(CHAT)),
    "status line, resident there": (_) => time(hook, ["statusline"], bare, toInput("")),
    "code question, resident there": (at) => time(hook, [], bare, toInput(QUESTIONS[at % QUESTIONS.length])),
  };
  groundwork("resident", "start");
  const first = time(hook, [], bare, toInput(QUESTIONS[0]));
  report("first code question after the start", first.ms.toFixed(0), "ms");
  for (let at = 0; at < 600 && status().repositories[0]?.state !== "watched"; at++) await sleep(100);
  const times = new Map();
  for (let round = -3; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries({ ...cases, ...withResident })) {
      const { ms } = run(round + 3);
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  const base = median(times.get("node -e 0"));
  for (const [name, list] of times)
    report(name, median(list).toFixed(1), "ms", `${(median(list) / base).toFixed(2)} x node -e 0`);

  const { pid } = status();
  const questionCosts = [];
  for (let at = 0; at < ROUNDS; at++) {
    const before = cpuOf(pid);
    time(hook, [], bare, toInput(QUESTIONS[at % QUESTIONS.length]));
    questionCosts.push(cpuOf(pid) - before);
  }
  report("CPU of the resident, a question", median(questionCosts).toFixed(0), "ms");

  const asked = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => {
      const start = performance.now();
      return new Promise((done) => {
        const child = spawn(hook, [], { cwd: root, env: bare, stdio: ["pipe", "pipe", "ignore"] });
        const chunks = [];
        child.stdout.on("data", (chunk) => chunks.push(chunk));
        child.on("close", () => done({ ms: performance.now() - start, text: Buffer.concat(chunks).toString("utf8") }));
        child.stdin.end(toInput(QUESTIONS[at % QUESTIONS.length]));
      });
    }),
  );
  const full = asked.filter(({ text }) => evidenceIn(text) > 0).length;
  report(
    `${AT_ONCE} hooks at once, median`,
    median(asked.map(({ ms }) => ms)).toFixed(0),
    "ms",
    `${full} with evidence`,
  );

  const changed = firstFile(root);
  const costs = [];
  let seen = 0;
  for (let at = 0; at < CHANGES; at++) {
    const name = `groundwork_bench_marker_${at}x`;
    const idle = cpuOf(pid);
    appendFileSync(changed, `\n# ${name}\n`);
    await sleep(1_000);
    const { text } = time(hook, [], bare, toInput(`where is ${name}?`));
    if (text.includes(name)) seen++;
    await sleep(1_000);
    costs.push(cpuOf(pid) - idle);
  }
  const more = median(costs) - median(questionCosts);
  report(
    "one changed file, CPU beyond a question",
    more.toFixed(0),
    "ms",
    `${seen} of ${CHANGES} in the answer after 1 s`,
  );
  const mcp = await askByMcp({ root, env: bare, pid, rounds: ROUNDS });
  report("query through MCP, CPU of server and resident", mcp.toFixed(0), "ms");
  const switched = await switchBranch({
    root,
    pid,
    groundwork,
    ask: () => time(hook, [], bare, toInput(QUESTIONS[0])),
  });
  if (switched !== null)
    report(`branch switch of ${FILES} files, CPU until indexed`, (switched / 1_000).toFixed(1), "s");
  const { rss_mb, repositories } = status();
  report("memory of the resident", String(rss_mb), "MB", `${repositories[0]?.files} files, ${repositories[0]?.state}`);
  groundwork("resident", "stop");
});

/** A source file of the repository to change. */
function firstFile(root) {
  const listed = spawnSync("find", [root, "-name", "*.py", "-o", "-name", "*.c", "-o", "-name", "*.ts"], {
    encoding: "utf8",
  });
  const paths = listed.stdout.split("\n").filter((path) => path !== "" && !path.includes("/.git/"));
  return paths.find((path) => statSync(path).size > 2_000) ?? writeAndName(root);
}

function writeAndName(root) {
  const path = join(root, "bench.py");
  writeFileSync(path, "x = 1\n");
  return path;
}

/** Median CPU time of one search through an MCP server that forwards it. */
async function askByMcp({ root, env, pid, rounds }) {
  const server = spawn(process.execPath, [cli, "mcp"], { cwd: root, env, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  let rest = "";
  server.stdout.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const { id } = JSON.parse(line);
      waiting.get(id)?.();
    }
  });
  const ask = (id, method, params) =>
    new Promise((done) => {
      waiting.set(id, done);
      server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  const clientInfo = { name: "bench", version: "0" };
  await ask(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const costs = [];
  for (let at = 1; at <= rounds + 5; at++) {
    const before = cpuOf(pid) + cpuOf(server.pid);
    // Ten at a time, because the system counts CPU time in hundredths of a second.
    for (let call = 0; call < 10; call++)
      await ask(at * 100 + call, "tools/call", {
        name: "ci_search",
        arguments: { query: QUESTIONS[(at + call) % QUESTIONS.length] },
      });
    if (at > 5) costs.push((cpuOf(pid) + cpuOf(server.pid) - before) / 10);
  }
  server.kill();
  return median(costs);
}

/** CPU milliseconds from a branch switch until the index is up to date; null if there is no git repository. */
async function switchBranch({ root, pid, groundwork, ask }) {
  const git = (...args) =>
    spawnSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], {
      cwd: root,
      encoding: "utf8",
    });
  if (git("rev-parse", "HEAD").status !== 0) return null;
  const paths = git("ls-files", "*.py", "*.c", "*.ts", "*.go", "*.rs").stdout.trim().split("\n").slice(0, FILES);
  git("stash", "-q");
  git("checkout", "-q", "-b", "bench-base");
  git("checkout", "-q", "-b", "bench-other");
  for (const path of paths) appendFileSync(join(root, path), "\n\n");
  git("commit", "-qam", "bench");
  git("checkout", "-q", "bench-base");
  const settle = async () => {
    for (let at = 0; at < 300; at++) {
      ask();
      if (groundwork("index-status").startsWith("ready") && !/changed/.test(groundwork("index-status"))) return;
      await sleep(1_000);
    }
  };
  await settle();
  const before = cpuOf(pid);
  git("checkout", "-q", "bench-other");
  await sleep(500);
  await settle();
  return cpuOf(pid) - before;
}

/** Removes what differs from run to run from the output of the hook: times, and the mark of the block, a hash of it. */
function timeless(text) {
  return text
    .replace(/gw-[0-9a-f]{12}/g, "gw")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "then")
    .replace(/(groundwork: [^"]*?)\d+(?:\.\d+)? m?s/g, "$1soon");
}

/** Asks every prompt of the development set with and without a resident. */
function comparePrompts({ scratch, alone, bare, groundwork, time, toInput }) {
  if (!existsSync(corpora)) {
    console.log(`no corpora at ${corpora}; nothing compared`);
    return;
  }
  spawnSync("tar", ["-xzf", corpora, "-C", scratch, "prompts.jsonl"]);
  const prompts = readFileSync(join(scratch, "prompts.jsonl"), "utf8").trim().split("\n").map(JSON.parse);
  groundwork("resident", "start");
  let different = 0;
  for (const { prompt } of prompts) {
    const [quick, slow] = [bare, alone].map((env) => timeless(time(hook, [], env, toInput(prompt)).text));
    if (quick === slow) continue;
    different++;
    console.log(`different: ${JSON.stringify(prompt)}\n  ${quick.slice(0, 300)}\n  ${slow.slice(0, 300)}`);
  }
  groundwork("resident", "stop");
  console.log(`${prompts.length} prompts, ${different} answered differently`);
  process.exitCode = different === 0 ? 0 : 1;
}
