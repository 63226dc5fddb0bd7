// `npm run bench:team [-- --only load,hidden]`: a team's server over a PostgreSQL of its own.
//   load    how many requests a second, how long each takes, and what it costs the server and the database in processor time, each apart
//   hidden  whether a repository that a token may not read can be told from one that is not there: by words in 10,000 hostile requests,
//           and by time (Mann-Whitney U over requests in turn)
// Figures are those of this machine; server, database and clients share its processors.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../scripts/postgres.mjs";
import { makeMachine } from "./base/machine.mjs";
import { withScratch } from "./support.mjs";

const {
  values: { only },
} = parseArgs({ options: { only: { type: "string" } } });
const parts = new Set(only?.split(",") ?? ["load", "hidden"]);
const door = resolve(import.meta.dirname, "..", "bin", "groundwork");
const REQUESTS = 5_000;
const CLIENTS = 16;
const PAIRS = 5_000;
const HOSTILE = 10_000;
/** Clock ticks of /proc a second. */
const TICKS = 100;

const keepAlive = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** Asks once. Returns status, headers but the date, text and milliseconds. */
function ask(url, token, { method = "GET", body = "" } = {}) {
  const startMs = performance.now();
  // As it is written: the library would take out what climbs.
  const [, host, port, path] = /^http:\/\/([^:]+):(\d+)(.*)$/.exec(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host, port, path, method, agent: keepAlive, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        const chunks = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("end", () => {
          const { date, ...headers } = answer.headers;
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: answer.statusCode, headers, text, ms: performance.now() - startMs });
        });
      },
    );
    sent.on("error", reject).end(body);
  });
}

/** Seconds of processor time of a process, its ended children included. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Seconds of processor time of PostgreSQL: all of its processes. */
function cpuOfAll(pid) {
  const own = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...own].reduce((sum, one) => sum + cpuOf(one), 0);
}

function parentOf(pid) {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ")[1],
    );
  } catch {
    return 0;
  }
}

