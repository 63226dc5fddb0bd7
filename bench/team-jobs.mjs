// `npm run bench:team-jobs [-- --jobs 10000 --workers 8 --kills 200 --restarts 20]`: a team's Codex jobs under failures
// of every part.
// Servers, workers, clones and PostgreSQL are real; only Codex is a shell script, which records the attempt that it is
// called for. Workers are killed with -9 and replaced, PostgreSQL and the server are stopped and restarted. Half of the
// jobs may be retried twice. The target of each figure is 0.
//   vanished      jobs that the server no longer knows, or reports as completed although Codex was never called
//   run twice     attempts, and jobs that were not retried, for which Codex was called more than once
//   told late     lost attempts that were not reported within two minutes of the end of the worker
//   stale         results that belong to a lost attempt
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startPostgres } from "../scripts/postgres.mjs";
import { makeMachine } from "./base/machine.mjs";
import { groundwork, withScratch } from "./support.mjs";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "10000" },
    workers: { type: "string", default: "8" },
    kills: { type: "string", default: "200" },
    restarts: { type: "string", default: "20" },
  },
});
const [JOBS, WORKERS, KILLS, RESTARTS] = ["jobs", "workers", "kills", "restarts"].map((name) => Number(values[name]));
const TOLD_MS = 120_000;

const STUB = `#!/bin/sh
[ "$1" = --version ] && { echo 'codex-cli 0.166.0'; exit 0; }
cat >/dev/null
name=\${PWD%/repo}; name=\${name##*/}
echo "$name" >>"$BENCH_RUNS"
echo "$name" >result.txt
`;

await withScratch((folder) => withScratch((scratch) => measure(folder, scratch)));

/** `folder` is for the database alone: if this user is root, it gets another owner. */
async function measure(folder, scratch) {
  const postgres = await startPostgres(folder);
  const database = postgres.makeDatabase();
  const sql = (text) => postgres.sql(new URL(database).pathname.slice(1), text);
  const machine = makeMachine(join(scratch, "machine"));
  const runs = join(scratch, "runs");
  const bin = join(scratch, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "codex"), STUB);
  chmodSync(join(bin, "codex"), 0o755);
  const env = {
    ...machine.env,
    PATH: [bin, machine.env.PATH ?? process.env.PATH].join(delimiter),
    GROUNDWORK_TEAM_DATABASE: database,
    BENCH_RUNS: runs,
  };
  const makeToken = (right) =>
    machine.run(scratch, "team", "token", "create", "--database", database, "--name", "bench", right).printed;
  let server = await startServer(env, "127.0.0.1:0");
  const { url } = server;
  const origin = await makeOrigin(join(scratch, "origin"));
  const submitter = makeToken("--submit");
  const tokens = Array.from({ length: WORKERS }, () => makeToken("--worker"));
  const ids = [];
  for (let at = 0; at < JOBS; ) {
    const answer = await fetch(`${url}/v1/jobs`, {
      method: "POST",
      headers: { authorization: `Bearer ${submitter}` },
      body: JSON.stringify({
        repo: `file://${origin}`,
        task: `job ${at}`,
        sandbox: "workspace-write",
        retry: at % 2 === 0 ? 0 : 2,
      }),
    });
    if (answer.status === 429) await sleep(1_000);
    if (answer.status !== 201) continue;
    ids.push((await answer.json()).jobId);
    at++;
  }
  const startMs = Date.now();
  const startWorker = (token) =>
    spawn(groundwork, ["team", "worker", "--repos", origin, "--name", "bench"], {
      env: { ...env, GROUNDWORK_TEAM_URL: url, GROUNDWORK_TEAM_TOKEN: token },
      stdio: "ignore",
    });
  const workers = tokens.map(startWorker);
  /** Attempts whose worker was killed, with the time of the kill. */
  const killed = new Map();
  const open = () => Number(sql("SELECT count(*) FROM groundwork.jobs WHERE ended_at IS NULL"));
  // Failures are spread evenly over the progress of the jobs.
  const troubles = [...spread(KILLS, "worker"), ...spread(RESTARTS, "database"), ...spread(RESTARTS, "server")];
  troubles.sort((one, other) => one.after - other.after);
  try {
    for (let left = JOBS; left > 0; left = open()) {
      while (troubles.length > 0 && (JOBS - left) / JOBS >= troubles[0].after) {
        const { what } = troubles.shift();
        if (what === "worker") {
          const at = Math.floor(Math.random() * WORKERS);
          workers[at].kill("SIGKILL");
          const held = sql(
            `SELECT id || ' ' || attempt FROM groundwork.jobs WHERE state = 'running' AND worker = '${tokens[at].slice(4, 16)}'`,
          );
          for (const attempt of held.split("\n").filter(Boolean)) killed.set(attempt, Date.now());
          workers[at] = startWorker(tokens[at]);
        } else if (what === "database") {
          await postgres.stop();
          await postgres.start();
        } else {
          if (server.child.exitCode !== null) throw new Error("the server has ended by itself");
          server.child.kill("SIGKILL");
          await once(server.child, "exit");
          server = await startServer(env, new URL(url).host);
        }
      }
      await sleep(1_000);
    }
    const seconds = (Date.now() - startMs) / 1_000;
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, "exit")));
    report({
      sql,
      ids,
      seconds,
      killed,
      called: existsSync(runs) ? readFileSync(runs, "utf8").trim().split("\n") : [],
    });
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    server.child.kill("SIGKILL");
    await postgres.stop();
  }
}

