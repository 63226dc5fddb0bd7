// A team's server with its own PostgreSQL: starts it, sends requests, and measures their cost.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { startPostgres } from "../../scripts/postgres.mjs";
import { makeMachine } from "../base/machine.mjs";
import { groundwork, withScratch } from "../support.mjs";

/** Clock ticks per second in /proc. */
const TICKS = 100;
const MOST_SOCKETS = 128;

const keepAlive = new Agent({ keepAlive: true, maxSockets: MOST_SOCKETS });

/** Sends one request. Returns status, headers without the date, text and milliseconds. */
export function ask(url, token, { method = "GET", body = "", headers: more = {} } = {}) {
  const startMs = performance.now();
  // Parsed by hand: the library would normalise `..` in the path.
  const [, host, port, path] = /^http:\/\/([^:]+):(\d+)(.*)$/.exec(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host, port, path, method, agent: keepAlive, headers: { authorization: `Bearer ${token}`, ...more } },
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

/** CPU seconds of a process, including its ended children. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** CPU seconds of PostgreSQL: all of its processes. */
export function cpuOfAll(pid) {
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

/** Runs `work` for 0 to `count` - 1, at most `lanes` at once. */
export async function inLanes(count, lanes, work) {
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < count; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

export const quantile = (values, share) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)];

/** Mann-Whitney U test of two lists of numbers (two-sided, normal approximation). */
export function mannWhitney(one, other) {
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

/** Standard normal distribution function at z (Abramowitz and Stegun 26.2.17). */
function normalUpTo(z) {
  const t = 1 / (1 + 0.2316419 * z);
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
}

/**
 * Starts a database and a server for `work`, which gets the address, the processes, a function that makes tokens, a
 * machine and a scratch folder. The database has a folder of its own, which gets another owner if this user is root.
 */
export function withServer(work) {
  return withScratch((folder) => withScratch((scratch) => serveFor(folder, scratch, work)));
}

async function serveFor(folder, scratch, work) {
  const postgres = await startPostgres(folder);
  const database = postgres.makeDatabase();
  const machine = makeMachine(join(scratch, "machine"));
  const env = { ...machine.env, GROUNDWORK_TEAM_DATABASE: database };
  const server = spawn(groundwork, ["serve", "--listen", "127.0.0.1:0"], { env, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = await once(server.stdout.setEncoding("utf8"), "data");
    const url = line.trim().replace("listening on ", "");
    const makeToken = (...rights) =>
      machine.run(scratch, "team", "token", "create", "--database", database, "--name", "bench", ...rights).printed;
    return await work({ url, server, postgres, database, machine, scratch, makeToken });
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
    keepAlive.destroy();
    await postgres.stop();
  }
}