/** Does `work` for 0 to `count` - 1, so many at once. */
async function inLanes(count, lanes, work) {
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < count; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const quantile = (values, share) => values.toSorted((one, other) => one - other)[Math.floor(values.length * share)];

/** How unlikely it is that two lists of numbers come from one distribution (two-sided, normal approximation). */
function mannWhitney(one, other) {
  const all = [...one.map((ms) => ({ ms, own: true })), ...other.map((ms) => ({ ms, own: false }))];
  all.sort((left, right) => left.ms - right.ms);
  let ranks = 0;
  all.forEach(({ own }, at) => {
    if (own) ranks += at + 1;
  });
  const [n, m] = [one.length, other.length];
  const u = ranks - (n * (n + 1)) / 2;
  const z = (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return { z, p: 2 * (1 - normalUpTo(Math.abs(z))) };
}

/** Share of a normal distribution up to z (Abramowitz and Stegun 26.2.17). */
function normalUpTo(z) {
  const t = 1 / (1 + 0.2316419 * z);
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
}

await withScratch((folder) => withScratch((scratch) => measure(folder, scratch)));

/** The folder of the database belongs to another user where this one is root. */
async function measure(folder, scratch) {
  const postgres = await startPostgres(folder);
  const database = postgres.makeDatabase();
  const machine = makeMachine(join(scratch, "machine"));
  const env = { ...machine.env, GROUNDWORK_TEAM_DATABASE: database };
  const server = spawn(door, ["serve", "--listen", "127.0.0.1:0"], { env, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = await once(server.stdout.setEncoding("utf8"), "data");
    const url = line.trim().replace("listening on ", "");
    const makeToken = (...rights) =>
      machine.run(scratch, "team", "token", "create", "--database", database, "--name", "bench", ...rights).printed;
    // Each token may ask only so much: the load is that of several.
    const tokens = Array.from({ length: CLIENTS }, () => makeToken("--read", "own", "--publish", "own,hidden"));
    for (const repo of ["own", "hidden"]) {
      const list = JSON.stringify({ words: Array.from({ length: 200 }, (_, at) => `${repo}word${at}`) });
      await ask(`${url}/v1/base/${repo}/list.json`, tokens[0], { method: "PUT", body: list });
    }
    if (parts.has("load")) await measureLoad(url, tokens, server.pid, postgres);
    if (parts.has("hidden")) await measureHidden(url, makeToken);
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
    keepAlive.destroy();
    await postgres.stop();
  }
}

async function measureLoad(url, tokens, serverPid, postgres) {
  const askList = (at) => ask(`${url}/v1/base/own/list.json`, tokens[at % CLIENTS]);
  await inLanes(500, CLIENTS, askList);
  const before = { server: cpuOf(serverPid), database: cpuOfAll(postgres.pid), ms: performance.now() };
  const times = [];
  let failed = 0;
  await inLanes(REQUESTS, CLIENTS, async (at) => {
    const { status, ms } = await askList(at);
    times.push(ms);
    if (status !== 200 && status !== 429) failed++;
  });
  const seconds = (performance.now() - before.ms) / 1_000;
  const perRequest = (now, then) => `${(((now - then) / REQUESTS) * 1_000).toFixed(2)} ms`;
  console.log(
    `load      ${REQUESTS} requests by ${CLIENTS} clients: ${Math.round(REQUESTS / seconds)} a second, ${failed} failed`,
  );
  console.log(`  each    p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`);
  console.log(
    `  costs   server ${perRequest(cpuOf(serverPid), before.server)}, database ${perRequest(cpuOfAll(postgres.pid), before.database)} of a processor`,
  );
}

async function measureHidden(url, makeToken) {
  // As many tokens as it takes to stay below what one may ask.
  const readers = Array.from({ length: 20 }, () => makeToken("--read", "own,nothing"));
  const known = await ask(`${url}/v1/base/nobody/list.json`, readers[0]);
  let leaks = 0;
  const words = ["hidden", "hiddenword1", "hiddenword199"];
  const names = [
    "hidden",
    "hidden'--",
    "hidden%00",
    "HIDDEN",
    "hidden/../own",
    "own/../hidden",
    "*",
    "hid_en",
    "hid%25",
    "hidden;",
  ];
  const files = [
    "list.json",
    "lists/1.json",
    `objects/00/${"0".repeat(64)}`,
    "x",
    "list.json?as=admin",
    "list.json/..",
  ];
  await inLanes(HOSTILE, CLIENTS, async (at) => {
    const name = names[at % names.length];
    const file = files[Math.floor(at / names.length) % files.length];
    const method = ["GET", "HEAD", "PUT", "DELETE"][Math.floor(at / (names.length * files.length)) % 4];
    const token = readers[at % readers.length];
    const given = await ask(`${url}/v1/base/${name}/${file}`, token, { method });
    const asked = `${name}/${file}`;
    const told = JSON.stringify(given.headers) + given.text.replaceAll(asked, "");
    if (given.status === 200 || words.some((word) => told.includes(word))) leaks++;
  });
  console.log(
    `hidden    ${leaks} of ${HOSTILE} hostile requests tell of an unreadable repository (a missing one: ${known.status})`,
  );
  const times = { hidden: [], nobody: [] };
  for (let at = 0; at < PAIRS; at++) {
    // In turn, the first of the two by lot.
    const order = Math.random() < 0.5 ? ["hidden", "nobody"] : ["nobody", "hidden"];
    for (const repo of order) {
      const { ms, status } = await ask(`${url}/v1/base/${repo}/list.json`, readers[at % readers.length]);
      if (status === 404) times[repo].push(ms);
    }
  }
  const { z, p } = mannWhitney(times.hidden, times.nobody);
  const medians = ["hidden", "nobody"].map((repo) => `${repo} ${quantile(times[repo], 0.5).toFixed(3)} ms`).join(", ");
  console.log(
    `  times   ${times.hidden.length} + ${times.nobody.length} in turn: ${medians}; Mann-Whitney z ${z.toFixed(2)}, p ${p.toFixed(3)}`,
  );
}