function report({ sql, ids, seconds, killed, called }) {
  const known = new Set(sql("SELECT id FROM groundwork.jobs WHERE ended_at IS NOT NULL").split("\n"));
  const completed = sql("SELECT id FROM groundwork.jobs WHERE state = 'completed'").split("\n").filter(Boolean);
  const patient = new Set(sql("SELECT id FROM groundwork.jobs WHERE attempt > 1").split("\n"));
  const perAttempt = countBy(called, (name) => name);
  const perJob = countBy(called, (name) => name.replace(/-\d+$/, ""));
  const vanished = ids.filter((id) => !known.has(id)).length + completed.filter((id) => !perJob.has(id)).length;
  const twice =
    [...perAttempt.values()].filter((count) => count > 1).length +
    [...perJob].filter(([id, count]) => count > 1 && !patient.has(id)).length;
  const lost = sql(
    "SELECT job || ' ' || number || '|' || extract(epoch FROM ended_at) * 1000 FROM groundwork.job_attempts WHERE state = 'lost'",
  );
  const late = lost
    .split("\n")
    .map((line) => line.split("|"))
    .filter(([attempt, ms]) => killed.has(attempt) && Number(ms) - killed.get(attempt) > TOLD_MS).length;
  const stale = sql(
    `SELECT count(*) FROM groundwork.jobs j JOIN groundwork.job_attempts a ON a.job = j.id AND a.number = j.attempt
     WHERE j.result_sha256 IS NOT NULL AND a.state <> 'completed'`,
  );
  const states = sql("SELECT state || ' ' || count(*) FROM groundwork.jobs GROUP BY state ORDER BY state").split("\n");
  console.log(
    `jobs      ${ids.length} in ${Math.round(seconds)} s, ${Math.round((3_600 * ids.length) / seconds)} an hour`,
  );
  console.log(`  ended   ${states.join(", ")}`);
  console.log(`  vanished ${vanished}, run twice ${twice}, told late ${late}, results of stale attempts ${stale}`);
}

function countBy(items, toKey) {
  const counts = new Map();
  for (const item of items) counts.set(toKey(item), (counts.get(toKey(item)) ?? 0) + 1);
  return counts;
}

/** Returns `count` failures of a kind, each due after a share of the jobs; none during the last tenth. */
function spread(count, what) {
  return Array.from({ length: count }, (_, at) => ({ what, after: (0.9 * (at + 0.5)) / count }));
}

/** Starts a server; retries if another connection temporarily uses its port. */
async function startServer(env, listen) {
  for (;;) {
    const child = spawn(groundwork, ["serve", "--listen", listen], { env, stdio: ["ignore", "pipe", "ignore"] });
    const line = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), once(child, "exit")]);
    if (typeof line[0] === "string") return { child, url: line[0].trim().replace("listening on ", "") };
    await sleep(500);
  }
}

/** Makes a minimal repository. */
async function makeOrigin(folder) {
  mkdirSync(folder);
  const git = (...args) => once(spawn("git", args, { cwd: folder, stdio: "ignore" }), "exit");
  await git("init", "--quiet", "--template=", "--initial-branch=main");
  writeFileSync(join(folder, "a.txt"), "a\n");
  await git("add", "a.txt");
  await git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "start");
  return folder;
}
