// `npm run bench:team [-- --only load,hidden]`: a team's server with its own PostgreSQL.
//   load    requests per second, their latency, and their CPU time in the server and in the database
//   hidden  whether an unreadable repository can be distinguished from a missing one: by words in the answers to 10,000
//           hostile requests, and by time (Mann-Whitney U over alternating requests)
// Figures depend on this machine; server, database and clients share its processors.
import { parseArgs } from "node:util";
import { ask, cpuOf, cpuOfAll, inLanes, mannWhitney, quantile, withServer } from "./team/support.mjs";

const {
  values: { only },
} = parseArgs({ options: { only: { type: "string" } } });
const parts = new Set(only?.split(",") ?? ["load", "hidden"]);
const REQUESTS = 5_000;
const CLIENTS = 16;
const PAIRS = 5_000;
const HOSTILE = 10_000;

await withServer(async ({ url, server, postgres, makeToken }) => {
  // Several tokens share the load, because each has a rate limit.
  const tokens = Array.from({ length: CLIENTS }, () => makeToken("--read", "own", "--publish", "own,hidden"));
  for (const repo of ["own", "hidden"]) {
    const list = JSON.stringify({ words: Array.from({ length: 200 }, (_, at) => `${repo}word${at}`) });
    await ask(`${url}/v1/base/${repo}/list.json`, tokens[0], { method: "PUT", body: list });
  }
  if (parts.has("load")) await measureLoad(url, tokens, server.pid, postgres);
  if (parts.has("hidden")) await measureHidden(url, makeToken);
});

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
  // Enough tokens to stay below the rate limit of each.
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
    // Alternating, in random order within each pair.
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
