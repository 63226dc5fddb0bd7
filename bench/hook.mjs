// `npm run bench:hook`: what the hook costs before the client may go on, as ratios to `node -e 0` in one run.
// The cases take turns, so that a busy machine slows all of them alike; the figure is the median of each.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROUNDS = Number(process.argv[2] ?? 41);
const project = resolve(import.meta.dirname, "..");
const hook = join(project, "hooks", "context-inject-global.sh");
const scratch = mkdtempSync(join(tmpdir(), "groundwork-bench-"));
const repository = join(scratch, "repository");
mkdirSync(join(repository, "src"), { recursive: true });
spawnSync("git", ["init", "-q", repository]);
for (let at = 0; at < 30; at++) {
  writeFileSync(
    join(repository, "src", `part${at}.ts`),
    `export function part${at}(rate: number) {\n  return rate * ${at};\n}\n`,
  );
}

const env = { PATH: process.env.PATH, HOME: scratch, GROUNDWORK_HOME: join(scratch, "state") };
const prompt = (text) => JSON.stringify({ prompt: text, session_id: "bench", hook_event_name: "UserPromptSubmit" });
const cases = [
  { name: "node -e 0", command: process.execPath, args: ["-e", "0"], input: "", env },
  {
    name: "hook, not about code",
    bar: 1.5,
    command: hook,
    args: [],
    input: prompt("thanks, have a nice weekend"),
    env,
  },
  {
    name: "hook, plan mode",
    bar: 1.7,
    command: hook,
    args: [],
    input: prompt("why does part7 return the wrong rate?"),
    env: { ...env, CI_AUTO_TOOLS_MODE: "plan" },
  },
  {
    name: "hook, code question, 30 files",
    command: hook,
    args: [],
    input: prompt("why does part7 return the wrong rate?"),
    env,
  },
];

const times = cases.map(() => []);
for (let round = -2; round < ROUNDS; round++) {
  for (const [at, { command, args, input, env: given }] of cases.entries()) {
    const start = process.hrtime.bigint();
    const done = spawnSync(command, args, { input, env: given, cwd: repository });
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    if (done.status !== 0) throw new Error(`${cases[at].name}: exit ${done.status}\n${done.stderr}`);
    // The first two rounds only warm the file cache.
    if (round >= 0) times[at].push(ms);
  }
}
rmSync(scratch, { recursive: true, force: true });

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const base = median(times[0]);
let missed = 0;
for (const [at, { name, bar }] of cases.entries()) {
  const ratio = median(times[at]) / base;
  const verdict = bar === undefined ? "" : ratio <= bar ? `  (bar ${bar}: met)` : `  (bar ${bar}: MISSED)`;
  if (bar !== undefined && ratio > bar) missed++;
  console.log(`${name.padEnd(32)} ${median(times[at]).toFixed(1).padStart(7)} ms  ${ratio.toFixed(2)}x${verdict}`);
}
process.exit(missed === 0 ? 0 : 1);
