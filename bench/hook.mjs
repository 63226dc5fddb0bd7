// `npm run bench:hook`: how long the hook delays the client, as ratios to `node -e 0` in the same run. The cases
// alternate, so that a busy machine slows all of them equally; each figure is a median. Measured in the current
// environment and in a bare one: if variables such as NODE_EXTRA_CA_CERTS slow down the start of node itself, the
// hook's share is smaller.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCodeCache } from "../scripts/code-cache.mjs";
import { project } from "./support.mjs";

const ROUNDS = Number(process.argv[2] ?? 41);
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

const own = { HOME: scratch, GROUNDWORK_HOME: join(scratch, "state"), ...makeCodeCache() };
const environments = { "as it is": { ...process.env, ...own }, bare: { PATH: process.env.PATH, ...own } };
const prompt = (text) => JSON.stringify({ prompt: text, session_id: "bench", hook_event_name: "UserPromptSubmit" });
const chat = prompt("thanks, have a nice weekend");
const question = prompt("fix the bug in src/part7.ts");
const bar = JSON.stringify({ cwd: repository, workspace: { current_dir: repository } });
const alone = { GROUNDWORK_RESIDENT: "off" };
const plan = { CI_AUTO_TOOLS_MODE: "plan" };
const cases = [
  { name: "node -e 0", command: process.execPath, args: ["-e", "0"], input: "" },
  { name: "hook, not about code", bar: 1.5, command: hook, args: [], input: chat },
  { name: "status line, no resident", bar: 1.5, command: hook, args: ["statusline"], input: bar, more: alone },
  { name: "hook, plan mode", bar: 1.7, command: hook, args: [], input: question, more: plan },
  { name: "hook, code question, 30 files", command: hook, args: [], input: question },
];

/** Number of tools planned for a prompt. Checked below: the figures mean nothing if a prompt is misclassified. */
function plannedTools(input) {
  const env = { ...environments.bare, ...plan };
  const done = spawnSync(hook, ["--format", "json"], { input, env, cwd: repository, encoding: "utf8" });
  return JSON.parse(done.stdout).tool_plan.tools.length;
}
if (plannedTools(chat) !== 0 || plannedTools(question) === 0) throw new Error("the questions are judged wrongly");

/** Medians of all cases in one environment. */
function measure(env) {
  const times = cases.map(() => []);
  for (let round = -2; round < ROUNDS; round++) {
    for (const [at, { name, command, args, input, more }] of cases.entries()) {
      const start = process.hrtime.bigint();
      const done = spawnSync(command, args, { input, env: { ...env, ...more }, cwd: repository });
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (done.status !== 0) throw new Error(`${name}: exit ${done.status}\n${done.stderr}`);
      // The first two rounds only warm the file cache.
      if (round >= 0) times[at].push(ms);
    }
  }
  return times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]);
}

let missed = 0;
for (const [name, env] of Object.entries(environments)) {
  const [base, ...others] = measure(env);
  console.log(`environment ${name}\n  ${"node -e 0".padEnd(30)} ${base.toFixed(1).padStart(7)} ms`);
  for (const [at, ms] of others.entries()) {
    const { name: what, bar } = cases[at + 1];
    const isMissed = bar !== undefined && ms / base > bar;
    if (isMissed && name === "as it is") missed++;
    const verdict = bar === undefined ? "" : `  (bar ${bar}: ${isMissed ? "MISSED" : "met"})`;
    console.log(`  ${what.padEnd(30)} ${ms.toFixed(1).padStart(7)} ms  ${(ms / base).toFixed(2)}x${verdict}`);
  }
}
rmSync(scratch, { recursive: true, force: true });
process.exit(missed === 0 ? 0 : 1);
